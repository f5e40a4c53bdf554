"""Judges what footnote did with a case: figures from 0 to 1, and in words what went wrong."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.evaluation.cases import Case
from footnote.evaluation.metrics import mean
from footnote.evaluation.places import cited_at, found_at, rank_of
from footnote.evaluation.words import relevance, rests_on, says
from footnote.text.own_language import is_said
from footnote.text.own_words import NO_PASSAGE, NOT_REACHED, NOT_SAID, NOT_STATED, SEARCH_FAILED
from footnote.wire import Json

type FigureName = Literal[
    "faithfulness",
    "precision_at_k",
    "recall_at_k",
    "context_relevance",
    "citation_precision",
    "citation_recall",
    "answered",
    "refusal_accuracy",
    "answer_match",
    "answer_and_place",
]
"""The figures of a case. A case has those that apply to it."""

type Supports = Callable[[str, Sequence[str]], bool]
"""(sentence, quotes) → whether the quotes say what the sentence says."""

_REMARKS = (NO_PASSAGE, NOT_SAID, NOT_STATED, SEARCH_FAILED, NOT_REACHED)
_MARKER = re.compile(r"\[\d+\]")


class Depth(NamedTuple):
    """How many of the first passages count for precision, and for recall and relevance."""

    precision: int = 1
    recall: int = 5


class Asked(NamedTuple):
    """What footnote did with a case.

    `standing` are the numbers of the citations whose quotes stand in the document's text. `error`
    is why there is no reply.
    """

    case: Case
    hits: Sequence[Json] = ()
    reply: Json = {}  # noqa: RUF012 - a tuple's default, which nobody changes
    trace: Sequence[Json] = ()
    standing: frozenset[int] = frozenset()
    search_ms: float = 0.0
    ask_ms: float = 0.0
    error: str = ""


class Judged(NamedTuple):
    """The figures of a case, and what went wrong. It has passed where nothing did."""

    figures: Mapping[FigureName, float]
    faults: tuple[str, ...]


def judge(asked: Asked, depth: Depth, supports: Supports = rests_on) -> Judged:
    """Judges a case. `supports` is asked whether quotes carry a sentence: rules, or a model."""
    if asked.error:
        missed = dict.fromkeys(_expected(asked.case), 0.0)
        return Judged(missed, (f"it was not answered: {asked.error}",))
    figures: dict[FigureName, float] = {}
    faults: list[str] = []
    if asked.case.must_refuse:
        _judge_refusal(asked, figures, faults)
    else:
        _judge_search(asked, depth, figures)
        _judge_answer(asked, depth, figures, faults)
    _judge_sentences(asked, supports, figures, faults)
    return Judged(figures, tuple(faults))


def _expected(case: Case) -> Iterator[FigureName]:
    """Yields the figures that a case has whatever comes: without a reply they are all 0."""
    if case.must_refuse:
        yield "refusal_accuracy"
        return
    yield from ("answered", "context_relevance")
    if case.gold:
        yield from ("precision_at_k", "recall_at_k", "citation_recall")
    if case.answer:
        yield "answer_match"
    if case.gold and case.answer:
        yield "answer_and_place"


def _judge_refusal(asked: Asked, figures: dict[FigureName, float], faults: list[str]) -> None:
    case, reply = asked.case, asked.reply
    refused = not reply["found"] and reply["kind"] != "direct"
    noted = bool(case.or_note) and any(
        case.or_note.casefold() in note.casefold() for note in reply["degraded"]
    )
    figures["refusal_accuracy"] = float(refused or noted)
    if not (refused or noted):
        faults.append(f"it answers what must be refused: {_cut(said(reply))}")


def _judge_search(asked: Asked, depth: Depth, figures: dict[FigureName, float]) -> None:
    case, hits = asked.case, asked.hits
    figures["context_relevance"] = mean(
        [relevance(case.question, hit["text"]) for hit in hits[: depth.recall]]
    )
    if case.gold:
        first = hits[: depth.precision]
        right = [any(found_at(place, hit) for place in case.gold) for hit in first]
        figures["precision_at_k"] = mean([float(one) for one in right])
        got = [rank_of(place, hits[: depth.recall]) > 0 for place in case.gold]
        figures["recall_at_k"] = mean([float(one) for one in got])


def _judge_answer(
    asked: Asked, depth: Depth, figures: dict[FigureName, float], faults: list[str]
) -> None:
    case, reply = asked.case, asked.reply
    found = bool(reply["found"])
    figures["answered"] = float(found)
    if not found:
        faults.append(f"it gives no answer ({_where_gold_was(asked, depth)})")
    cited = reply["citations"] if found else []
    if case.gold:
        got = [any(cited_at(place, one) for one in cited) for place in case.gold]
        figures["citation_recall"] = mean([float(one) for one in got])
        if cited:
            right = [any(cited_at(place, one) for place in case.gold) for one in cited]
            figures["citation_precision"] = mean([float(one) for one in right])
        if found and not any(got):
            faults.append(f"it cites no gold place, but {_places(cited)}")
    if case.answer:
        matches = found and says(case.answer, said(reply))
        figures["answer_match"] = float(matches)
        if found and not matches:
            faults.append(f"it does not say “{_cut(case.answer)}”, but “{_cut(said(reply))}”")
        if case.gold:
            placed = any(cited_at(place, one, boxes=True) for place in case.gold for one in cited)
            figures["answer_and_place"] = float(matches and placed)


def _judge_sentences(
    asked: Asked, supports: Supports, figures: dict[FigureName, float], faults: list[str]
) -> None:
    """Notes the share of the answer's sentences that their quotes carry."""
    if not asked.reply["found"]:
        return
    cited = {one["n"]: one for one in asked.reply["citations"]}
    held = []
    for sentence in claims(asked.reply):
        why = _fault_of(sentence, cited, asked.standing, supports)
        held.append(float(not why))
        if why:
            faults.append(f"“{_cut(sentence['text'])}” {why}")
    if held:
        figures["faithfulness"] = mean(held)


def claims(reply: Json) -> Iterator[Json]:
    """Yields the sentences that claim something.

    What footnote remarks on its own search is none, such as how many documents it read whole, nor
    what the table of documents says: that has no page to cite.
    """
    counted = reply["coverage"] is not None or reply["catalogue"] is not None
    for sentence in reply["sentences"]:
        remarks = counted or is_said(sentence["text"], *_REMARKS)
        if sentence["citations"] or not remarks:
            yield sentence


def _fault_of(
    sentence: Json, cited: Mapping[int, Json], standing: frozenset[int], supports: Supports
) -> str:
    numbers = sentence["citations"]
    if not numbers or not set(numbers) <= cited.keys():
        return "cites nothing"
    if lost := [n for n in numbers if n not in standing]:
        return f"has a quote that its document does not have: “{_cut(cited[lost[0]]['quote'])}”"
    quotes = [text_of(cited[n]) for n in numbers] + list(sentence["computed"])
    return "" if supports(sentence["text"], quotes) else "is not what its quotes say"


def text_of(citation: Json) -> str:
    """Returns a quote with what stands around it on its page: section, table header, row."""
    around_it = (*citation["section"], *citation["header"], citation["row"], citation["quote"])
    return " | ".join(part for part in around_it if part)


def said(reply: Json) -> str:
    """Returns the words of an answer without the numbers of its citations."""
    return _MARKER.sub("", reply["answer"])


def _where_gold_was(asked: Asked, depth: Depth) -> str:
    if not asked.case.gold:
        return "the case names no place"
    ranks = [rank_of(place, asked.hits) for place in asked.case.gold]
    if not any(ranks):
        return "a search does not find the gold place"
    best = min(rank for rank in ranks if rank)
    late = "" if best <= depth.recall else ", behind those that count"
    return f"a search finds the gold place at rank {best}{late}"


def _places(cited: Sequence[Json]) -> str:
    shown = {
        f"{one['document']}{' page ' + ', '.join(map(str, one['pages'])) if one['pages'] else ''}"
        for one in cited
    }
    return "; ".join(sorted(shown)[:3]) or "nothing"


def _cut(text: str, length: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
