"""Long PDFs, read in parts by several invocations: stored parts, missing pages, the join."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from footnote.contracts import ParseRequest
from footnote.ingest.parse import parse, require_text
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.formats import PDF
from footnote.ingest.parse.media_types import media_type
from footnote.model import ParsedDocument, Revision
from footnote.ports import BlobStore
from footnote.store import keys

if TYPE_CHECKING:
    from footnote.ingest.parse.pdf.page_ranges import Part


def read(
    request: ParseRequest,
    body: bytes,
    allowance: Allowance,
    pages_a_part: int,
    artifacts: BlobStore,
) -> ParsedDocument | list[ParseRequest]:
    """Returns the document of a file, or a message for each part that is not read yet.

    Only a PDF that is too long for one invocation has parts. Raises
    BadDocumentError or UnsupportedError.
    """
    if not body.strip(b"\x00 \t\r\n") or media_type(body, request.path) != PDF:
        return parse(body, request.path, allowance)
    from footnote.ingest.parse.pdf.page_ranges import combine_parts, read_part, spans

    parts = spans(body, request.path, pages_a_part)
    messages = [request.model_copy(update={"part": span, "of": parts[-1][1]}) for span in parts]
    if len(messages) != 1:
        return messages or parse(body, request.path, allowance)
    part = read_part(body, request.path, allowance, parts[0])
    if part.last == messages[0].of:
        return require_text(combine_parts([part], request.path), PDF, request.path, allowance)
    _store(messages[0], part, artifacts)
    return next_messages(messages[0], artifacts)


def store_part(
    request: ParseRequest, body: bytes, allowance: Allowance, artifacts: BlobStore
) -> None:
    """Reads and stores missing pages of a part, as many as there is time for."""
    missing = pages_left(request, artifacts)
    if missing is None:
        return
    from footnote.ingest.parse.pdf.page_ranges import lost_part, read_part

    started = time.perf_counter()
    part = lost_part(missing) if request.lost else read_part(body, request.path, allowance, missing)
    part = part._replace(ms=round((time.perf_counter() - started) * 1000, 1))
    _store(request, part, artifacts)


def _store(request: ParseRequest, part: "Part", artifacts: BlobStore) -> None:
    from footnote.ingest.parse.pdf.page_ranges import dump_part

    artifacts.put(keys.part_key(request, part.first, part.last), dump_part(part))


def pages_left(request: ParseRequest, artifacts: BlobStore) -> tuple[int, int] | None:
    """Returns the pages of a part from its first missing one on; None if none is missing."""
    if request.part is None:
        return None
    first, last = request.part
    for stored in sorted(keys.stored_parts(artifacts, request)):
        if stored[0] <= first <= stored[1]:
            first = stored[1] + 1
    return (first, last) if first <= last else None


def next_messages(request: ParseRequest, artifacts: BlobStore) -> list[ParseRequest]:
    """Returns the messages after a part: its rest or, when no page is missing, the joining one.

    If several parts end at once, each may send the joining message: joining is idempotent.
    """
    if missing := pages_left(request, artifacts):
        return [request.model_copy(update={"part": missing, "lost": False})]
    if choose_parts(keys.stored_parts(artifacts, request), request.of) is None:
        return []
    return [request.model_copy(update={"part": None, "lost": False})]


def choose_parts(stored: Iterable[tuple[int, int]], pages: int) -> list[tuple[int, int]] | None:
    """Chooses parts that hold all pages, in order; None if a page is in none of them.

    A later part may begin inside an earlier one.
    """
    chosen: list[tuple[int, int]] = []
    reached = 0
    for span in sorted(stored, key=lambda span: (span[0], -span[1])):
        if span[0] > reached + 1:
            return None
        if span[1] > reached:
            chosen.append(span)
            reached = span[1]
    return chosen if reached >= pages else None


def join_stored(
    request: ParseRequest, allowance: Allowance, artifacts: BlobStore
) -> tuple[ParsedDocument, float] | None:
    """Returns the document and the milliseconds that its parts took; None if pages are missing.

    Raises BadDocumentError.
    """
    from footnote.ingest.parse.pdf.page_ranges import combine_parts, load_part

    parts = choose_parts(keys.stored_parts(artifacts, request), request.of)
    if parts is None:
        return None
    loaded, reached, texts = [], 0, dict[str, str]()
    for first, last in parts:
        body = artifacts.get(keys.part_key(request, first, last))
        loaded.append(load_part(body, reached, texts))
        reached = last
    parsed = require_text(combine_parts(loaded, request.path), PDF, request.path, allowance)
    return parsed, sum(part.ms for part in loaded)


def clear_parts(revision: Revision, artifacts: BlobStore) -> None:
    """Deletes the parts once the document is stored."""
    parts = keys.stored_parts(artifacts, revision)
    artifacts.delete([keys.part_key(revision, *part) for part in parts])
