"""Tells what kind of figure a question asks for, and whether a line states one of that kind.

"How many employees were dismissed?" is not answered by a sentence about dismissals that has no
number, nor by one whose only numbers are a year and a percentage, and "What is the default timeout,
in seconds?" by none that has no number. The rules are for English: of questions in other languages
no kind is known, and in other languages any line may state it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

from footnote.adapters.extractive.features import Candidate, candidates, label_terms
from footnote.model import CELL, Evidence
from footnote.text.computations import asked_computation
from footnote.text.extremes import asked_extreme
from footnote.text.glossary import told_names
from footnote.text.language import detect_language, words
from footnote.text.number_words import ENGLISH
from footnote.text.ratios import asked_ratios
from footnote.text.table_lines import blank_dates, has_figures
from footnote.text.terms import has_root, numbers, terms

type Figure = Literal["share", "count", "amount", "measure", "version", ""]

NEAR_BEST = 0.9  # share of the best candidate's score down to which a figure is looked for
WINDOW = 6  # words before and after a number among which what is counted must stand
_UNITS = (
    r"(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|bits?|bytes?|[kmg]i?b"
    r"|(?:kilo|mega|giga)bytes?|characters?|(?:hex |decimal )?digits?"
    r"|(?:kilo|centi|milli)?met(?:er|re)s?|km|miles?|feet|inches|kilograms?|kg|tons?|tonnes?"
    r"|degrees?|watts?"
)
_MEASURES = (
    r"(?:(?:default|maximum|minimum|longest|largest|smallest) )?(?:interval|delay|time-?out|size"
    r"|length|duration|limit|maximum|minimum|threshold|port|width|height|depth|weight|speed|distance"
    r"|capacity|lifetime|alignment)"
)
_ASKS: Mapping[Figure, re.Pattern[str]] = {
    "share": re.compile(
        r"\bpercent(?:age)?\b|\bper cent\b|\bwhat %"
        r"|\b(?:what|which) (?:share|proportion|fraction|portion)\b",
        re.IGNORECASE,
    ),
    "count": re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE),
    "amount": re.compile(
        r"\bhow much\b"
        r"|\b(?:what|which) (?:(?:is|was|are|were) (?:[\w'\u2019.&-]+ ){0,8})?"
        r"(?:amounts?|prices?|costs?|fees?|rents?|pay|wages?|salary|salaries|tuition|expenses?"
        r"|revenues?|sales|income|profits?|earnings|dividends?|debt|cash|assets|margins?|rates?"
        r"|ratios?|totals?)\b",
        re.IGNORECASE,
    ),
    "measure": re.compile(
        rf"\bin (?:{_UNITS})\b|\bhow (?:long|big|large|tall|high|wide|deep|heavy|fast)\b"
        rf"|\b(?:what|which) (?:(?:is|was|are|were) (?:[\w'\u2019.&-]+ ){{0,6}})?(?:{_MEASURES})\b"
        rf"|\b(?:default|max|min|maximum|minimum) (?:[\w.]+ ){{0,3}}(?:{_MEASURES})\b",
        re.IGNORECASE,
    ),
    "version": re.compile(
        r"\b(?:what|which) (?:[\w.-]+ ){0,3}(?:versions?|releases?|edition|year|date)\b"
        r"|\bsince when\b",
        re.IGNORECASE,
    ),
}
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
_PARTS = re.compile(r"\b(?:half|thirds?|quarters?|majority)\b", re.IGNORECASE)
# "note 4", "page 12" and "§ 3" count nothing, nor do [3] and (12)
_REFERENCE = re.compile(
    r"\[\d+\]|\(\d{1,2}\)|^\(?\d{1,3}[.)]\s|\b(?:notes?|items?|section|pages?|figure|table|exhibit"
    r"|part|chapter|step|rule|article|paragraphs?|form|no|level|phase|version|unit)\.? \d[\d.]*",
    re.IGNORECASE,
)
# "10.8 | The plan is incorporated …" is a numbered line of prose, and no row of figures
_NUMBERED = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,3}[.)*]?")
_TOKEN = re.compile(r"[$€£¥]?\d(?:[\d,.]*\d)?%?|[^\W\d_][\w'\u2019&-]*|[%|]")


def asked_figure(question: str) -> Figure:
    """Returns the kind of figure that a question asks for, "" where that is none or unclear.

    What code works out (a ratio, a change in percent, the largest of a column) is none: no line
    needs to state it.
    """
    if asked_ratios(question) or asked_computation(question) or asked_extreme(question):
        return ""
    return next((kind for kind, asks in _ASKS.items() if asks.search(question)), "")


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
    is_row = CELL in one.text
    return (_row_states if is_row else _sentence_states)(kind, question, one)


def _sentence_states(kind: Figure, question: str, one: Candidate) -> bool:
    found = list(_figures(one.text, numbers(question)))
    match kind:
        case "share":
            return "share" in dict(found).values() or bool(_PARTS.search(one.text))
        case "count":
            return _counts(question, one, [n for n, is_of in found if is_of == "count"])
        case "amount" | "measure":
            return bool(found or _BOUNDLESS.search(one.text))
        case _:
            return True


def _row_states(kind: Figure, question: str, one: Candidate) -> bool:
    """Tells it of a row. Its label, or its table's header, must be of what is asked for.

    Of a share either must speak of percent, or no figure of the row may be above 100.
    """
    if not has_figures(one.text):
        return False
    if kind == "share":
        both = f"{one.text} {one.header}".casefold()
        return "%" in both or "percent" in both or not _has_above_hundred(one.text)
    told = label_terms(one.text) & set(terms(blank_dates(one.text)))
    by_header = kind == "count" or not told  # a row whose label is a date
    told |= set(terms(blank_dates(one.header))) if by_header else told_names(question, told)
    return bool(told & set(terms(question)) - _VAGUE)


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


def _figures(text: str, given: set[str]) -> Iterator[tuple[int, Figure]]:
    """Yields the figures of a sentence, but for those `given` in the question.

    Each as the place of its token, and what it is: a "share" in percent, an "amount" of money, else
    a "count".
    """
    tokens = _TOKEN.findall(_plain(text))
    for n, token in enumerate(tokens):
        before, after = tokens[n - 1] if n else "", tokens[n + 1] if n + 1 < len(tokens) else ""
        if token.casefold() in _WORDS:
            yield n, "count"
        elif not numbers(token) or token[0].isalpha() or numbers(token) <= given:
            continue
        elif token.endswith("%") or after.casefold() in {"%", "percent", "percentage"}:
            yield n, "share"
        elif token[0] in "$€£¥" or after.casefold() in _SCALES:
            yield n, "amount"
        elif not _is_named(token, before, after):
            yield n, "count"


def _is_named(token: str, before: str, after: str) -> bool:
    """Tells whether a number is a part of a name, as in "Black Ops 4"."""
    return len(token) <= 2 and before[:1].isupper() and not after[:1].islower()
