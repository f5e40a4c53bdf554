"""Reads the audit log for an operator, by rights of AWS: who did what to which document."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import Field

from footnote.errors import NotFoundError
from footnote.model import Value
from footnote.wiring.found_stack import find_stack

if TYPE_CHECKING:
    from footnote.wire import Json

type Kind = Literal["read", "asked", "deleted", "changed"]
ASKS = (
    "POST /search",
    "POST /questions",
    "POST /grids",
    "POST /v1/chat/completions",
    "MCP tools/call search",
    "MCP tools/call ask",
    "MCP tools/call grid",
)
CHANGES = ("/feedback", "/stop", "/fill")  # ends of routes that ask nothing
READS = (
    "GET ",
    "POST /documents/status",
    "MCP resources/",
    "MCP tools/call findings",
    "MCP tools/call open_section",
    "MCP tools/call list_documents",
)
DELETES = (
    "DELETE ",
    "POST /documents/<document>/erase",
    "POST /erasures/",
    "MCP tools/call remove_document",
)


class Deed(Value):
    """A line of the audit log, as docs/operations.md has its fields. `others` are those of ids."""

    moment: str
    kind: Kind
    act: str
    outcome: str
    tenant: str
    caller: str
    documents: tuple[str, ...] = ()
    others: dict[str, str] = Field(default_factory=dict)


class Wanted(Value):
    """Which lines are wanted. An empty field wants all. `since` and `until` are epoch seconds."""

    since: float
    until: float
    tenant: str = ""
    person: str = ""
    document: str = ""
    kind: str = ""

    def has(self, deed: Deed) -> bool:
        return (
            self.tenant in {"", deed.tenant}
            and self.person in {"", deed.caller}
            and self.kind in {"", deed.kind}
            and (not self.document or self.document in deed.documents)
        )


class Lines(Protocol):
    """The lines of a log group, oldest first."""

    def __call__(self, since: float, until: float, words: list[str]) -> Iterator[str]:
        """Yields lines of a time that have all the words; it may yield others besides."""
        ...


def kind_of(act: str) -> Kind:
    if act.startswith(DELETES):
        return "deleted"
    if act.startswith(READS):
        return "read"
    if act.startswith(ASKS) and not act.endswith(CHANGES):
        return "asked"
    return "changed"


def deeds(lines: Lines, wanted: Wanted) -> Iterator[Deed]:
    """Yields what was done, oldest first. Lines that are none of the audit log are passed over."""
    words = [word for word in (wanted.person, wanted.document) if word]
    for line in lines(wanted.since, wanted.until, words):
        deed = _deed(line)
        if deed and wanted.has(deed):
            yield deed


def _deed(line: str) -> Deed | None:
    try:
        told: Json = json.loads(line)
        told = told.get("audit", told)  # in a function's log it is a field
        ids = {"question", "grid", "session", "batch", "run", "page", "correlation_id"}
        others = {name: told[name] for name in sorted(ids & told.keys())}
        fields = {name: told[name] for name in Deed.model_fields if name in told}
        return Deed(**fields | {"kind": kind_of(told["act"]), "others": others})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def find_lines(stack: str) -> Lines:
    """Returns the audit log of the CloudFormation stack with this name, else of the local one.

    It is the functions' log where the stack has none of its own. Raises ConfigurationError where
    boto3 is not installed, or there is no stack.
    """
    found = find_stack(stack)
    from footnote.adapters.aws.cloudwatch_lines import CloudwatchLines

    try:
        group = found.look.resource("AuditLogs")
    except NotFoundError:
        group = found.look.resource("FunctionLogs")
    return CloudwatchLines(found.client("logs"), group)
