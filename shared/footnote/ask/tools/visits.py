"""Looks outside of the documents: what came is stored, waited for, and shown as passages."""

import time

from footnote.ask.evidence.passages import TOKEN_BUDGET
from footnote.ask.find.passages import find_passages
from footnote.ask.query.reading import QueryReading
from footnote.ask.tools.bench import Bench, CallOutcome, Outside
from footnote.ask.tools.places import open_span
from footnote.ask.tools.scratchpad import Scratchpad, Visit
from footnote.ask.write.quoted_places import section_at
from footnote.errors import BadRequestError
from footnote.model import Document, Errand, ErrandResult, Passage, Revision, SubQuestion
from footnote.prompts import fence_texts
from footnote.text.tokens import estimate_tokens

WAITING = "waiting"
"""The outcome of a visit whose file is stored, and not read yet."""
STILL_READ = (
    "What came is stored, and is being read. Make the same call in your next turn, or go on"
    " without it."
)


def outside_of(bench: Bench) -> Outside:
    """Returns what may be done outside. Raises BadRequestError where that is nothing."""
    if bench.outside is None:
        raise BadRequestError("nothing outside is open to you", action="Search the documents.")
    return bench.outside


def go(visit: Visit, errand: Errand, name: str, bench: Bench) -> tuple[Visit, ErrandResult]:
    """Has an errand done, and returns the visit with what came of it.

    `name` is of whom the look counts. Raises BadRequestError where the question has none left.
    """
    began = time.perf_counter()
    result = outside_of(bench).run(f"{name} {visit.tool} {visit.target}", errand)
    came = {
        "outcome": result.error.code if result.error else WAITING,
        "said": result.error.message if result.error else "",
        "key": result.key,
        "version": result.version,
        "size": result.size,
        "ms": _since(began),
    }
    return visit.model_copy(update=came), result


def show_visit(visit: Visit, wanted: str, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    """Waits for what a visit has stored, and shows it, or says why there is nothing."""
    earlier = scratchpad.visit_of(visit.tool, visit.target)
    visit = _wait(visit, bench)
    if visit != earlier:
        scratchpad = scratchpad.with_visit(visit)
    if visit.outcome == WAITING:
        return scratchpad, STILL_READ
    if visit.outcome != "READY":
        return scratchpad, say_why(visit)
    return _show(visit, wanted, scratchpad, bench)


def say_why(visit: Visit) -> str:
    """Returns why nothing came of a visit. The words may be another's, so they are fenced."""
    return f"Nothing came of it.\n{fence_texts({'why': f'{visit.outcome}: {visit.said}'})}"


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _wait(visit: Visit, bench: Bench) -> Visit:
    """Waits a little until a stored file is read. It stays WAITING if that takes longer."""
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
            "ms": round(visit.ms + _since(began), 1),
        }
    )


def _show(visit: Visit, wanted: str, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    """Shows a file that is read: all of it, or the passages that fit what is looked for."""
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
    what = "What fits in it" if is_long else "All of it"
    return after, f"{what}, now a document:\n{after.show_passages(numbers)}"


def _beginning(revision: Revision, document: Document) -> Passage:
    """Returns the place where a document begins, as a passage without text."""
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
