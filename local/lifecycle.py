"""Starts and stops a stack as one unit: all of its servers run, or none."""

import dataclasses
import fcntl
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from local import localstack, opensearch
from local.answers import advice, ask_parts
from local.java import require_java
from local.paths import HOME, server_folder, stack_folder
from local.process import ProcessId, end, find_marked, is_alive
from local.state import Stack, StackError, read_stack, write_stack
from local.steps import say

READY_SECONDS = 600
GRACE_SECONDS = 5.0
POLL_SECONDS = 0.1
LAST_LINES = 12

# A second stack, or one on a machine where these ports are taken, gets the next free ones.
FIRST_AWS_PORT = 4566
FIRST_OPENSEARCH_PORT = 9250
PORT_TRIES = 100


@contextmanager
def lock(work: str) -> Iterator[None]:
    """Lets one command at a time do this work in this checkout; others wait."""
    HOME.mkdir(exist_ok=True)
    with (HOME / f"{work.replace(' ', '-')}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another command to finish its {work} ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return True
    return False


def free_port(first: int) -> int:
    for port in range(first, first + PORT_TRIES):
        if is_free(port):
            return port
    message = f"no free port from {first} to {first + PORT_TRIES - 1}. Stop what uses them."
    raise StackError(message)


def choose_ports() -> tuple[int, int, int, int]:
    """Returns free ports for AWS, OpenSearch, its transport and the gate before it.

    With STACK_PORTS set in the environment, all of them are searched from that port on.
    """
    if first := os.environ.get("STACK_PORTS"):
        aws = free_port(int(first))
        http = free_port(aws + 1)
        transport = free_port(http + 1)
        return aws, http, transport, free_port(transport + 1)
    http = free_port(FIRST_OPENSEARCH_PORT)
    transport = free_port(http + PORT_TRIES)
    return free_port(FIRST_AWS_PORT), http, transport, free_port(transport + PORT_TRIES)


def up(name: str) -> Stack:
    """Returns the running stack of this name; starts it fresh unless all of it is alive."""
    stack = read_stack(name)
    if stack is not None and stack.is_running():
        return confirm(stack)
    with lock("start or stop"):
        stack = read_stack(name)
        if stack is not None and stack.is_running():  # started while we waited
            return confirm(stack)
        if stack_folder(name).exists():
            say(restart_reason(stack))
            stop(name)
        return start_stack(name)


def confirm(stack: Stack) -> Stack:
    """Returns the running stack if its servers answer, else raises StackError.

    It is not started afresh: that would delete what is in it.
    """
    problems = ask_parts(dataclasses.replace(stack, api_url=None))
    if wrong := [f"{part} {problem}" for part, problem in problems.items() if problem]:
        message = f"stack {stack.name} runs, but {'; '.join(wrong)}.\n{advice(stack)}"
        raise StackError(message)
    say(f"stack {stack.name} is up: {stack.aws_url}")
    return stack


def restart_reason(stack: Stack | None) -> str:
    if stack is None or not stack.ready:
        return "the last start did not finish: starting fresh"
    return f"{' and '.join(stack.dead())} ended: starting everything fresh, with empty data"


def start_stack(name: str) -> Stack:
    """Starts both servers and waits until they answer; on failure or Ctrl-C ends both."""
    java = require_java()
    state = stack_folder(name)
    (state / "logs").mkdir(parents=True)
    aws, http, transport, door = choose_ports()
    opensearch_url = f"http://127.0.0.1:{http}"
    judged = localstack.is_enforced()
    judging = localstack.gate(state, door, opensearch_url) if judged else {}
    with ExitStack() as undo:
        undo.callback(end_processes, state)
        pids = {
            "opensearch": opensearch.start_opensearch(name, state, java, http, transport),
            "localstack": localstack.start_localstack(state, java, aws, judging),
        }
        stack = Stack(
            name=name,
            aws_url=f"http://127.0.0.1:{aws}",
            opensearch_url=opensearch_url,
            gate_url=f"http://127.0.0.1:{door}" if judged else None,
            region=localstack.REGION,
            pids=pids,
        )
        write_stack(stack)
        wait_until_ready(stack)
        stack = dataclasses.replace(stack, ready=True)
        write_stack(stack)
        undo.pop_all()
    return stack


def wait_until_ready(stack: Stack) -> None:
    opensearch_pid = stack.pids["opensearch"].pid
    checks: dict[str, Callable[[], bool]] = {
        "opensearch": lambda: opensearch.is_ready(stack.opensearch_url, opensearch_pid),
        "localstack": lambda: localstack.is_answering(localstack.ready_request(stack.aws_url)),
    }
    with ThreadPoolExecutor(len(checks)) as pool:
        waits = [
            pool.submit(wait_for, service, stack.pids[service], check, stack.folder / "logs")
            for service, check in checks.items()
        ]
        for waiting in waits:
            waiting.result()


def wait_for(service: str, process: ProcessId, check: Callable[[], bool], logs: Path) -> None:
    started = time.monotonic()
    log = logs / f"{service}.log"
    while True:
        answers = check()  # first: what ended meanwhile has not answered, another server has
        ended = not is_alive(process)
        if answers and not ended:
            break
        if ended or time.monotonic() - started > READY_SECONDS:
            what = "ended" if ended else f"was not ready after {READY_SECONDS} s"
            last = "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])
            message = f"{service} {what}. Its log ends:\n{last}\nAll of it: {log}"
            raise StackError(message)
        time.sleep(POLL_SECONDS)
    say(f"  {service:<12} ready {time.monotonic() - started:5.1f} s")


def end_processes(state: Path) -> None:
    """Ends every process of a stack, even one whose parent is gone."""
    end(find_marked(state), grace_seconds=GRACE_SECONDS)
    end(find_marked(state), grace_seconds=0)  # those that were started while the others ended


def stop(name: str) -> None:
    """Ends the processes and deletes data, logs and addresses."""
    if stack := read_stack(name):
        end(stack.pids.values(), grace_seconds=GRACE_SECONDS)
    end_processes(stack_folder(name))
    shutil.rmtree(server_folder(name).parent, ignore_errors=True)
    shutil.rmtree(stack_folder(name), ignore_errors=True)


def down(name: str) -> bool:
    """Stops a stack; returns False when there was none."""
    with lock("start or stop"):
        known = stack_folder(name).exists() or bool(find_marked(stack_folder(name)))
        stop(name)
        return known
