"""Judges one answer: pure functions from what is right and what was said to figures.

A figure is by unit: a question, or a question's cited page or citation ("question#…"). Those of one
question are drawn together for an interval.
"""

from collections.abc import Iterable, Mapping, Sequence

from evals.ask_cases import Case
from evals.metrics import Place, Span
from evals.originals import Originals, Resolved
from footnote.evaluation.words import figures, says, words
from footnote.wire import Json

type Figures = dict[str, dict[str, float]]
"""Figure → unit → value from 0 to 1."""


def judge(case: Case, reply: Json, originals: Originals) -> Figures:
    """Returns the figures of an answer as the REST API gives it, only those that apply."""
    told = Told(case.id)
    match case.right:
        case "found":
            told.note("found", reply["found"])
            _judge_found(told, case, reply, originals)
        case "refused":
            told.note("refused", not reply["found"] and reply["kind"] != "direct")
        case "clarify":
            told.note("asked back", reply["kind"] == "clarify")
    for one in reply["citations"]:
        how = resolve(one, originals)
        if how != "unread":
            told.note("resolves", how != "no", str(one["n"]))
            told.note("verbatim", how == "verbatim", str(one["n"]))
    return told.figures


class Told:
    """The figures of one question while they are taken."""

    def __init__(self, question: str) -> None:
        self._question = question
        self.figures: Figures = {}

    def note(self, figure: str, value: float, unit: str = "") -> None:
        name = f"{self._question}#{unit}" if unit else self._question
        self.figures.setdefault(figure, {})[name] = float(value)


def _judge_found(told: Told, case: Case, reply: Json, originals: Originals) -> None:
    """Notes what is cited: what is called an answer, and what is shown at all.

    The nearest passages are shown, and are called no answer.
    """
    hits, recall = _hits(case, reply["citations"], originals)
    if case.spans or case.places:
        told.note("shown", any(hits.values()))
        if reply["found"]:
            for unit, hit in hits.items():
                told.note("precision", hit, unit)
            told.note("answer right", any(hits.values()))
        told.note("recall", recall if reply["found"] else 0.0)
        told.note("right", reply["found"] and any(hits.values()))
    if case.answer:
        is_said = says(case.answer, reply["answer"] if reply["found"] else "")
        told.note("answer", is_said)
        if case.spans or case.places:
            told.note("answer and place", is_said and any(hits.values()))


def _hits(
    case: Case, cited: Sequence[Json], originals: Originals
) -> tuple[Mapping[str, bool], float]:
    """Returns whether each cited place is right, and the share of the right ones that is cited."""
    if case.spans:
        quoted = {str(one["n"]): quoted_spans(one, originals) for one in cited}
        hits = {n: any(_meet(a, b) for a in mine for b in case.spans) for n, mine in quoted.items()}
        every = [span for mine in quoted.values() for span in mine]
        got = [any(_meet(gold, span) for span in every) for gold in case.spans]
        return hits, sum(got) / len(got)
    pages = cited_places(cited, case.places)
    hits = {f"{name}:{page}": (name, page) in case.places for name, page in pages}
    return hits, len(case.places & pages) / len(case.places) if case.places else 0.0


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def resolve(citation: Json, originals: Originals) -> Resolved:
    if citation["document"] not in originals:
        return "no"
    return originals[citation["document"]].resolve(citation)


def quoted_spans(citation: Json, originals: Originals) -> list[Span]:
    if citation["document"] not in originals:
        return []
    return originals[citation["document"]].spans_of(citation["quote"])


def cited_places(citations: Iterable[Json], gold: Iterable[Place]) -> set[Place]:
    """Returns the cited pages; page 0 in a document of which the gold names no page."""
    whole = {document for document, page in gold if page == 0}
    return {
        (one["document"], page)
        for one in citations
        for page in ([0] if one["document"] in whole else one["pages"] or [0])
    }


def carried(question: str, resolved: str, alone: str) -> Mapping[str, float]:
    """Returns how a follow-up was resolved, beside what people wrote.

    `recall`: the share of the words that people added which are there; `precision`: the share of
    the words that were added which people have too. Only what applies.
    """
    own = words(question) | figures(question)
    wanted = (words(alone) | figures(alone)) - own
    added = (words(resolved) | figures(resolved)) - own
    found: dict[str, float] = {}
    if wanted:
        found["words carried over"] = len(wanted & added) / len(wanted)
    if added:
        found["right of those added"] = len(wanted & added) / len(added)
    if not wanted:
        found["left as it was"] = float(not added)
    return found
