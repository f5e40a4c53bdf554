"""Reads and writes `stack.json`, the record of a running stack that the CLI and tests use."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

from local.paths import STACKS, stack_folder
from local.process import ProcessId, is_alive

NAME_MAX = 32


@dataclass(frozen=True)
class Stack:
    """A stack's addresses and processes; after a deployment also its outputs and API key."""

    name: str
    aws_url: str
    opensearch_url: str
    region: str
    pids: dict[str, ProcessId]
    ready: bool = False
    gate_url: str | None = None  # where functions reach OpenSearch; None: as everybody does
    api_url: str | None = None
    api_key: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return stack_folder(self.name)

    def dead(self) -> list[str]:
        """Returns the services whose process is gone."""
        return [service for service, process in self.pids.items() if not is_alive(process)]

    def is_running(self) -> bool:
        return self.ready and not self.dead()


class StackError(Exception):
    """Raised when a stack cannot do what was asked; the message says why and what to do."""


def stack_file(name: str, stacks: Path = STACKS) -> Path:
    return stacks / name / "stack.json"


def check_name(name: str) -> str:
    """Returns the name if it can be a folder and part of AWS names, else raises StackError."""
    if not (name.isascii() and name.isalnum() and name.islower() and len(name) <= NAME_MAX):
        message = f"stack name {name!r}: use up to {NAME_MAX} lower-case letters and digits"
        raise StackError(message)
    return name


def read_stack(name: str, stacks: Path = STACKS) -> Stack | None:
    """Returns the stack as last written; None when its file is missing or cannot be read."""
    try:
        fields = json.loads(stack_file(name, stacks).read_text(encoding="utf-8"))
        pids = {service: ProcessId(**process) for service, process in fields.pop("pids").items()}
        return Stack(pids=pids, **fields)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_stack(stack: Stack, stacks: Path = STACKS) -> None:
    """Replaces the file at once, so that no reader sees half of it.

    Only its owner may read it: it holds an API key.
    """
    path = stack_file(stack.name, stacks)
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(dataclasses.asdict(stack), indent=2), encoding="utf-8")
    part.replace(path)


def running_stack(name: str, stacks: Path = STACKS) -> Stack:
    """Returns the stack if it runs, else raises StackError, which says how to start it."""
    stack = read_stack(name, stacks)
    if stack is None or not stack.is_running():
        message = f"stack {name!r} is not running. Start it with: make up"
        if name != "dev":
            message = message.replace("make up", f"python -m local.stack up --name {name}")
        raise StackError(message)
    return stack
