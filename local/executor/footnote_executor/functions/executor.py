"""The Lambda runtime executor: one `python -m awslambdaric` process per execution environment.

Settings, in the environment of LocalStack:
  LAMBDA_RUNTIME_EXECUTOR=process   chooses this executor
  LAMBDA_PROCESS_PYTHON             interpreter with awslambdaric and boto3
  LAMBDA_PROCESS_ENV                JSON object: more environment variables for every function
  LAMBDA_PROCESS_LOGS               folder that gets a log file per function
  LAMBDA_PROCESS_OVERLAY            file that, while it is there, names folders of a checkout to run
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

from footnote_executor.cloudwatch.lambda_metrics import publish_metrics
from footnote_executor.functions.environment import (
    memory_kib,
    process_environment,
    runtime_command,
)
from footnote_executor.functions.runtime_api import Invocation, RuntimeApi
from footnote_executor.functions.sources import Look, look_at
from footnote_executor.functions.streams import STREAMS

PYTHON = os.environ.get("LAMBDA_PROCESS_PYTHON", "")
EXTRA_ENV: dict[str, str] = json.loads(os.environ.get("LAMBDA_PROCESS_ENV") or "{}")
LOG_FOLDER = os.environ.get("LAMBDA_PROCESS_LOGS")
INIT_SECONDS = float(config.LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT)
MAX_REPLY = config.LAMBDA_LIMITS_MAX_FUNCTION_PAYLOAD_SIZE_BYTES
MAX_LOG = 1 << 20  # bytes of a process's own log, which is copied to the function's
SAMPLE_SECONDS = 0.1  # between two looks at a running handler's memory


class ProcessRuntimeExecutor(RuntimeExecutor):
    """Starts, feeds, watches and ends the process of one execution environment."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:  # noqa: A002 - theirs
        super().__init__(id=id, function_version=function_version)
        self.config = function_version.config
        self.process: subprocess.Popen[bytes] | None = None
        self.api: RuntimeApi | None = None
        self._log_offset = 0
        self._init_ms: float | None = None
        self._look: Look | None = None  # what the process was started from
        self._peak_kib = 0
        self._fresh = False  # True until the first invocation, which reports a failed start

    # -- lifecycle --------------------------------------------------------------------------

    def start(self, env_vars: dict[str, str]) -> None:
        self.work_dir = Path(tempfile.mkdtemp(prefix=f"lambda-{self.id[:8]}-"))
        (self.work_dir / "tmp").mkdir()
        self.log_path = self.work_dir / "runtime.log"
        self.log_path.touch()
        self._given = {**EXTRA_ENV, **env_vars}
        self._spawn(look_at(self.function_version))

    def stop(self) -> None:
        self._kill()
        if self.api:
            self.api.close()
            shutil.rmtree(self.work_dir, ignore_errors=True)

    def _spawn(self, look: Look) -> None:
        """Starts the process; waits until it asks for work, fails to import, or ends."""
        if self.api:  # an earlier process may have asked for work with its last breath
            threading.Thread(target=self.api.close, daemon=True).start()
        self.api = RuntimeApi()
        self._look = look
        scratch, address = self.work_dir / "tmp", self.api.address
        env = process_environment(
            self.function_version, look.sources, self._given, scratch, address
        )
        started = time.perf_counter()
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                runtime_command(PYTHON, env),
                cwd=look.sources.code,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that a kill reaches the handler's own children
            )
        watch = (self.process, self.api)
        threading.Thread(target=self._watch, args=watch, daemon=True).start()
        self.api.init_done.wait(INIT_SECONDS)
        self._init_ms = (time.perf_counter() - started) * 1000
        self._fresh = True

    def _watch(self, process: subprocess.Popen[bytes], api: RuntimeApi) -> None:
        """Fails the current invocation when the process ends by itself."""
        process.wait()
        api.init_done.set()
        current = api.current
        if process is self.process and current and not current.done.done():
            time.sleep(0.05)  # a reply sent just before the end may still be on its way
            code = process.returncode
            reason = f"signal: {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
            current.fail("Runtime.ExitError", f"Error: Runtime exited with error: {reason}")

    def _kill(self) -> None:
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    # -- invocation -------------------------------------------------------------------------

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        invocation = Invocation(
            request_id=payload["invoke-id"],
            payload=payload["payload"].encode(),
            function_arn=payload["invoked-function-arn"],
            trace_id=payload["trace-id"],
            timeout=float(self.config.timeout),
            stream=STREAMS.of(payload["invoke-id"]),
        )
        look = look_at(self.function_version)
        if self._needs_new_process(look):
            self._kill()
            self._spawn(look)
        self._fresh = False
        started = time.perf_counter()
        self._hand_over(invocation)
        is_error, body = self._await(invocation)
        if len(body) > MAX_REPLY:
            is_error, body = True, size_error()
        logs = self._logs_of(invocation.request_id, (time.perf_counter() - started) * 1000)
        return InvocationResult(invocation.request_id, body, is_error=is_error, logs=logs)

    def _hand_over(self, invocation: Invocation) -> None:
        self.api.current = invocation
        if self.api.init_error is not None:
            invocation.finish(is_error=True, payload=self.api.init_error)
        elif self.process.poll() is not None:
            invocation.fail("Runtime.ExitError", "Error: Runtime exited during initialization")
        elif not self.api.init_done.is_set():
            self._kill()
            invocation.fail("Sandbox.Timedout", f"Error: init took over {INIT_SECONDS:.0f} seconds")
        else:
            self.api.submit(invocation)

    def _needs_new_process(self, look: Look) -> bool:
        if look != self._look:
            return True
        ended = self.process.poll() is not None or self.api.init_error is not None
        return ended and not self._fresh

    def _await(self, invocation: Invocation) -> tuple[bool, bytes]:
        """Waits for the reply; kills a handler that exceeds its time or memory.

        Returns whether it is an error, and its body.
        """
        limit_kib = self.config.memory_size * 1024
        end = time.monotonic() + invocation.timeout
        while True:
            try:
                left = end - time.monotonic()
                return invocation.done.result(max(0.0, min(SAMPLE_SECONDS, left)))
            except FutureTimeoutError:
                # kept for the report of a process that is killed
                self._peak_kib = memory_kib(self.process.pid, "VmHWM")
                if time.monotonic() >= end:
                    text = f"Error: Task timed out after {invocation.timeout:.2f} seconds"
                    invocation.fail("Sandbox.Timedout", text)
                    self._kill()
                elif memory_kib(self.process.pid, "VmRSS") > limit_kib:
                    text = "Error: Runtime exited with error: signal: killed"
                    invocation.fail("Runtime.OutOfMemory", text)
                    self._kill()

    # -- logs -------------------------------------------------------------------------------

    def _logs_of(self, request_id: str, ms: float) -> str:
        """Returns what the function printed since last time, within Lambda's own lines.

        It publishes the metrics in it and appends it to the function's log file.
        """
        with self.log_path.open("rb") as log:
            log.seek(self._log_offset)
            output = log.read()
        self._log_offset += len(output)
        if self._log_offset > MAX_LOG and self.log_path.stat().st_size == self._log_offset:
            os.truncate(self.log_path, 0)  # the process appends: it goes on at the new end
            self._log_offset = 0
        peak = (memory_kib(self.process.pid, "VmHWM") or self._peak_kib) // 1024
        report = (
            f"REPORT RequestId: {request_id}\tDuration: {ms:.2f} ms\t"
            f"Billed Duration: {int(ms) + 1} ms\tMemory Size: {self.config.memory_size} MB\t"
            f"Max Memory Used: {peak} MB"
        )
        if self._init_ms is not None:
            report += f"\tInit Duration: {self._init_ms:.2f} ms"
            self._init_ms = None
        version = self.function_version.id
        text = output.decode(errors="replace").rstrip("\n")
        publish_metrics(text, version.account, version.region)
        start = f"START RequestId: {request_id} Version: {version.qualifier}"
        lines = [start, *([text] if text else []), f"END RequestId: {request_id}", report]
        if LOG_FOLDER:
            with (Path(LOG_FOLDER) / f"{version.function_name}.log").open("a") as log:
                log.write("\n".join(lines) + "\n")
        return "\n".join(lines)

    def get_logs(self) -> str:
        return self.log_path.read_text(errors="replace") if self.api else ""

    # -- addresses and code -----------------------------------------------------------------

    def get_address(self) -> str:
        return "127.0.0.1"

    def get_endpoint_from_executor(self) -> str:
        return "127.0.0.1"

    def get_runtime_endpoint(self) -> str:
        # Only Docker's init program calls this address; here results are returned in process.
        return f"http://127.0.0.1:{config.GATEWAY_LISTEN[0].port}/_localstack_lambda/{self.id}"

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        if code := function_version.config.code:
            code.prepare_for_execution()
        for layer in function_version.config.layers:
            layer.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        """Does nothing: LocalStack removes the unpacked code itself."""


def size_error() -> bytes:
    message = f"Response payload size exceeded maximum allowed payload size ({MAX_REPLY} bytes)."
    error = {"errorType": "Function.ResponseSizeTooLarge", "errorMessage": message}
    return json.dumps(error).encode()
