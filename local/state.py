"""What is known of a running stack: `stack.json` in its folder, read by the CLI and by tests."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

from local.paths import STACKS, stack_folder
from local.process import ProcessId, is_alive

NAME_MAX = 32


@dataclass(frozen=True)
class Stack:
    """Addresses and processes of a stack; after a deployment also what was deployed."""

    name: str
    aws_url: str
    opensearch_url: str
    region: str
    pids: dict[str, ProcessId]
    ready: bool = False
    api_url: str | None = None
    api_key: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return stack_folder(self.name)

    def dead(self) -> list[str]:
        """Services whose process is gone."""
        return [service for service, process in self.pids.items() if not is_alive(process)]

    def is_running(self) -> bool:
        return self.ready and not self.dead()


class StackError(Exception):
    """The stack cannot do what was asked; the message says why and what to do."""


def stack_file(name: str, stacks: Path = STACKS) -> Path:
    return stacks / name / "stack.json"


def check_name(name: str) -> str:
    """A name becomes a folder and part of AWS names."""
    if not (name.isascii() and name.isalnum() and name.islower() and len(name) <= NAME_MAX):
        message = f"stack name {name!r}: use up to {NAME_MAX} lower-case letters and digits"
        raise StackError(message)
    return name


def read_stack(name: str, stacks: Path = STACKS) -> Stack | None:
    """The stack as last written; None when there is none, or none that can be understood."""
    try:
        fields = json.loads(stack_file(name, stacks).read_text(encoding="utf-8"))
        pids = {service: ProcessId(**process) for service, process in fields.pop("pids").items()}
        return Stack(pids=pids, **fields)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_stack(stack: Stack, stacks: Path = STACKS) -> None:
    """Replace the file as a whole: a reader never sees half of it. It holds an API key."""
    path = stack_file(stack.name, stacks)
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(dataclasses.asdict(stack), indent=2), encoding="utf-8")
    part.replace(path)


def running_stack(name: str, stacks: Path = STACKS) -> Stack:
    """The stack, or an error that says how to start it."""
    stack = read_stack(name, stacks)
    if stack is None or not stack.is_running():
        message = f"stack {name!r} is not running. Start it with: make up"
        if name != "dev":
            message = message.replace("make up", f"python -m local.stack up --name {name}")
        raise StackError(message)
    return stack
