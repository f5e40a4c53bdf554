"""The plugin through which LocalStack finds the process executor."""

from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin


class ProcessRuntimeExecutorPlugin(RuntimeExecutorPlugin):
    """Loads the executor only when it is the chosen one."""

    name = "process"

    def load(self, *_args: object, **_kwargs: object) -> type:
        from footnote_executor.functions.executor import ProcessRuntimeExecutor  # noqa: PLC0415 - only when chosen

        return ProcessRuntimeExecutor
