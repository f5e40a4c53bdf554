"""Tools that look outside of the documents: each is off unless the deployment has switched it on.

What is fetched becomes a document of its own before anybody reads it. It is then cited like any.
"""

import time
from collections.abc import Mapping

from pydantic import Field

from footnote.ask.evidence.passages import TOKEN_BUDGET
from footnote.ask.find.passages import find_passages
from footnote.ask.query.reading import QueryReading
from footnote.ask.tools.bench import Bench, CallOutcome, ToolRow, tool_row
from footnote.ask.tools.places import open_span
from footnote.ask.tools.scratchpad import Scratchpad, Visit
from footnote.ask.write.quoted_places import section_at
from footnote.errors import BadRequestError
from footnote.model import Document, Errand, ErrandResult, Passage, Revision, SubQuestion
from footnote.outside.hosts import may_fetch
from footnote.prompts import fence_texts
from footnote.prompts.shapes import Shape
from footnote.text.tokens import estimate_tokens

WAITING = "waiting"
"""The outcome of a visit whose page is stored, and not read yet."""
STILL_READ = (
    "The page is stored, and is being read. Call `fetch` with the same address in your next turn,"
    " or go on without it."
)


class FetchCall(Shape):
    """Fetches a page of the web and makes it a document. `url` must stand, as it is, in the
    question or in what you were shown. `looking_for` says what you want to find in it.
    """

    url: str = Field(min_length=1, max_length=1500)
    looking_for: str = Field(min_length=1, max_length=1000)


def fetch_page(call: FetchCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    earlier = scratchpad.visit_of("fetch", call.url)
    visit = _wait(earlier or _fetch(call, scratchpad, bench), bench)
    if visit != earlier:
        scratchpad = scratchpad.with_visit(visit)
    if visit.outcome == WAITING:
        return scratchpad, STILL_READ
    if visit.outcome != "READY":
        why = fence_texts({"why": f"{visit.outcome}: {visit.said}"})
        return scratchpad, f"There is nothing of this page.\n{why}"
    return _show(visit, call.looking_for, scratchpad, bench)


def _fetch(call: FetchCall, scratchpad: Scratchpad, bench: Bench) -> Visit:
    """Has a page fetched and stored. Raises BadRequestError for an address that is not allowed."""
    outside = bench.outside
    shown = [text for passage in scratchpad.passages for _, text in passage.parts()]
    if outside is None or not may_fetch(call.url, outside.hosts, shown, outside.asked):
        raise BadRequestError(
            "only an address that stands, as it is, in the question or in what you were shown, on"
            " a host that is open to you, may be fetched",
            action="Search the documents instead.",
        )
    errand = Errand(kind="page", tenant=bench.scope.tenant, readers=outside.readers, url=call.url)
    began = time.perf_counter()
    result = outside.run(f"{scratchpad.sub_question} {call.url}", errand)
    return _visit("fetch", call.url, result, began)


def _visit(tool: str, target: str, result: ErrandResult, began: float) -> Visit:
    return Visit(
        tool=tool,
        target=target,
        outcome=result.error.code if result.error else WAITING,
        said=result.error.message if result.error else "",
        key=result.key,
        version=result.version,
        size=result.size,
        ms=round((time.perf_counter() - began) * 1000, 1),
    )


def _wait(visit: Visit, bench: Bench) -> Visit:
    """Waits a little until a stored page is read. It stays WAITING if that takes longer."""
    began = time.perf_counter()
    outside = bench.outside if visit.outcome == WAITING else None
    record = outside.wait(visit.revision) if outside else None
    if record is None:
        return visit
    error = record.error
    return visit.model_copy(
        update={
            "outcome": "READY" if record.status == "READY" else error.code if error else "gone",
            "said": error.message if error else "",
            "ms": round(visit.ms + (time.perf_counter() - began) * 1000, 1),
        }
    )


def _show(visit: Visit, wanted: str, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    """Shows a page that is read: all of it, or the passages that fit what is looked for."""
    revision = visit.revision
    document = bench.document(revision.document_id, revision.version)
    beginning = _beginning(revision, document)
    passages = [open_span(beginning, document, (0, len(document.text)), TOKEN_BUDGET)]
    is_long = estimate_tokens(document.text) > TOKEN_BUDGET
    if is_long and scratchpad.ledger.searches < bench.searches:
        sub = SubQuestion(id=scratchpad.sub_question, text=wanted)
        ids = {revision.document_id: revision.path}
        scope = bench.scope.model_copy(update={"document_ids": ids})
        evidence = find_passages(sub, QueryReading(wanted), scope, (), bench.ports).evidence
        scratchpad = scratchpad.after_search(evidence)
        passages = list(evidence.passages) or passages
    after, numbers = scratchpad.with_passages(passages)
    what = "What fits in the page" if is_long else "The page"
    return after, f"{what}, now a document:\n{after.show_passages(numbers)}"


def _beginning(revision: Revision, document: Document) -> Passage:
    """Returns the place where a page's document begins, as a passage without text."""
    return Passage(
        document_id=revision.document_id,
        document=revision.path,
        collection=revision.collection,
        version=revision.version,
        title=document.title,
        section=section_at(document, 0),
        pages=(),
        start=0,
        end=0,
        text="",
        score=1.0,
    )


OUTSIDE_TOOLS: Mapping[str, ToolRow] = {"fetch": tool_row(FetchCall, fetch_page)}
"""The tools that look outside. A model is given those that its question's `Outside` offers."""
