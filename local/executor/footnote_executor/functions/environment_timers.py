"""Lets execution environments share a timer's thread; stock starts one after each invocation."""

from localstack.runtime import hooks

from footnote_executor.functions.shared_timer import SharedTimer
from footnote_executor.patching import original_of


@hooks.on_infra_start()
def install_environment_timers() -> None:
    from localstack.services.lambda_.invocation import execution_environment  # noqa: PLC0415

    environment = execution_environment.ExecutionEnvironment
    for name, wanted in (
        ("start", "03aac7be8071"),
        ("reserve", "c3d6eab93a1c"),
        ("release", "a60bb2034315"),
    ):
        original_of(environment, name, wanted)
    execution_environment.Timer = SharedTimer
