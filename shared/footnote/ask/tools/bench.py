"""What a tool is: the shape of its arguments, what runs a call, and what it may work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from footnote.ask.find.ports import Ports
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.model import Acl, Document, Errand, ErrandResult, Record, Revision, Scope
from footnote.prompts.shapes import Shape

type CallOutcome = tuple[Scratchpad, str]
"""The scratchpad after a call, and what the model is answered."""


@dataclass(frozen=True)
class Outside:
    """What a question's tools may do outside of the documents.

    `offered` are the names of the tools, `hosts` those whose pages may be fetched, `asked` are the
    asker's words. `readers` may read what is stored. `run` does an errand; the same name does not
    count twice, and it raises BadRequestError when nothing is left. `wait` waits a little for a
    stored file, and returns its record once it was read.
    """

    offered: frozenset[str]
    hosts: tuple[str, ...]
    asked: str
    readers: Acl
    run: Callable[[str, Errand], ErrandResult]
    wait: Callable[[Revision], Record | None]


@dataclass(frozen=True)
class Bench:
    """What the tools work with: the question's scope and the ports."""

    scope: Scope
    ports: Ports
    document: Callable[[str, str], Document]
    searches: int  # the question's cap
    turns: int  # the question's cap for each sub-question
    outside: Outside | None = None


class ToolRow(NamedTuple):
    """The shape of a tool's arguments, and what runs a call that has it."""

    shape: type[Shape]
    run: Callable[[Mapping[str, object], Scratchpad, Bench], CallOutcome]


def tool_row[Call: Shape](
    shape: type[Call], run: Callable[[Call, Scratchpad, Bench], CallOutcome]
) -> ToolRow:
    """Makes a row of the table of tools, whose calls are validated before they run."""
    return ToolRow(
        shape,
        lambda arguments, scratchpad, bench: run(
            shape.model_validate(arguments), scratchpad, bench
        ),
    )
