"""Switches off the CloudWatch metrics of every message that is sent, received and deleted.

LocalStack sends itself a request for each: four a message, more than the queue's own work. How
many messages wait, which alarms look at, is published apart, every minute, and stays.
"""

from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of


@hooks.on_infra_start()
def install_sqs_metrics() -> None:
    from localstack.services.sqs.provider import CloudwatchDispatcher  # noqa: PLC0415

    original_of(CloudwatchDispatcher, "dispatch_sqs_metric", "716de8ce5050")

    def say_nothing(_self: Any, *_args: Any, **_options: Any) -> None:
        return

    CloudwatchDispatcher.dispatch_sqs_metric = say_nothing
