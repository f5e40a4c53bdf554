"""An item of the documents table: what it holds, and the expressions that change it."""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from aws_lambda_powertools import Logger

from footnote.adapters.rules.catalog import UNFINISHED
from footnote.adapters.rules.limits import PlainValue
from footnote.errors import UnreadableError
from footnote.model import Acl, Record, Sidecar, Status

logger = Logger(service="footnote")

DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, zlib.error)
"""What validation and unpacking raise for a record that is damaged."""

IF_STORABLE = (
    "attribute_not_exists(#document_id)"
    " OR (#fence < :fence AND (#version <> :version OR #status = :deleted"
    " OR begins_with(#version, :no_version)))"
)
IF_RETRIABLE = "#fence = :fence AND #status IN (:failed, :unsupported)"
IF_REMOVABLE = "attribute_not_exists(#document_id) OR #fence <= :fence"
IF_SERVING, IF_SERVING_NONE = "#live_version = :serving", "attribute_not_exists(#live_version)"
IF_CURRENT = "#fence = :fence"
IF_REOPENABLE = "#fence = :fence AND #status IN (:ready, :failed, :unsupported)"
IF_UNCHANGED = "#key = :key AND (#annotation = :before OR attribute_not_exists(#annotation))"
IF_OPEN = "#fence = :fence AND (NOT #status IN (:ready, :deleted) OR #status = :status)"

SET_ORIGIN = ", #origin = if_not_exists(#origin, if_not_exists(#sequencer, :sequencer))"
"""Sets a new item's `origin` to its own sequencer.

An older item without `origin` takes the sequencer that it holds, as an event came before this one.
"""

REMOVE_FACTS = (
    " REMOVE #error, #title, #media_type, #language, #content, #pages, #tokens, #chunks,"
    " #parts, #parts_done, #requeued, #warnings, #usd, #lines_missing, #metadata"
)
"""Removes the facts that an earlier version or attempt has left."""

MARKS = "0123456789abcdef"
"""Keys of the index `unfinished`: the first digits of ids, so that its writes are spread."""

SUMS = {"usd", "lines_missing"}
"""Facts that are added to the stored value instead of replacing it."""
ADD_SUMS = " ADD #lines_missing :lines_missing, #usd :usd"


def mark_unfinished(
    change: str, status: Status, document_id: str
) -> tuple[str, dict[str, PlainValue]]:
    """Returns a change to this status that also puts the item in the index `unfinished`, or out.

    The index holds items that have its key, and no other: it is as large as the work in progress.
    Returns the operand that the change needs besides.
    """
    if status in UNFINISHED:
        marked = change.replace("SET ", "SET #unfinished = :unfinished, ", 1)
        return marked, {"unfinished": document_id[0]}
    if " REMOVE " in change:
        return change.replace(" REMOVE ", " REMOVE #unfinished, ", 1), {}
    return f"{change} REMOVE #unfinished", {}


def set_expression(new: Mapping[str, PlainValue]) -> str:
    return "SET " + ", ".join(f"#{name} = :{name}" for name in new)


def set_timings(timings: Mapping[str, float]) -> str:
    """Continues a SET expression: it sets one member of the map `timings_ms` for each timing.

    Members that are stored already stay.
    """
    return "".join(f", #timings_ms.#step{n} = :step{n}" for n in range(len(timings)))


def sidecar_attributes(sidecar: Sidecar) -> dict[str, PlainValue]:
    """Returns the attributes that hold a sidecar."""
    return {
        "sidecar": sidecar.model_dump_json(),
        "acl": None if sidecar.acl is None else list(sidecar.acl),
    }


def acl_of(stored: Mapping[str, PlainValue]) -> Acl:
    """Returns an item's acl. An item stored before acls existed has none."""
    acl = stored.get("acl")
    return tuple(map(str, acl)) if isinstance(acl, list) else None


def record_of(stored: Mapping[str, PlainValue]) -> Record:
    """Reads an item. Raises UnreadableError for one that this release cannot read."""
    with reading(f"document {stored.get('document_id')}"):
        return _record_of(stored)


def readable[Found](
    read: Callable[[Mapping[str, PlainValue]], Found], items: Iterable[Mapping[str, PlainValue]]
) -> Iterator[Found]:
    """Reads each item with `read`. Logs and skips those for which it raises UnreadableError."""
    for item in items:
        try:
            yield read(item)
        except UnreadableError as error:
            logger.exception("record left out", code=error.code, reason=error.reason)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raises UnreadableError where a record cannot be unpacked or validated.

    The log gets the name of the exception, but no value of the record.
    """
    try:
        yield
    except DAMAGE as error:
        detail = f"{what} cannot be read: {type(error).__name__}"
        raise UnreadableError(f"{what} cannot be read", detail=detail) from None


def _record_of(stored: Mapping[str, PlainValue]) -> Record:
    fields = {name: value for name, value in stored.items() if name in Record.model_fields}
    parts = stored.get("parts_done")
    as_json = [name for name in ("metadata", "sidecar") if name in fields]
    parsed = {name: json.loads(str(fields[name])) for name in as_json}
    return Record.model_validate(
        fields | parsed | {"parts_done": sorted(parts) if isinstance(parts, frozenset) else ()}
    )
