"""Tells whether the lines that answer best state a figure of the kind that a question asks for.

"How many employees were dismissed?" is not answered by a sentence about dismissals that has no
number, nor by one whose only numbers are a year and a percentage, "What does a permit cost?" by
none whose only numbers are days, and "What are the opening hours?" by none without a time. The
rules are for English: in other languages any line may state it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.quote.features import (
    NEAR_BEST,
    Candidate,
    candidates,
    label_terms,
)
from footnote.ask.quote.figure_asked import UNITS, Figure, asked_figure
from footnote.model import CELL, Evidence
from footnote.text.language import detect_language, words
from footnote.text.number_words import ENGLISH
from footnote.text.table_lines import blank_dates, has_figures
from footnote.text.terms import has_root, numbers, terms

WINDOW = 6  # words before and after a number among which what is counted must stand
_COUNTED = re.compile(
    r"\bhow many (?:more |of the |other |different |new |total )?((?:[\w'\u2019-]+ ?){1,3})",
    re.IGNORECASE,
)
_ENDS = frozenset(
    words(
        "are were is was do does did has have had will would can could in of at by on for from to"
        " with the a an there shown included"
    )
)
# What says nothing of a thing that is counted, or of what is asked for.
_VAGUE = frozenset(
    terms(
        "people times persons units things items many much number percentage proportion share"
        " amount total name names years end company"
    )
)
_WORDS = frozenset(ENGLISH) | frozenset(
    words("hundreds thousand thousands million millions billion dozen dozens both none once twice")
)
_SCALES = frozenset(words("thousand million billion trillion crore crores lakh lakhs"))
_BOUNDLESS = re.compile(
    r"\b(?:unlimited|no limit|infinite|indefinite|forever|never)", re.IGNORECASE
)
# a time of the day, or from when to when: "9 am", "14-18 h", "closed on Mondays"
_TIME = re.compile(
    r"\d[:.]\d\d\b|\d ?(?:[ap]\.?m\b|o'clock|h\b)|\d ?(?:[-\u2013]|to|until) ?\d{1,2}\b"
    r"|\b(?:noon|midnight|closed|24/7|around the clock|day and night)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(rf"(?:{UNITS}|weeks?|months?|years?|times)", re.IGNORECASE)
_COUNTS = frozenset[Figure]({"count", "measure"})  # "how many days": whatever has a number
_PARTS = re.compile(r"\b(?:half|thirds?|quarters?|majority)\b", re.IGNORECASE)
# "note 4", "page 12" and "§ 3" count nothing, nor do [3] and (12), nor the number of a clause
_REFERENCE = re.compile(
    r"\[\d+\]|\(\d{1,2}\)|^\(?\d{1,3}[.)]\s|^\d{1,3}(?:\.\d{1,3}){1,3}[.)]?\s(?=[A-Z])"
    r"|\b(?:notes?|items?|section|pages?|figure|table|exhibit|part|chapter|step|rule|article"
    r"|paragraphs?|form|no|level|phase|version|unit|rooms?|annex|appendix|clauses?)\.? \d[\d.]*",
    re.IGNORECASE,
)
# "10.8 | The plan is incorporated …" is a numbered line of prose, and no row of figures
_NUMBERED = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,3}[.)*]?")
_TOKEN = re.compile(r"[$€£¥]?\d(?:[\d,.]*\d)?%?|[^\W\d_][\w'\u2019&-]*|[%|]")


class Stated(NamedTuple):
    """A figure of a sentence: the place of its token, what it is, and the token after it.

    It is a "share" in percent, an "amount" of money, a "measure" with a unit, else a "count".
    """

    place: int
    token: str
    kind: Figure
    after: str


def lacks_figure(question: str, evidence: Evidence) -> bool:
    """Tells whether a figure is asked for that none of the best candidates states."""
    kind = asked_figure(question)
    ranked = candidates(question, evidence) if kind else []
    best = [one for one in ranked if one.score >= NEAR_BEST * ranked[0].score]
    return bool(best) and not any(states(kind, question, one) for one in best)


def states(kind: Figure, question: str, one: Candidate) -> bool:
    """Tells whether a line states a figure of that kind which may be the one that is asked for."""
    if detect_language(one.passage.text) != "en":
        return True
    one = one._replace(text=_without_number(one.text))
    if kind == "version":
        return bool(numbers(one.text))
    if kind == "time":
        return bool(_TIME.search(_REFERENCE.sub(" ", one.text)))
    is_row = CELL in one.text
    return (_row_states if is_row else _sentence_states)(kind, question, one)


def _sentence_states(kind: Figure, question: str, one: Candidate) -> bool:
    found = list(_figures(one.text, numbers(question)))
    match kind:
        case "share":
            return any(each.kind == "share" for each in found) or bool(_PARTS.search(one.text))
        case "count":
            return _counts(question, one, [each.place for each in found if each.kind in _COUNTS])
        case "price":
            return any(_may_be_price(each, question) for each in found)
        case "amount" | "measure":
            return bool(found or _BOUNDLESS.search(one.text))
        case _:
            return True


def _may_be_price(figure: Stated, question: str) -> bool:
    """Tells it of an amount of money, and of a number that counts nothing the question names."""
    counts = set(terms(figure.after)) & set(terms(question))
    bare = figure.kind == "count" and bool(numbers(figure.token)) and not counts
    return figure.kind == "amount" or bare


def _row_states(kind: Figure, question: str, one: Candidate) -> bool:
    """Tells it of a row. Its label, or its table's header, must be of what is asked for.

    Of a share either must speak of percent, or no figure of the row may be above 100.
    """
    if not has_figures(one.text):
        return False
    if kind == "share":
        both = f"{one.text} {one.header}".casefold()
        return "%" in both or "percent" in both or not _has_above_hundred(one.text)
    told = _labels(one.text) & set(terms(blank_dates(one.text)))
    by_header = kind == "count" or not told  # a row whose label is a date
    told |= set(terms(blank_dates(one.header))) if by_header else find_synonyms(question, told)
    return bool(told & set(terms(question)) - _VAGUE)


def _labels(row: str) -> set[str]:
    """Returns the terms of a row's label; one after the number of an article or item counts, too.

    A year is a label of its own.
    """
    number, _, rest = row.strip("| ").partition(CELL)
    is_item = has_figures(number) and not any(map(str.isalpha, number))
    return label_terms(row) | (label_terms(rest) if is_item else set())


def _without_number(row: str) -> str:
    """Returns the prose of a row that is a number and a sentence, and other rows as they are."""
    number, _, prose = row.partition(CELL)
    is_prose = CELL not in prose and len(words(prose)) > WINDOW
    return prose if is_prose and _NUMBERED.fullmatch(number.strip("| ")) else row


def _has_above_hundred(row: str) -> bool:
    return any(len(one.partition(".")[0]) > 2 and one != "100" for one in numbers(blank_dates(row)))


def _counts(question: str, one: Candidate, found: Sequence[int]) -> bool:
    """Tells whether what is counted stands near one of the numbers, which are tokens by place."""
    wanted = _counted(question) or _content(question, one)
    told = [terms(token) for token in _TOKEN.findall(_plain(one.text))]
    near = [{*chain(*told[max(0, n - WINDOW) : n + WINDOW + 1])} for n in found]
    return any(not wanted or any(has_root(term, some) for term in wanted) for some in near)


def _counted(question: str) -> set[str]:
    """Returns the terms of what "how many" asks for: of "how many open orders are" the two."""
    found = _COUNTED.search(question)
    counted = ""
    for word in found[1].split() if found else ():
        if word.casefold() in _ENDS:
            break
        counted += f"{word} "
    return set(terms(counted)) - _VAGUE


def _content(question: str, one: Candidate) -> set[str]:
    """Returns the question's terms but for those that name the candidate's document."""
    named = re.sub(r"[\W_]+", " ", f"{one.passage.document} {one.passage.title}")
    return set(terms(question)) - set(terms(named)) - _VAGUE


def _plain(text: str) -> str:
    """Returns a text without dates and references, whose numbers are no figures."""
    return blank_dates(_REFERENCE.sub(" ", text))


def _figures(text: str, given: set[str]) -> Iterator[Stated]:
    """Yields the figures of a sentence, but for those `given` in the question."""
    tokens = _TOKEN.findall(_plain(text))
    for n, token in enumerate(tokens):
        before, after = tokens[n - 1] if n else "", tokens[n + 1] if n + 1 < len(tokens) else ""
        if token.casefold() in _WORDS:
            yield Stated(n, token, "count", after)
        elif not numbers(token) or token[0].isalpha() or numbers(token) <= given:
            continue
        elif token.endswith("%") or after.casefold() in {"%", "percent", "percentage"}:
            yield Stated(n, token, "share", after)
        elif token[0] in "$€£¥" or after.casefold() in _SCALES:
            yield Stated(n, token, "amount", after)
        elif _UNIT.fullmatch(after):
            yield Stated(n, token, "measure", after)
        elif not _is_part_of_name(token, before, after):
            yield Stated(n, token, "count", after)


def _is_part_of_name(token: str, before: str, after: str) -> bool:
    """Tells whether a number is a part of a name, as in "Black Ops 4"."""
    return len(token) <= 2 and before[:1].isupper() and not after[:1].islower()
