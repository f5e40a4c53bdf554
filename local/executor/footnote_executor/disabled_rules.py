"""Lets a rule of EventBridge that is disabled match no event; stock LocalStack never asks.

Our rule for the webhook is disabled where no webhook is set. With stock each change of a document
or a question made a message for it, and the function that delivers started twelve times in an hour.
"""

from typing import Any

from localstack.runtime import hooks

from .patching import original_of


@hooks.on_infra_start()
def install_disabled_rules() -> None:
    from localstack.aws.api.events import RuleState  # noqa: PLC0415
    from localstack.services.events.provider import EventsProvider  # noqa: PLC0415

    original = original_of(EventsProvider, "_process_rules", "2399ed70c8f1")

    def process_rules(self: Any, rule: Any, *others: Any) -> None:
        if rule.state != RuleState.DISABLED:
            original(self, rule, *others)

    EventsProvider._process_rules = process_rules  # noqa: SLF001 - theirs, and where they decide
