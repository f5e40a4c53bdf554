"""The command line of the local stack: up, down, status, logs, deploy, dev, run.

usage: python -m local.stack COMMAND [--name dev]
"""

import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress

from local import lifecycle
from local.answers import Answers, advice, ask_parts
from local.logs import show_logs
from local.paths import LOGS, READABLE, stack_folder
from local.process import find_marked, memory_mib, unwinding
from local.state import Stack, StackError, check_name, read_stack, running_stack
from local.steps import say


def up(options: argparse.Namespace) -> int:
    lifecycle.up(options.name)
    return 0


def down(options: argparse.Namespace) -> int:
    known = lifecycle.down(options.name)
    say(f"stack {options.name} is down" if known else f"there is no stack {options.name}")
    return 0


def status(options: argparse.Namespace) -> int:
    """Prints the stack's state; exits with 0 when it runs and all of it answers, else 1."""
    stack = read_stack(options.name)
    running = stack is not None and stack.is_running()
    problems = ask_parts(stack) if stack is not None and running else {}
    if options.json:
        known = dataclasses.asdict(stack) if stack else {"name": options.name}
        print(json.dumps({**known, "running": running, "problems": problems}))
    elif stack is None:
        say(f"stack {options.name} is down")
    else:
        for line in describe(stack, problems):
            say(line)
    return 0 if running and not any(problems.values()) else 1


def describe(stack: Stack, problems: Answers) -> list[str]:
    """Returns lines about the stack; `problems` is what its parts answered, if it runs."""
    memory = sum(memory_mib(process) for process in find_marked(stack.folder))
    places = {
        "AWS": stack.aws_url,
        "OpenSearch": stack.opensearch_url,
        "API": stack.api_url or "not deployed: make deploy",
    }
    ill = any(problems.values())
    parts = (f"  {part:<11} {url}  {problems.get(part, '')}" for part, url in places.items())
    return [
        f"stack {stack.name} is {summary(stack, problems)}, {memory} MiB",
        *(line.rstrip() for line in parts),
        *([advice(stack)] if ill else []),
    ]


def summary(stack: Stack, problems: Answers) -> str:
    if not stack.is_running():
        return f"broken ({', '.join(stack.dead()) or 'half started'})"
    silent = [part for part, problem in problems.items() if problem]
    return f"ill ({', '.join(silent)})" if silent else "up"


def logs(options: argparse.Namespace) -> int:
    show_logs(options.name, options.what, follow=options.follow)
    return 0


def deploy(options: argparse.Namespace) -> int:
    from local.deploy import deploy_stack  # noqa: PLC0415 - boto3 costs `up` and `status` time

    deploy_stack(running_stack(options.name))
    return 0


def dev(options: argparse.Namespace) -> int:
    from local.develop import develop  # noqa: PLC0415 - as above

    develop(running_stack(options.name))
    return 0


def run(options: argparse.Namespace) -> int:
    """Runs one command on a fresh stack; takes the stack down, keeps exit code and logs."""
    lifecycle.down(options.name)
    try:
        lifecycle.up(options.name)
        deploy(options)
        environ = {**os.environ, "FOOTNOTE_STACK": options.name}
        return subprocess.call(options.command, env=environ)
    finally:
        kept = LOGS / options.name
        shutil.rmtree(kept, ignore_errors=True)
        with suppress(FileNotFoundError):  # no folder: the stack could not begin to start
            shutil.copytree(stack_folder(options.name) / "logs", kept)
        lifecycle.down(options.name)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m local.stack", description=__doc__)
    commands = top.add_subparsers(required=True)
    for command, text in (
        (up, "start it, or say that it runs"),
        (down, "stop it and forget everything"),
        (status, "what runs where"),
        (logs, "what its servers and functions print"),
        (deploy, "build and deploy template.yaml"),
        (dev, "run functions from this checkout until Ctrl-C: edits count at once"),
        (run, "a command on a fresh stack that is taken down after it"),
    ):
        one = commands.add_parser(command.__name__, help=text)
        one.add_argument("--name", default="dev", type=check_name, help="default: dev")
        one.set_defaults(work=command)
        if command is status:
            one.add_argument("--json", action="store_true")
        if command is logs:
            one.add_argument("what", nargs="?", help="opensearch, localstack, or a function")
            one.add_argument("-f", "--follow", action="store_true")
        if command is run:
            one.add_argument("command", nargs=argparse.REMAINDER, help="after --")
    return top


def main() -> int:
    os.umask(READABLE)
    try:
        options = parser().parse_args()
        if options.work is run:
            options.command = options.command[options.command[:1] == ["--"] :]
        with unwinding():
            return int(options.work(options))
    except (StackError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
