"""Lets a rule of EventBridge that is disabled match no event; stock LocalStack never asks.

With stock a rule that is kept for later still starts its function with each event.
"""

from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of


@hooks.on_infra_start()
def install_disabled_rules() -> None:
    from localstack.aws.api.events import RuleState  # noqa: PLC0415
    from localstack.services.events.provider import EventsProvider  # noqa: PLC0415

    original = original_of(EventsProvider, "_process_rules", "2399ed70c8f1")

    def process_rules(self: Any, rule: Any, *others: Any) -> None:
        if rule.state != RuleState.DISABLED:
            original(self, rule, *others)

    EventsProvider._process_rules = process_rules  # noqa: SLF001 - theirs, and where they decide
