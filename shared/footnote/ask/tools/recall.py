"""Recalls findings of earlier questions: what fits a new one is read anew, as more passages.

A finding only leads to a place. Its document must be live and open to the asker, and lie in the
question's scope; the text comes from the store.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from footnote.ask.tools.bench import Bench
from footnote.ask.tools.established import keep_live, read_findings
from footnote.ask.tools.places import open_span, span_of
from footnote.ask.write.quoted_places import section_at
from footnote.errors import NotFoundError
from footnote.model import (
    Document,
    Finding,
    FindingPlace,
    Passage,
    QuestionRecord,
    Scope,
    SubQuestion,
    covers,
)
from footnote.ports import BlobStore, Questions
from footnote.text.terms import numbers, terms
from footnote.text.tokens import estimate_tokens

FITS = 0.6  # share of a sub-question's terms that a finding must have
MOST = 3  # passages that one sub-question recalls
TOKENS = 300  # of such a passage
SCORE = 0.5  # among hits, whose best has 1: what is searched for anew counts more
NEWEST = 50  # questions of a tenant that are looked through, where findings are shared
MOST_QUESTIONS = 3  # whose findings are then read


def recall(
    record: QuestionRecord,
    sub: SubQuestion,
    bench: Bench,
    artifacts: BlobStore,
    shared: Questions | None = None,
) -> list[Passage]:
    """Returns passages of earlier findings that fit a sub-question, the best first.

    They are those of the session. With `shared` they are those of the tenant's newest questions as
    well, as far as the asker may read these. A scope with filters recalls nothing: what its
    documents' attributes are is known to the index alone.
    """
    scope = bench.scope
    if sub.where or scope.filters or scope.all_of or scope.any_of or scope.none_of:
        return []
    findings = list(read_findings(artifacts, record.after))
    for question_id in _others(record, sub, shared) if shared else ():
        findings += read_findings(artifacts, question_id)
    fitting = [one for one in findings if fit(sub.text, _text_of(one)) >= FITS]
    live = keep_live(fitting, bench.ports.catalog, scope.groups)
    live.sort(key=lambda one: -fit(sub.text, _text_of(one)))
    places = dict.fromkeys(place for one in live for place in one.places)
    inside = (place for place in places if _is_inside(place, scope, sub))
    return list(islice(_read(inside, bench), MOST))


def fit(question: str, text: str) -> float:
    """Returns the share of a question's terms that a text has; 0 where it lacks a figure of it."""
    wanted = set(terms(question))
    if not wanted or not numbers(question) <= numbers(text):
        return 0.0
    return len(wanted & set(terms(text))) / len(wanted)


def _others(record: QuestionRecord, sub: SubQuestion, questions: Questions) -> list[str]:
    """Returns the ids of a tenant's newest questions whose words fit, and that may be read."""
    turns, _ = questions.latest(record.tenant, "", NEWEST)
    fitting = [
        turn.question_id
        for turn in turns
        if turn.question_id != record.question_id
        and covers(record.scope.groups, turn.groups)
        and fit(sub.text, turn.resolved) >= FITS / 2
    ]
    return fitting[:MOST_QUESTIONS]


def _text_of(finding: Finding) -> str:
    quotes = (f"{place.document} {place.quote}" for place in finding.places)
    return " ".join((finding.question, finding.statement, *quotes))


def _is_inside(place: FindingPlace, scope: Scope, sub: SubQuestion) -> bool:
    named = sub.collection in {"", place.collection}
    is_in_documents = place.document in scope.documents or place.document_id in scope.document_ids
    is_in_scope = is_in_documents or not scope.names
    return named and is_in_scope and scope.collection in {None, place.collection}


def _read(places: Iterable[FindingPlace], bench: Bench) -> Iterator[Passage]:
    for place in places:
        with suppress(NotFoundError):  # it was closed or replaced a moment ago
            yield _passage(place, bench.document(place.document_id, place.version))


def _passage(place: FindingPlace, document: Document) -> Passage:
    """Returns the paragraph or small table around a place, as its document has it."""
    text = document.text
    passage = Passage(
        document_id=place.document_id,
        document=place.document,
        collection=place.collection,
        version=place.version,
        title=document.title,
        section=section_at(document, place.start),
        pages=(),
        start=place.start,
        end=place.end,
        text=text[place.start : place.end],
        score=SCORE,
    )
    line_end = text.find("\n", place.end)
    span = text.rfind("\n", 0, place.start) + 1, len(text) if line_end < 0 else line_end
    with suppress(NotFoundError):
        span = span_of("table", passage, document)
    if estimate_tokens(text[span[0] : place.end]) > TOKENS:
        span = place.start, span[1]
    return open_span(passage, document, span, TOKENS)
