"""No CloudWatch metric for every message sent, received and deleted.

LocalStack sends itself one request for each: four a message, more than the queue's own work. What
our alarms look at, how many messages wait, is published by itself every minute and stays.
"""

from typing import Any

from localstack.runtime import hooks


@hooks.on_infra_start()
def install_sqs_metrics() -> None:
    from localstack.services.sqs.provider import CloudwatchDispatcher  # noqa: PLC0415

    def say_nothing(_self: Any, *_args: Any, **_options: Any) -> None:
        return

    CloudwatchDispatcher.dispatch_sqs_metric = say_nothing
