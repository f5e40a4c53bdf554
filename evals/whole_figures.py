"""Judges answers about whole collections against all that is true, and adds up by kind."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from evals.whole_cases import Case, flat, has, states
from footnote.model import Answer, QuestionRecord
from footnote.wire import Json

_FIGURE = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
_NOTHING = re.compile(r"\bnone of\b|\bno documents?\b|\bnothing\b", re.IGNORECASE)
WHOLE = ("list", "count", "document")  # kinds whose answers should say how far was read
NAMES = ("found", "false", "number", "coverage", "values", "values false")
"""The figures in the order in which they are shown."""


class Share(NamedTuple):
    """So many of so many."""

    part: int = 0
    of: int = 0

    def plus(self, other: "Share") -> "Share":
        return Share(self.part + other.part, self.of + other.of)


type Figures = Mapping[str, Share]


def judge(case: Case, record: QuestionRecord, opened: int, documents: int) -> Figures:
    """Returns the figures of one answer.

    `opened` counts the documents that were loaded for it, of `documents` in all. An answer that
    claims nothing (`nearest`, `none`) has found nothing.
    """
    answer = record.answer
    if answer is None:
        raise LookupError(f"{case.id} was not answered: {record.status}")
    figures: dict[str, Share] = {}
    texts = _claimed(case, answer)
    if case.wanted:
        found = sum(any(states(item, text) for text in texts) for item in case.wanted)
        figures["found"] = Share(found, len(case.wanted))
    if case.kind in ("list", "count", "catalogue") and (case.wanted or case.kind == "list"):
        false = sum(not any(states(item, text) for item in case.wanted) for text in texts)
        figures["false"] = Share(false, len(texts))
    if case.number is not None:
        figures["number"] = Share(int(_says_number(case.number, answer)), 1)
    if case.kind in WHOLE:
        figures["coverage"] = Share(int(_is_covered(case, answer, opened, documents)), 1)
    if case.data is not None:
        figures |= _judge_data(case.data, answer.data or {})
    return figures


def _claimed(case: Case, answer: Answer) -> list[str]:
    """Returns what an answer claims: the texts that it cites something for, or its table's lines.

    Of an answer that counts documents these are the files that it cites.
    """
    if answer.catalogue is not None:
        return [one.document for one in answer.catalogue.documents] or [answer.answer]
    if not answer.found:
        return []
    cited = {one.n: one for one in answer.citations}
    quoted = [one for one in answer.sentences if one.citations]
    if case.counts_documents:
        return list(dict.fromkeys(cited[n].document for one in quoted for n in one.citations))
    return [
        text
        for one in quoted
        # what is worked out of figures states them in its quotes
        for text in ([cited[n].quote for n in one.citations] if one.computed else [one.text])
    ]


def _says_number(number: float, answer: Answer) -> bool:
    """Tells whether an answer states a number: a count at its beginning, else anywhere."""
    text = answer.answer
    if number == 0 and (answer.outcome == "none" or _NOTHING.search(text)):
        return True
    if answer.catalogue is None and not answer.found:
        return False
    if answer.coverage is not None and answer.sentences:
        text = answer.sentences[0].text
        text = text if not (leads := re.match(r"[\d,]+", text)) else leads[0]
    return any(abs(float(one.replace(",", "")) - number) < 0.01 for one in _FIGURE.findall(text))


def _is_covered(case: Case, answer: Answer, opened: int, documents: int) -> bool:
    """Tells whether it is said how far was read, and is true: so many documents were opened.

    Fewer in scope than there are is right where the request or the question names some.
    """
    coverage = answer.coverage
    if coverage is None or coverage.documents > opened:
        return False
    of = f"{coverage.of:,} " if coverage.of > 1 else "it was read whole"
    is_said = of.casefold() in flat(answer.answer) + " "
    in_scope = len(case.scope) or documents
    return is_said and (coverage.of == in_scope or coverage.of == opened < in_scope)


def _judge_data(gold: Json, given: Mapping[str, object]) -> Figures:
    """Compares values with those that are true. Objects of arrays are told by their first field."""
    right = wrong = there = 0
    for name, value in gold.items():
        pairs = _paired(value, given.get(name))
        there += len(pairs)
        right += sum(_is_same(one, other) for one, other in pairs)
        wrong += sum(other is not None and not _is_same(one, other) for one, other in pairs)
        wrong += max(0, _size(given.get(name)) - _size(value))
    return {"values": Share(right, there), "values false": Share(wrong, right + wrong)}


def _paired(gold: object, given: object) -> list[tuple[object, object]]:
    if not isinstance(gold, list):
        return [(gold, given)]
    rows = [row for row in (given if isinstance(given, list) else []) if isinstance(row, dict)]
    pairs: list[tuple[object, object]] = []
    for record in gold:
        key, first = next(iter(record.items()))
        same = next((row for row in rows if _is_same(first, row.get(key))), {})
        pairs += [(value, same.get(name)) for name, value in record.items()]
    return pairs


def _size(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _is_same(gold: object, given: object) -> bool:
    if isinstance(gold, int | float) and isinstance(given, int | float):
        return abs(gold - given) < 0.01
    return given is not None and (flat(str(gold)) == flat(str(given)) or has(str(gold), str(given)))


# -- sums ----------------------------------------------------------------------------------------


def add_up(rows: Iterable[Json]) -> dict[str, dict[str, Share]]:
    """Returns the figures of each kind, and of all."""
    sums: dict[str, dict[str, Share]] = defaultdict(dict)
    for row in rows:
        for kind in (row["kind"], "all"):
            for name, (count, of) in row["figures"].items():
                before = sums[kind].get(name, Share())
                sums[kind][name] = before.plus(Share(count, of))
    return dict(sums)


def farthest(rows: Iterable[Json]) -> dict[str, tuple[int, int, float, float]]:
    """Returns for each kind the tokens estimated and charged, and the least and largest ratio."""
    by_kind: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        if row["estimated"] and row["charged"]:
            by_kind[row["kind"]].append((row["estimated"], row["charged"]))
    return {
        kind: (
            sum(one for one, _ in pairs),
            sum(two for _, two in pairs),
            min(one / two for one, two in pairs),
            max(one / two for one, two in pairs),
        )
        for kind, pairs in by_kind.items()
    }
