"""Finds sentences of the documents that contradict what an answer rests on, and shows both.

It is strict, as a false alarm does harm: both must say the same of the same thing and period, but
for one figure, date or direction. Two companies, two years or two sections are two things.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

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

type About = Literal["figure", "date", "direction"]

MOST = 2  # contradictions that an answer shows
MOST_LOOKED_AT = 20  # sentences that are compared with those of the answer
LEAST_TERMS = 0.5  # shared words (Jaccard) of two sentences that are worth comparing
LEAST_SUBJECT = 0.8  # the same of their words and names, from which they are about one thing
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


class Statement(NamedTuple):
    """A sentence of a passage: the passage's number, and the sentence as a unit."""

    passage: int
    unit: Unit


def find_contradictions(
    said: Sequence[Sentence], checker: Checker, passages: Mapping[int, Passage]
) -> list[Sentence]:
    """Returns a sentence for each contradiction of what is cited: both sides quoted and cited.

    `said`: the answer so far. What one of its sentences cites together it has told already.
    """
    made: list[Sentence] = []
    seen = set[frozenset[str]]()
    for citation in checker.checked_citations:
        for mine in _cited_statements(citation, checker, passages):
            for other in _like_statements(mine, checker, passages):
                pair = frozenset({mine.unit.text, other.unit.text})
                if len(made) == MOST or pair in seen:
                    continue
                if differ(mine, other, passages):
                    seen.add(pair)
                    made += _shown(mine, other, checker, passages)
    told = [set(sentence.citations) for sentence in said]
    return [one for one in made if not any(set(one.citations) <= cited for cited in told)]


def differ(one: Statement, other: Statement, passages: Mapping[int, Passage]) -> About | None:
    """Says in what two sentences about the same contradict each other, or None."""
    is_one = _is_one_thing(one, other, passages)
    return _value_apart(one.unit.parts, other.unit.parts) if is_one else None


def _value_apart(mine: Sequence[Part], theirs: Sequence[Part]) -> About | None:
    """Says in which one value two sentences differ that are of the same kind, or None."""
    if _marks(mine) != _marks(theirs):
        return None
    ways = [{p.key for p in parts if p.kind == "direction"} for parts in (mine, theirs)]
    periods = [{p.key for p in parts if p.kind == "period"} for parts in (mine, theirs)]
    pairs = _paired_figures(mine, theirs)
    if pairs is None:
        return None
    different = [pair for pair in pairs if not _is_same(*pair)]
    if periods[0] != periods[1]:
        dates = [_dates(parts) for parts in (mine, theirs)]
        is_other = not different and ways[0] == ways[1] and _are_other_dates(*dates)
        return "date" if is_other and all(map(_is_all, periods, dates)) else None
    if len(different) == 1 and ways[0] == ways[1]:
        return "figure"
    if not different and periods[0] and len(ways[0]) == len(ways[1]) == 1 and ways[0] != ways[1]:
        return "direction"
    return None


def _is_one_thing(one: Statement, other: Statement, passages: Mapping[int, Passage]) -> bool:
    """Returns whether two sentences have one subject, in one document's section or one context."""
    mine, theirs = (
        frozenset(key for key in subject_keys(parts) if key not in GENERIC)
        for parts in (one.unit.parts, other.unit.parts)
    )
    shared = mine & theirs
    periods = frozenset(part.key for part in one.unit.parts if part.kind == "period")
    if len(shared | periods) < LEAST_SHARED or len(shared) < LEAST_SUBJECT * len(mine | theirs):
        return False
    names = [_names(unit) for unit in (one.unit, other.unit)]
    if names[0] != names[1]:
        return False
    a, b = passages[one.passage], passages[other.passage]
    if a.document_id == b.document_id:
        return a.section == b.section
    years = [years_of(unit.context.keys) for unit in (one.unit, other.unit)]
    own = [years_of(frozenset(p.key for p in unit.parts)) for unit in (one.unit, other.unit)]
    if not own[0] and years[0] != years[1]:
        return False
    titles = [_title_names(passage) for passage in (a, b)]
    of_others = bool(titles[0] and titles[1]) and not titles[0] & titles[1]
    return bool(names[0]) and not of_others


def _names(unit: Unit) -> frozenset[str]:
    """Returns the names in a sentence, also one after the article that begins it ("A Roost")."""
    found = {part.key for part in unit.parts if part.kind == "name"}
    if (first := _FIRST_NAME.match(unit.text)) and first[1].casefold() not in GENERIC:
        found |= {part.key for part in unit.parts[:1] if part.text == first[1]}
    return frozenset(found)


def _title_names(passage: Passage) -> frozenset[str]:
    """Returns the names in a document's file name and title: of whom it is."""
    found = parts_of(f"the {passage.document} the {passage.title}".replace("_", " "))
    return frozenset(
        part.key
        for part in found
        if part.kind == "name" and part.key not in _IN_TITLES and not _CODE.match(part.key)
    )


def _marks(parts: Sequence[Part]) -> list[str]:
    """Returns what changes a sentence without being its subject: "not", "up to", "at least"."""
    return sorted(part.key for part in parts if part.kind in {"not", "limit"})


def _paired_figures(mine: Sequence[Part], theirs: Sequence[Part]) -> list[tuple[Part, Part]] | None:
    """Pairs the figures of two sentences in order; None where they are not of the same kinds."""
    figures = [[part for part in parts if part.figure] for parts in (mine, theirs)]
    if len(figures[0]) != len(figures[1]):
        return None
    pairs = list(zip(*figures, strict=True))
    kinds = [(a.figure.unit, b.figure.unit) for a, b in pairs if a.figure and b.figure]
    return pairs if all(a == b for a, b in kinds) else None


def _is_same(one: Part, other: Part) -> bool:
    """Returns whether two figures are equal, or one is the other one rounded."""
    if not one.figure or not other.figure or one.figure.negative != other.figure.negative:
        return False
    a, b = one.figure.value, other.figure.value
    step = max(_step(a), _step(b))
    return abs(a - b) <= step / 2 if _step(a) != _step(b) else a == b


def _step(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent  # not normalised: 10 is no 12, rounded
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _dates(parts: Sequence[Part]) -> list[frozenset[str]]:
    """Returns the dates of a sentence that have a month and a day, as the keys of their parts."""
    return list(dict.fromkeys(part.date for part in parts if _is_day(part.date)))


def _is_day(date: frozenset[str]) -> bool:
    kinds = {key.split(" ", 1)[0] for key in date}
    return {"month", "day"} <= kinds


def _are_other_dates(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> bool:
    """Returns whether both have one date, each a different day of the same year or of none."""
    if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
        return False
    return years_of(mine[0]) == years_of(theirs[0])


def _is_all(periods: set[str], dates: Sequence[frozenset[str]]) -> bool:
    """Returns whether a sentence has no period but its date."""
    return periods == dates[0]


def _cited_statements(
    citation: Citation, checker: Checker, passages: Mapping[int, Passage]
) -> Iterator[Statement]:
    """Yields the sentences that a citation quotes; rows and headers of tables are none."""
    for n, passage in passages.items():
        if (passage.document_id, passage.version) != (citation.document_id, citation.version):
            continue
        found = [
            Statement(n, unit)
            for unit in checker.units_at(n, (citation.start, citation.end))
            if _is_statement(unit, passage)
        ]
        if found:
            yield found[0]
            return


def _is_statement(unit: Unit, passage: Passage) -> bool:
    """Returns whether a unit says something: no row, no question, no title, no list in order."""
    text = unit.text.rstrip(" \"'\u201d")
    if unit.row or CELL in text or unit.zipped or text.endswith("?"):
        return False
    said = terms(text.lstrip("# "))
    return text.endswith(".") or all(
        said != terms(one) for one in (passage.title, *passage.section)
    )


def _like_statements(
    mine: Statement, checker: Checker, passages: Mapping[int, Passage]
) -> Iterator[Statement]:
    """Yields sentences of other places with words like those of this one.

    Only what has them in the passage is read in full: a document costs a request.
    """
    wanted = _words(mine.unit.text)
    looked = 0
    for n, passage in passages.items():
        for start, end in sentence_spans(passage.text):
            place = (passage.start + start, passage.start + end)
            is_same = place[0] < mine.unit.end and mine.unit.start < place[1]
            if is_same and passage.document_id == passages[mine.passage].document_id:
                continue
            told = _words(passage.text[start:end])
            if len(wanted & told) < LEAST_TERMS * len(wanted | told) or looked == MOST_LOOKED_AT:
                continue
            looked += 1
            units = [unit for unit in checker.units_at(n, place) if _is_statement(unit, passage)]
            yield from (Statement(n, unit) for unit in units[:1])


def _words(text: str) -> set[str]:
    """Returns the terms of a text but its figures, in which two sides are expected to differ."""
    return {term for term in terms(text) if not term[0].isdigit()}


def _shown(
    mine: Statement, other: Statement, checker: Checker, passages: Mapping[int, Passage]
) -> list[Sentence]:
    """Returns the sentence that shows both sides, if both stand in the stored text; else []."""
    texts = [" ".join(unmark(one.unit.text).split()) for one in (mine, other)]
    checked = [
        checker.check(Claim(text, (one.passage,)))
        for text, one in zip(texts, (mine, other), strict=True)
    ]
    held = [one for one in checked if isinstance(one, Sentence)]
    if len(held) < 2:
        return []
    names = [safe_name(passages[one.passage].document) for one in (mine, other)]
    how = [by_ocr(one.citations, checker.citations) for one in held]
    sides = [
        f"{name or 'a document'}: \u201c{text.rstrip('.')}\u201d{read}"
        for name, text, read in zip(names, texts, how, strict=True)
    ]
    numbers = dict.fromkeys(n for one in held for n in one.citations)
    text = f"The documents differ: {sides[0]}; {sides[1]}."
    return [Sentence(text=text, citations=tuple(numbers), checked="exact")]
