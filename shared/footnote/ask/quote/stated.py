"""Tells whether a line surely states what a question asks for.

Nothing in it is fitted to questions. The judge of lines was trained to tell a line that answers
from "none of these", which has the log-odds 0: that is its own threshold. A line that it has not
read must have all words of the question, itself or in what it stands under. Where no judge reads,
as in other languages than English, it must have the names, the figures, and half of the words.
"""

import re

from footnote.accounting.glossary import find_synonyms
from footnote.ask.evidence.line_judge import space_name
from footnote.ask.evidence.passages import text_with_headings
from footnote.ask.evidence.unknown_words import ASKING
from footnote.ask.quote.figure_asked import FigureKind, asked_figure
from footnote.ask.quote.figure_stated import states
from footnote.ask.quote.lines import RankedLine
from footnote.model import CELL, Evidence
from footnote.text.computations import asked_computation
from footnote.text.language import STOPWORDS, words
from footnote.text.names import DATES, called_words
from footnote.text.terms import has_root, numbers, stem, terms

NONE_OF_THEM = 0.0  # the judge's log-odds of "none of these lines" (evals/train_reader.py)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PART = (
    r"\b(?:(?:first|second|third|fourth|last|1st|2nd|3rd|4th)[ -](?:quarter|half)|[qh][1-4]"
    r"|(?:three|six|nine|[369])[ -]months?|quarter|half[ -]year|month)"
)
_YEARS = r"(?:fiscal |fy ?)?(?:19|20)\d\d(?:\s*(?:\||and)\s*(?:19|20)\d\d)*(?!\d)"
_DATE = r"(?:\d{1,2} )?(?:[a-z]+\.? )?(?:\d{1,2}\b)?"
# A year with the part of it that a figure is of: "Q3 2022", "the quarter ended 30 June 2022".
_OF_PART = re.compile(
    rf"{_PART}(?: (?:ended|ending|to|of|in|through))?[\s,|(]*+{_DATE}[\s,|]*+{_YEARS}"
    r"|(?:19|20)\d\d[\s/-]?[qh][1-4]\b",
    re.IGNORECASE,
)
_OF_PERIODS = frozenset[FigureKind]({"share", "count", "amount"})  # a price is of a moment
_ASKS_FOR_PART = re.compile(_PART, re.IGNORECASE)
_NO_PARTS = frozenset({"fiscal", "fy", "cy", "may"})  # "may" is seldom the month


def states_surely(question: str, line: RankedLine, evidence: Evidence) -> bool:
    """Tells whether a line is an answer: of the kind that is asked for, of the years asked for."""
    figure = asked_figure(question)
    return (
        # `fits` knows no numbers in words
        (states(figure, question, line) if figure else line.fits)
        and line.passage.document_id not in evidence.strange
        and _has_years(question, line)
        and (_is_read_as_answer(line) or _says_it(question, line, evidence))
    )


def _is_read_as_answer(line: RankedLine) -> bool:
    log_odds = line.sentence.states
    return log_odds is not None and log_odds > NONE_OF_THEM


def _has_years(question: str, line: RankedLine) -> bool:
    """Tells whether a line names a year that is asked for, or none while its passage has them.

    The figure of a quarter or half of a year is not the year's.
    """
    asked = set(_YEAR.findall(question))
    written, around = f"{line.header} {line.text}", text_with_headings(line.passage)
    is_dated = bool(asked and _YEAR.search(written))
    if _asks_for_whole_years(question, line):
        written, around = (_OF_PART.sub(" ", text) for text in (written, around))
    if is_dated:
        return bool(asked & set(_YEAR.findall(written)))
    return asked <= set(_YEAR.findall(around))


def _asks_for_whole_years(question: str, line: RankedLine) -> bool:
    """Tells whether a figure is asked for that a quarter or half of a year does not have.

    What a row of figures answers is a figure, whatever words ask for it.
    """
    asks_for_part = _ASKS_FOR_PART.search(question) or not (DATES - _NO_PARTS).isdisjoint(
        words(question)
    )
    kind = asked_figure(question)
    is_figure = kind in _OF_PERIODS or (not kind and CELL in line.text)
    return is_figure and not asks_for_part


def _says_it(question: str, line: RankedLine, evidence: Evidence) -> bool:
    """Tells whether the line has the question's words, or what it stands under has them."""
    asked = _terms_asked(question)
    own = _terms_around(question, line)
    missing = {term for term in asked if not has_root(term, own)}
    sentences = (sentence for passage in evidence.passages for sentence in passage.sentences)
    if any(sentence.states is not None for sentence in sentences):
        return bool(asked) and not missing
    needed = set(terms(" ".join((*called_words(question), *numbers(question)))))
    is_of_two = asked_computation(question) is not None  # a line may be about one of them
    has_names = missing.isdisjoint(needed) or (is_of_two and not needed <= missing)
    return bool(asked) and has_names and 2 * len(missing) <= len(asked)


def _terms_asked(question: str) -> set[str]:
    informative = (word for word in words(question) if word not in STOPWORDS["en"])
    return {term for word in informative if stem(word) not in ASKING for term in terms(word)}


def _terms_around(question: str, line: RankedLine) -> set[str]:
    """Returns the terms of a line, its table's header, its headings and its document's name."""
    passage = line.passage
    under = (line.header, *passage.section, passage.title, space_name(passage.document))
    own = set(terms(" ".join((line.text, *under))))
    return own | find_synonyms(question, own)
