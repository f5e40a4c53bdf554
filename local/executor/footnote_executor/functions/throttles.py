"""Tells state machines that a function found no place to run, as AWS does, and writes it down.

LocalStack itself keeps an account's limit: `LAMBDA_LIMITS_CONCURRENT_EXECUTIONS`, 1,000 by default.
But its Step Functions call each refusal of Lambda's "Exception", which no `Retry` names.
"""

import os
from functools import wraps
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError
from localstack.runtime import hooks

from footnote_executor.patching import original_of

LOG_FOLDER = os.environ.get("LAMBDA_PROCESS_LOGS")
MARK = "THROTTLED RequestId: "


@hooks.on_infra_start()
def install_throttles() -> None:
    from localstack.services.lambda_.invocation.version_manager import (  # noqa: PLC0415
        LambdaVersionManager,
    )
    from localstack.services.stepfunctions.asl.component.state.state_execution.state_task import (  # noqa: PLC0415
        state_task_lambda,
    )

    _name_refusals(state_task_lambda)
    _note_throttles(LambdaVersionManager)


def _name_refusals(module: Any) -> None:
    """Names what Lambda refused `Lambda.CODE`, as for tasks of the kind `lambda:invoke`."""
    from localstack.services.stepfunctions.asl.component.state.state_execution.state_task.service import (  # noqa: E501, PLC0415
        state_task_service_lambda,
    )

    task = module.StateTaskLambda
    original = original_of(task, "_from_error", "1a3cdc6f4b30")
    words = state_task_service_lambda.StateTaskServiceLambda._error_cause_from_client_error  # noqa: SLF001

    def from_error(self: Any, env: Any, ex: Exception) -> Any:
        failure = original(self, env, ex)
        if isinstance(ex, ClientError):
            error, cause = words(ex)
            failure.error_name = module.CustomErrorName(error)
            failure.event_details["lambdaFunctionFailedEventDetails"].update(
                error=error, cause=cause
            )
        return failure

    task._from_error = from_error  # noqa: SLF001


def _note_throttles(manager: type) -> None:
    """Appends a line for each refused invocation to the function's file in the folder of logs."""
    from localstack.aws.api.lambda_ import TooManyRequestsException  # noqa: PLC0415

    original = original_of(manager, "invoke", "137699a70e55")

    @wraps(original)  # another plugin looks at what it wraps
    def invoke(self: Any, *, invocation: Any) -> Any:
        try:
            return original(self, invocation=invocation)
        except TooManyRequestsException:
            if LOG_FOLDER:
                name = self.function_version.id.function_name
                with (Path(LOG_FOLDER) / f"{name}.log").open("a") as log:
                    log.write(f"{MARK}{invocation.request_id}\n")
            raise

    manager.invoke = invoke
