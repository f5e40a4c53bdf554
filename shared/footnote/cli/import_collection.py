"""Imports an export: documents with their attributes and acl, each compared once it is there."""

import json
import time
from collections.abc import Callable
from functools import partial
from itertools import batched
from typing import TYPE_CHECKING, NamedTuple

from footnote.cli.document_lines import print_refusal
from footnote.cli.exported_folder import Entry, ExportedFolder, check_name
from footnote.cli.progress import AddProgress, AddTotals
from footnote.cli.upload import send_in_parallel
from footnote.client import Client
from footnote.errors import BadRequestError, ConflictError, FootnoteError, NotFoundError
from footnote.metadata.attributes import SUFFIX
from footnote.metadata.sidecar import MAX_BYTES, parse_sidecar
from footnote.model import TERMINAL
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.cli.exported_artifacts import Carrier

AT_ONCE = 100  # documents that are sent, then waited for; the API looks up no more at a time
LOOKS, PAUSE = 20, 0.5  # at a document whose sidecar is not in effect yet, and seconds between two


class Target(NamedTuple):
    """Where an import goes, and whether it may replace documents that are there.

    With a carrier, files are not read anew where what was read of them fits.
    """

    client: Client
    collection: str
    replace: bool
    pause: Callable[[float], None] = time.sleep
    carrier: "Carrier | None" = None


def import_collection(
    folder: ExportedFolder, target: Target, progress: AddProgress | AddTotals
) -> Json:
    """Sends what a finished export holds and is not there yet. Returns ended and refused ones.

    A document that is there with the same SHA-256, attributes and acl is left alone. So an import
    that was interrupted goes on. One that differs is refused unless `replace`.
    """
    report: Json = {"documents": [], "refused": [], "unchanged": [], "carried": []}
    for some in batched(folder.entries(), AT_ONCE, strict=False):
        added = _send_all(folder, target, list(some), report["refused"], progress)
        ended = target.client.wait(added, progress.note)
        report["unchanged"] += [item["document"] for item in added if item["same"]]
        sent = {item["document"] for item in added if not item["same"]}
        records = {record["document"]: record for record in ended}
        for entry in some:
            if entry.document in sent:
                record = records[entry.document]
                report["documents"].append(record)
                _note_difference(entry, record, target, report["refused"])
                if target.carrier and record["status"] == "READY":
                    report["carried"].append(target.carrier.outcome(entry))
    return report


def _send_all(
    folder: ExportedFolder,
    target: Target,
    entries: list[Entry],
    refused: list[Json],
    progress: AddProgress | AddTotals,
) -> list[Json]:
    """Sends some documents in parallel, and returns what was accepted."""
    added: list[Json] = []
    jobs = [(entry.document, partial(_send, folder, target, entry)) for entry in entries]
    send_in_parallel(jobs, added, refused, progress)
    return added


def _send(folder: ExportedFolder, target: Target, entry: Entry) -> Json:
    """Sends a document after its sidecar, unless it is there. Raises an error where it cannot."""
    client, collection = target.client, target.collection
    check_name(entry.document)
    if not folder.holds(entry):
        raise BadRequestError(
            f"the original of {entry.document} is missing, unreadable, or not the exported file",
            code="changed_file",
            action="Run the export again; it fetches what is missing or damaged.",
        )
    there = _find(client, entry.document, collection)
    if there:
        if _is_equal(entry, there) and client.is_made_of(entry.sha256, entry.document, collection):
            return _unchanged(there)
        if there["searchable"] and not target.replace:
            raise differs(entry.document, "another document of this name is there")
    sidecar = _sidecar(entry, there)
    if sidecar:
        client.add_text(entry.document + SUFFIX, sidecar, collection)
    if target.carrier:
        target.carrier.lay(entry)
    return client.add(folder.file(entry.sha256), entry.document, collection, again=True)


def _find(client: Client, document: str, collection: str) -> Json | None:
    """Returns a document once no work on it is left, or None where there is none."""
    try:
        record = client.document(document, collection)
    except NotFoundError:
        return None
    if record["status"] not in TERMINAL:
        record = client.wait([{**record, "version": ""}], lambda _: None)[0]
    return None if record["status"] == "DELETED" else record


def _unchanged(record: Json) -> Json:
    named = {field: record[field] for field in ("id", "document", "collection", "version")}
    return named | {"sidecar": False, "same": True}


def _is_equal(entry: Entry, record: Json) -> bool:
    """Tells whether a document has all attributes of an entry, and just its acl.

    It may have more attributes: another release may read more of a file.
    """
    return (_groups(entry.acl) == _groups(record["acl"])) and all(
        record["metadata"].get(name) == value for name, value in entry.metadata.items()
    )


def _groups(acl: list[str] | tuple[str, ...] | None) -> set[str] | None:
    return None if acl is None else set(acl)


def _sidecar(entry: Entry, there: Json | None) -> str:
    """Returns the sidecar that gives a document its attributes and acl, or "" where it needs none.

    Raises BadRequestError for one that could not be used: it would close its document.
    """
    if entry.acl is None and not entry.metadata and (there is None or there["acl"] is None):
        return ""
    content: Json = {"metadataAttributes": dict(entry.metadata)}
    if entry.acl is not None:
        content |= {"acl": list(entry.acl)}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    body = text.encode()
    problem = parse_sidecar(body, "").problem
    if len(body) > MAX_BYTES:
        problem = f"It would have {len(body):,} bytes; the limit is {MAX_BYTES:,}."
    if problem:
        raise BadRequestError(
            f"{entry.document} has attributes or an acl that no sidecar takes. {problem}",
            code="bad_metadata",
            action="Add it by hand, with fewer attributes.",
        )
    return text


def _note_difference(entry: Entry, record: Json, target: Target, refused: list[Json]) -> None:
    """Notes and prints a document that has arrived, but is not what was exported."""
    if record["status"] != "READY":
        return
    try:
        _must_equal(entry, record, target)
    except FootnoteError as error:
        refused.append({"document": entry.document, "error": error.problem.model_dump()})
        print_refusal(entry.document, error)


def _must_equal(entry: Entry, record: Json, target: Target) -> None:
    """Raises ConflictError unless the document is what was exported, now or in a while.

    A sidecar of a document that was there before takes effect a little later.
    """
    client, collection = target.client, target.collection
    if not client.is_made_of(entry.sha256, entry.document, collection):
        raise differs(entry.document, "it was made of another file")
    for _ in range(LOOKS):
        if _is_equal(entry, record):
            return
        target.pause(PAUSE)
        record = client.document(entry.document, collection)
    raise differs(entry.document, "its attributes or its acl are others")


def differs(document: str, why: str) -> ConflictError:
    return ConflictError(
        f"{document} is not as it was exported: {why}",
        code="document_differs",
        action="Look which of the two is right. --replace takes the exported one.",
    )
