"""Finds sentences of the documents that contradict what an answer rests on, and shows both.

A false alarm does harm, so both must be about one thing and period, and differ in one figure, date
or direction. Two companies, two years or two sections are two things.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from footnote.ask.check.figures import Figure
from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.readings import subject_keys, years_of
from footnote.ask.check.segments import Unit, sentence_spans
from footnote.ask.guard.screen import safe_name
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.rests_on_ocr import by_ocr
from footnote.model import CELL, Citation, Passage, Sentence
from footnote.text.quotes import unmark
from footnote.text.terms import terms

type Difference = Literal["figure", "date", "direction"]

MOST = 2  # contradictions that an answer shows
MOST_READ = 20  # sentences that are compared with one of the answer
LEAST_TERMS = 0.5  # of their terms (Jaccard), two sentences must share to be compared
LEAST_SUBJECT = 0.8  # of their words and names, they must share to be about one thing
LEAST_SHARED = 3  # words, names and periods that both must have
_IN_TITLES = frozenset(
    part.key
    for part in parts_of(
        "annual quarterly monthly report policy handbook agreement contract plan minutes strategy"
        " guide manual form earnings release budget meeting notes draft final version copy summary"
        " overview faq rules terms fees prices list sheet memo letter mail pdf docx md txt html"
    )
)
_FIRST_NAME = re.compile(r"(?:An?|The) ([A-Z]\w+)")
_CODE = re.compile(r".*\d")


class PassageSentence(NamedTuple):
    """A sentence of a passage: the passage's number, and the sentence as a unit."""

    passage: int
    unit: Unit


def find_contradictions(
    answer: Sequence[Sentence], checker: Checker, passages: Mapping[int, Passage]
) -> list[Sentence]:
    """Returns a sentence for each contradiction of what is cited: both sides quoted and cited.

    `answer` is what has been written so far. Leaves out a pair that one of its sentences cites.
    """
    contradictions: list[Sentence] = []
    seen = set[frozenset[str]]()
    for citation in checker.checked_citations:
        if (first := _cited_sentence(citation, checker, passages)) is None:
            continue
        for second in _similar_sentences(first, checker, passages):
            pair = frozenset({first.unit.text, second.unit.text})
            if len(contradictions) < MOST and pair not in seen and differ(first, second, passages):
                seen.add(pair)
                contradictions += _show_both((first, second), checker, passages)
    cited_together = [set(sentence.citations) for sentence in answer]
    return [
        contradiction
        for contradiction in contradictions
        if not any(set(contradiction.citations) <= cited for cited in cited_together)
    ]


def differ(
    first: PassageSentence, second: PassageSentence, passages: Mapping[int, Passage]
) -> Difference | None:
    """Says in what two sentences about one thing contradict each other, or None."""
    if not _is_one_thing(first, second, passages):
        return None
    return _difference(first.unit.parts, second.unit.parts)


def _difference(first: Sequence[Part], second: Sequence[Part]) -> Difference | None:
    """Says which single value differs between two sentences that are otherwise alike, or None."""
    if _marks(first) != _marks(second):
        return None
    ways = [{p.key for p in parts if p.kind == "direction"} for parts in (first, second)]
    periods = [{p.key for p in parts if p.kind == "period"} for parts in (first, second)]
    pairs = _pair_figures(first, second)
    if pairs is None:
        return None
    different = [pair for pair in pairs if not _is_same(*pair)]
    if periods[0] != periods[1]:
        dates = [_dates(parts) for parts in (first, second)]
        is_other = not different and ways[0] == ways[1] and _are_other_dates(*dates)
        return "date" if is_other and all(map(_are_one_date, periods, dates)) else None
    if len(different) == 1 and ways[0] == ways[1]:
        return "figure"
    if not different and periods[0] and len(ways[0]) == len(ways[1]) == 1 and ways[0] != ways[1]:
        return "direction"
    return None


def _is_one_thing(
    first: PassageSentence, second: PassageSentence, passages: Mapping[int, Passage]
) -> bool:
    """Returns whether two sentences have one subject, in one document's section or one context."""
    units = (first.unit, second.unit)
    subjects = [
        frozenset(key for key in subject_keys(unit.parts) if key not in GENERIC) for unit in units
    ]
    shared, either = subjects[0] & subjects[1], subjects[0] | subjects[1]
    periods = frozenset(part.key for part in first.unit.parts if part.kind == "period")
    if len(shared | periods) < LEAST_SHARED or len(shared) < LEAST_SUBJECT * len(either):
        return False
    names = [_names(unit) for unit in units]
    if names[0] != names[1]:
        return False
    a, b = passages[first.passage], passages[second.passage]
    if a.document_id == b.document_id:
        return a.section == b.section
    has_year = bool(years_of(first.unit.keys))
    context_years = [years_of(unit.context.keys) for unit in units]
    if not has_year and context_years[0] != context_years[1]:
        return False
    titles = [_title_names(passage) for passage in (a, b)]
    of_others = bool(titles[0] and titles[1]) and not titles[0] & titles[1]
    return bool(names[0]) and not of_others


def _names(unit: Unit) -> frozenset[str]:
    """Returns the names in a sentence, also one after the article that begins it ("A Roost")."""
    keys = {part.key for part in unit.parts if part.kind == "name"}
    if (first := _FIRST_NAME.match(unit.text)) and first[1].casefold() not in GENERIC:
        keys |= {part.key for part in unit.parts[:1] if part.text == first[1]}
    return frozenset(keys)


def _title_names(passage: Passage) -> frozenset[str]:
    """Returns the names in a document's file name and title, which say whose document it is."""
    parts = parts_of(f"the {passage.document} the {passage.title}".replace("_", " "))
    return frozenset(
        part.key
        for part in parts
        if part.kind == "name" and part.key not in _IN_TITLES and not _CODE.match(part.key)
    )


def _marks(parts: Sequence[Part]) -> list[str]:
    """Returns the parts that change what a sentence says of its subject: "not", "up to"."""
    return sorted(part.key for part in parts if part.kind in {"not", "limit"})


def _pair_figures(
    first: Sequence[Part], second: Sequence[Part]
) -> list[tuple[Figure, Figure]] | None:
    """Pairs the figures of two sentences in order; None where their number or units differ."""
    figures = [[part.figure for part in parts if part.figure] for parts in (first, second)]
    if [figure.unit for figure in figures[0]] != [figure.unit for figure in figures[1]]:
        return None
    return list(zip(*figures, strict=True))


def _is_same(first: Figure, second: Figure) -> bool:
    """Returns whether two figures are equal, or one is the other rounded."""
    if first.negative != second.negative:
        return False
    a, b = first.value, second.value
    step = max(_step(a), _step(b))
    return abs(a - b) <= step / 2 if _step(a) != _step(b) else a == b


def _step(value: Decimal) -> Decimal:
    """Returns the value of the last digit: 1 for 10, as it is not 12 rounded; .1 for 2.5."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _dates(parts: Sequence[Part]) -> list[frozenset[str]]:
    """Returns the dates of a sentence that have a month and a day, as the keys of their parts."""
    return list(dict.fromkeys(part.date for part in parts if _is_day(part.date)))


def _is_day(date: frozenset[str]) -> bool:
    kinds = {key.split(" ", 1)[0] for key in date}
    return {"month", "day"} <= kinds


def _are_other_dates(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> bool:
    """Returns whether both have one date, each a different day of the same year or of none."""
    if len(first) != 1 or len(second) != 1 or first == second:
        return False
    return years_of(first[0]) == years_of(second[0])


def _are_one_date(periods: set[str], dates: Sequence[frozenset[str]]) -> bool:
    """Returns whether a sentence has no periods but its first date."""
    return periods == dates[0]


def _cited_sentence(
    citation: Citation, checker: Checker, passages: Mapping[int, Passage]
) -> PassageSentence | None:
    """Returns the first sentence that a citation quotes; None for rows and headers of tables."""
    for n, passage in passages.items():
        if (passage.document_id, passage.version) == (citation.document_id, citation.version):
            for unit in checker.units_at(n, (citation.start, citation.end)):
                if _is_statement(unit, passage):
                    return PassageSentence(n, unit)
    return None


def _is_statement(unit: Unit, passage: Passage) -> bool:
    """Returns whether a unit says something: no row, no question, no title, no list in order."""
    text = unit.text.rstrip(" \"'\u201d")
    if unit.row or CELL in text or unit.zipped or text.endswith("?"):
        return False
    own_terms = terms(text.lstrip("# "))
    return text.endswith(".") or all(
        own_terms != terms(title) for title in (passage.title, *passage.section)
    )


def _similar_sentences(
    sentence: PassageSentence, checker: Checker, passages: Mapping[int, Passage]
) -> Iterator[PassageSentence]:
    """Yields sentences in other places that share enough words with this one.

    Only sentences that share them are read as units: a document costs a request.
    """
    wanted = _words(sentence.unit.text)
    document_id = passages[sentence.passage].document_id
    read = 0
    for n, passage in passages.items():
        for start, end in sentence_spans(passage.text):
            span = (passage.start + start, passage.start + end)
            overlaps = span[0] < sentence.unit.end and sentence.unit.start < span[1]
            if overlaps and passage.document_id == document_id:
                continue
            own = _words(passage.text[start:end])
            if len(wanted & own) < LEAST_TERMS * len(wanted | own) or read == MOST_READ:
                continue
            read += 1
            units = [unit for unit in checker.units_at(n, span) if _is_statement(unit, passage)]
            yield from (PassageSentence(n, unit) for unit in units[:1])


def _words(text: str) -> set[str]:
    """Returns the terms of a text without its figures, in which two sides may differ."""
    return {term for term in terms(text) if not term[0].isdigit()}


def _show_both(
    pair: tuple[PassageSentence, PassageSentence],
    checker: Checker,
    passages: Mapping[int, Passage],
) -> list[Sentence]:
    """Returns the sentence that shows both sides, if both stand in the stored text; else []."""
    sides: list[str] = []
    numbers: list[int] = []
    for passage, unit in pair:
        text = " ".join(unmark(unit.text).split())
        checked = checker.check(Claim(text, (passage,)))
        if not isinstance(checked, Sentence):
            return []
        name = safe_name(passages[passage].document) or "a document"
        remark = by_ocr(checked.citations, checker.citations)
        sides.append(f"{name}: \u201c{text.rstrip('.')}\u201d{remark}")
        numbers += checked.citations
    text = f"The documents differ: {'; '.join(sides)}."
    return [Sentence(text=text, citations=tuple(dict.fromkeys(numbers)), checked="exact")]
