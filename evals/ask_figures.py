"""Judges one answer: pure functions from what is right and what was said to figures.

A figure is by unit: a question, or a question's cited page or citation ("question#…"). Those of one
question are drawn together for an interval.
"""

import re
from collections.abc import Iterable, Mapping

from evals.ask_cases import Case
from evals.metrics import Place
from evals.originals import Originals, Resolved
from footnote.wire import Json

type Figures = dict[str, dict[str, float]]
"""Figure → unit → value from 0 to 1."""

LONG = 12  # words: of a longer right answer half is asked for, of a shorter one every figure
HALF = 0.5
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_WORD = re.compile(r"[^\W\d_]{3,}")
_STOP = frozenset(
    "and are but for from had has have her his its not that the their they this was were which who"
    " will with you your".split()
)


def judge(case: Case, reply: Json, originals: Originals) -> Figures:
    """Returns the figures of an answer as the REST API gives it, only those that apply."""
    found: Figures = {}

    def note(figure: str, value: float, unit: str = "") -> None:
        found.setdefault(figure, {})[f"{case.id}#{unit}" if unit else case.id] = float(value)

    cited = reply["citations"]
    answered = reply["found"]
    match case.right:
        case "found":
            note("found", answered)
        case "refused":
            note("refused", not answered and reply["kind"] != "direct")
        case "clarify":
            note("asked back", reply["kind"] == "clarify")
    for one in cited:
        how = resolve(one, originals)
        if how != "unread":
            note("resolves", how != "no", str(one["n"]))
            note("verbatim", how == "verbatim", str(one["n"]))
    if case.right == "found" and case.spans:
        spans = [(one, quoted_spans(one, originals)) for one in cited]
        hits = {one["n"]: any(map(_overlap(case), places)) for one, places in spans}
        for n, hit in hits.items():
            note("precision", hit, str(n))
        got = [any(_overlap_of(s, p) for _, places in spans for p in places) for s in case.spans]
        note("recall", sum(got) / len(got))
        note("right", any(hits.values()))
    elif case.right == "found" and case.places:
        pages = cited_places(cited, case.places)
        for name, page in pages:
            note("precision", (name, page) in case.places, f"{name}:{page}")
        note("recall", len(case.places & pages) / len(case.places))
        note("right", bool(case.places & pages))
    if case.right == "found" and case.answer:
        note("answer", says(case.answer, reply["answer"] if answered else ""))
    return found


def _overlap_of(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _overlap(case: Case):  # type: ignore[no-untyped-def]
    return lambda place: any(_overlap_of(place, span) for span in case.spans)


def resolve(citation: Json, originals: Originals) -> Resolved:
    if citation["document"] not in originals:
        return "no"
    return originals[citation["document"]].resolve(citation)


def quoted_spans(citation: Json, originals: Originals) -> list[tuple[int, int]]:
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


def says(gold: str, said: str) -> bool:
    """Tells whether a text says the right answer, as far as figures and words tell.

    Of a short answer with figures all figures must occur; of one without, half of its words; of a
    long answer half of its figures and words together.
    """
    there = _figures(said) | _words(said)
    figures, words = _figures(gold), _words(gold)
    if figures and len(gold.split()) <= LONG:
        return figures <= there
    wanted = figures | words
    if not wanted:  # "-", or a letter
        return gold.casefold().strip() in said.casefold()
    return len(wanted & there) >= HALF * len(wanted)


def _figures(text: str) -> set[str]:
    found = (re.sub(r",(?=\d{3})", "", one).strip(",.") for one in _NUMBER.findall(text))
    return {(one.rstrip("0").rstrip(".") if "." in one else one) for one in found}


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if word not in _STOP}


def carried(question: str, resolved: str, alone: str) -> Mapping[str, float]:
    """Returns how a follow-up was resolved, beside what people wrote.

    `recall`: the share of the words that people added which are there; `precision`: the share of
    the words that were added which people have too. Only what applies.
    """
    own = _words(question) | _figures(question)
    wanted = (_words(alone) | _figures(alone)) - own
    added = (_words(resolved) | _figures(resolved)) - own
    found: dict[str, float] = {}
    if wanted:
        found["words carried over"] = len(wanted & added) / len(wanted)
    if added:
        found["right of those added"] = len(wanted & added) / len(added)
    if not wanted:
        found["left as it was"] = float(not added)
    return found
