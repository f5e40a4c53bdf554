"""Tells whether the best lines state a figure of the kind that a question asks for.

"How many employees were dismissed?" needs a number that is neither a year nor a percentage. "What
does a permit cost?" needs a number that counts no days, and "What are the opening hours?" needs a
time. The rules are for English: in other languages any line may state the figure.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.quote.counted import VAGUE, counted_in, counts_other
from footnote.ask.quote.figure_asked import UNITS, FigureKind, asked_figure
from footnote.ask.quote.lines import RankedLine, best_lines, label_terms
from footnote.model import CELL, Evidence
from footnote.text.language import detect_language, words
from footnote.text.table_lines import blank_dates, has_figures
from footnote.text.terms import ENGLISH_NUMBERS, has_root, numbers, terms

WINDOW = 6  # words before and after a number: what it counts must be among them
_WORDS = frozenset(ENGLISH_NUMBERS) | frozenset(
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
_COUNTS = frozenset[FigureKind]({"count", "measure"})  # "how many days": both have a number
_PARTS = re.compile(r"\b(?:half|thirds?|quarters?|majority)\b", re.IGNORECASE)
# Numbers that count nothing: "note 4", "page 12", "§ 3", [3], (12), the number of a clause.
_REFERENCE = re.compile(
    r"\[\d+\]|\(\d{1,2}\)|^\(?\d{1,3}[.)]\s|^\d{1,3}(?:\.\d{1,3}){1,3}[.)]?\s(?=[A-Z])"
    r"|\b(?:notes?|items?|section|pages?|figure|table|exhibit|part|chapter|step|rule|article"
    r"|paragraphs?|form|no|level|phase|version|unit|rooms?|annex|appendix|clauses?)\.? \d[\d.]*",
    re.IGNORECASE,
)
# The number in "10.8 | The plan is incorporated …", a line of prose and no row of figures.
_NUMBERED = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,3}[.)*]?")
_TOKEN = re.compile(r"[$€£¥]?\d(?:[\d,.]*\d)?%?|[^\W\d_][\w'\u2019&-]*|[%|]")


class StatedFigure(NamedTuple):
    """A figure of a sentence: the place of its token, what it is, and the token after it.

    It is a "share" in percent, an "amount" of money, a "measure" with a unit, or else a "count".
    """

    place: int
    token: str
    kind: FigureKind
    after: str


def lacks_figure(question: str, evidence: Evidence) -> bool:
    """Tells whether a figure is asked for that none of the best lines states."""
    kind = asked_figure(question)
    best = best_lines(question, evidence) if kind else []
    return bool(best) and not any(states(kind, question, line) for line in best)


def states(kind: FigureKind, question: str, line: RankedLine) -> bool:
    """Tells whether a line states a figure of that kind which may be the one that is asked for."""
    if detect_language(line.passage.text) != "en":
        return True
    line = line._replace(text=_without_number(line.text))
    if kind == "version":
        return bool(numbers(line.text))
    if kind == "time":
        return bool(_TIME.search(_REFERENCE.sub(" ", line.text)))
    is_row = CELL in line.text
    return (_row_states if is_row else _sentence_states)(kind, question, line)


def _sentence_states(kind: FigureKind, question: str, line: RankedLine) -> bool:
    figures = list(_figures(line.text, numbers(question)))
    match kind:
        case "share":
            return any(each.kind == "share" for each in figures) or bool(_PARTS.search(line.text))
        case "count":
            return _counts(question, line, [one.place for one in figures if one.kind in _COUNTS])
        case "price":
            return any(_may_be_price(each, question) for each in figures)
        case "amount" | "measure":
            return bool(figures or _BOUNDLESS.search(line.text))
        case _:
            return True


def _may_be_price(figure: StatedFigure, question: str) -> bool:
    """Tells whether a figure is an amount, or a bare number that counts nothing asked for."""
    counts_asked = set(terms(figure.after)) & set(terms(question))
    is_bare = figure.kind == "count" and bool(numbers(figure.token)) and not counts_asked
    return figure.kind == "amount" or is_bare


def _row_states(kind: FigureKind, question: str, line: RankedLine) -> bool:
    """Tells whether a row states the figure: its label or its table's header must be asked for.

    For a share, either must speak of percent, or no figure of the row may be above 100.
    """
    if not has_figures(line.text):
        return False
    if kind == "share":
        row_and_header = f"{line.text} {line.header}".casefold()
        says_percent = "%" in row_and_header or "percent" in row_and_header
        return says_percent or not _has_above_hundred(line.text)
    row_terms = _labels(line.text) & set(terms(blank_dates(line.text)))
    by_header = kind == "count" or not row_terms  # a row whose label is a date
    header_terms = set(terms(blank_dates(line.header))) if by_header else set[str]()
    row_terms |= header_terms if by_header else find_synonyms(question, row_terms)
    return bool(row_terms & set(terms(question)) - VAGUE)


def _labels(row: str) -> set[str]:
    """Returns the terms of a row's label, and of the next cell if the label is an item's number.

    A label that is a year is no such number.
    """
    number, _, rest = row.strip("| ").partition(CELL)
    is_item = has_figures(number) and not any(map(str.isalpha, number))
    return label_terms(row) | (label_terms(rest) if is_item else set())


def _without_number(row: str) -> str:
    """Returns the sentence of a row that is a number and a sentence; other rows as they are."""
    number, _, prose = row.partition(CELL)
    is_prose = CELL not in prose and len(words(prose)) > WINDOW
    return prose if is_prose and _NUMBERED.fullmatch(number.strip("| ")) else row


def _has_above_hundred(row: str) -> bool:
    return any(
        len(number.partition(".")[0]) > 2 and number != "100"
        for number in numbers(blank_dates(row))
    )


def _counts(question: str, line: RankedLine, places: Sequence[int]) -> bool:
    """Tells whether what is counted stands near a number that counts nothing else.

    `places` are those of the numbers' tokens.
    """
    counted = counted_in(question) or _content(question, line)
    tokens = _TOKEN.findall(_plain(line.text))
    by_token = [terms(token) for token in tokens]
    places = [n for n in places if not counts_other(question, tokens[n + 1 :])]
    near = [{*chain(*by_token[max(0, n - WINDOW) : n + WINDOW + 1])} for n in places]
    return any(
        not counted or any(has_root(term, near_terms) for term in counted) for near_terms in near
    )


def _content(question: str, line: RankedLine) -> set[str]:
    """Returns the question's terms but for those that name the line's document."""
    names = re.sub(r"[\W_]+", " ", f"{line.passage.document} {line.passage.title}")
    return set(terms(question)) - set(terms(names)) - VAGUE


def _plain(text: str) -> str:
    """Returns a text without dates and references, whose numbers are no figures."""
    return blank_dates(_REFERENCE.sub(" ", text))


def _figures(text: str, asked_numbers: set[str]) -> Iterator[StatedFigure]:
    """Yields the figures of a sentence, except numbers of the question."""
    tokens = _TOKEN.findall(_plain(text))
    for n, token in enumerate(tokens):
        before, after = tokens[n - 1] if n else "", tokens[n + 1] if n + 1 < len(tokens) else ""
        if token.casefold() in _WORDS:
            yield StatedFigure(n, token, "count", after)
        elif not numbers(token) or token[0].isalpha() or numbers(token) <= asked_numbers:
            continue
        elif token.endswith("%") or after.casefold() in {"%", "percent", "percentage"}:
            yield StatedFigure(n, token, "share", after)
        elif token[0] in "$€£¥" or after.casefold() in _SCALES:
            yield StatedFigure(n, token, "amount", after)
        elif _UNIT.fullmatch(after):
            yield StatedFigure(n, token, "measure", after)
        elif not _is_part_of_name(token, before, after):
            yield StatedFigure(n, token, "count", after)


def _is_part_of_name(token: str, before: str, after: str) -> bool:
    """Tells whether a number is a part of a name, as in "Black Ops 4"."""
    return len(token) <= 2 and before[:1].isupper() and not after[:1].islower()
