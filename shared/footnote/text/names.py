"""The names by which a question may mean a document: words, joined words, periods and forms.

A document has names in its title, its file name and its first lines. A question names it when it
has some of them. Neighbouring words also count joined, so that "Best Buy" meets BESTBUY. Periods
and forms get one spelling: "FY24", "fiscal 2024" and "2024Q2" contain `y2024`, "Q2 of FY2024" and
"second quarter" contain `q2`, "10-K" and "10K" are `10k`.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import NamedTuple

from footnote.text.language import detect_language, stop_words

MOST = 400  # names of a text
MOST_MENTIONED = 20_000  # of a document, the first ones: a node has to stay small
MOST_ASKED = 100  # of a question: each is a clause of a query
_LONGEST = 60  # characters of a name
_JOINED = (2, 3)  # words in a row that are joined

_LAST_QUARTER = 4

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"\b(?:fy|cy)\s?'?(\d\d)(?!\d)", re.IGNORECASE)
_QUARTER = re.compile(
    r"(?:\b|(?<=[\d_]))q([1-4])"
    r"(?:\s?(?:of\s|,\s)?(?:(?:fy|cy)?\s?(20\d\d)(?!\d)|(?:fy\s?'?|cy\s?'?|')(\d\d)(?!\d)))?",
    re.IGNORECASE,
)
_NUMBERED_QUARTER = re.compile(
    r"\b(first|second|third|fourth)[\s-]quarter\b(?:\s(?:of\s)?(?:fiscal\s|fy\s?)?(20\d\d)(?!\d))?",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FORM = re.compile(r"(?:\b|(?<=_))(\d{1,2})[\s-]?([kqf])(?![^\W_])", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W\d_]+)?")
_POSSESSIVE = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}]s?$")
_APOSTROPHE = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOKEN = re.compile(r"[^\W_][\w&'\N{RIGHT SINGLE QUOTATION MARK}-]*|[.!?:,;()\"]")
_ENDS = ".!?:"
_SHORT = 4  # letters of an abbreviation
DATES = frozenset(
    (
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december", "fiscal", "quarter", "fy", "cy"),
    )
)
_NOUNS_CAPITALISED = {"de", "lb"}
_NO_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2,}")


def names(*texts: str, most: int = MOST) -> tuple[str, ...]:
    """Returns the names in texts, each once: words without stop words, joins, periods, forms."""
    collected: dict[str, None] = {}
    for text in texts:
        for name in _names(text):
            collected.setdefault(name)
            if len(collected) >= most:
                return tuple(collected)
    return tuple(collected)


def has_name(called: frozenset[str], texts: Iterable[str]) -> bool:
    """Tells whether one of the texts has one of the names."""
    return any(name in called for text in texts for name in _names(text))


def asked_names(question: str) -> tuple[str, ...]:
    """Returns the names in a question, at most as many as a query takes.

    The last period in the question comes first: its report also has earlier figures, for
    comparison.
    """
    reports = _reports(_last_period(question))
    return (*reports, *names(question, most=MOST_ASKED - len(reports)))


def proper_names(question: str) -> tuple[str, ...]:
    """Returns the proper names in a question: capitalised words, periods and forms.

    The first word of a sentence counts if the next one is capitalised, too, or if it is in
    capitals. A question in capitals alone, or in German, which capitalises nouns, gives only
    periods and forms.
    """
    runs: Iterator[str] = iter(())
    if question.upper() != question and detect_language(question) not in _NOUNS_CAPITALISED:
        runs = _capitalised(question)
    called = (
        *_reports(_last_period(question)),
        *_periods(question),
        *names(*runs, most=MOST_ASKED),
    )
    return tuple(dict.fromkeys(called))[:MOST_ASKED]


def called_words(question: str) -> frozenset[str]:
    """Returns the words of a question's proper names, without periods, forms and short capitals.

    "CEO" or "USD" may be spelled out in the answering text, and names no subject. A word of code is
    left out, too: it is compared as a whole (`code_words`).
    """
    if question.upper() == question or detect_language(question) in _NOUNS_CAPITALISED:
        return frozenset()
    stop = stop_words(question)
    tokens = (token for run in _capitalised(question) for token in run.split() if "_" not in token)
    spelled = (word for token in tokens for word in _WORD.findall(token))
    called = (_bare(word) for word in spelled if len(word) > _SHORT or not _is_in_capitals(word))
    return frozenset(word for word in called if len(word) > 1 and word not in stop | DATES)


def _capitalised(text: str) -> Iterator[str]:
    """Yields runs of capitalised words."""
    run: list[str] = []
    is_start = begins = True  # of a sentence: the next word, the run's first
    for token in (*_TOKEN.findall(text), _ENDS[0]):
        if token[0].isupper():
            begins = begins if run else is_start
            run.append(token)
        else:
            if len(run) > 1 or any(not begins or _is_in_capitals(word) for word in run):
                yield " ".join(run)
            run = []
        is_start = token in _ENDS


def _is_in_capitals(word: str) -> bool:
    bare = _POSSESSIVE.sub("", word)
    return len(bare) > 1 and bare.isupper()


def document_names(title: str, name: str, first: str) -> tuple[str, ...]:
    """Returns the names of a document: those of its title, its file's name and its first lines.

    The first is the period that it reports, from the file's name or the title. "y2023" is a name of
    all documents that mention that year, "of2023" of the year's report, "of2023q2" of a quarter's.
    A report of the fourth quarter has the year's figures, too.
    """
    period = _last_period(name) or _last_period(title)
    reports = _reports(period)
    if period and period.quarter == _LAST_QUARTER:
        reports += _reports(Period(period.year))
    return (*reports, *names(title, name, first, most=MOST - len(reports)))


def mentioned(text: str) -> tuple[str, ...]:
    """Returns the proper names in a text: capitalised words, alone and joined, periods and forms.

    With all words an index of short reports grows by 14 % instead of 5, and ranks nearly the same
    (docs/experiments-search.md, "Names that many texts mention").
    """
    stop = stop_words(text)
    collected: dict[str, None] = {}
    for name in chain(_periods(text), _capitalised_names(text)):
        if 1 < len(name) <= _LONGEST and name not in stop:
            collected.setdefault(name)
            if len(collected) == MOST_MENTIONED:
                break
    return tuple(collected)


class Period(NamedTuple):
    """A year, or one of its quarters; 0 means the whole year."""

    year: int
    quarter: int = 0


def _reports(period: Period | None) -> tuple[str, ...]:
    """Returns the name of a period's report; none for no period."""
    if period is None:
        return ()
    return (f"of{period.year}q{period.quarter}" if period.quarter else f"of{period.year}",)


def _last_period(text: str) -> Period | None:
    """Returns the last year in a text, with the last quarter of it that the text names.

    A quarter without a year counts as one of the last year.
    """
    years = {int(name[1:]) for name in _periods(text) if name[0] == "y"}
    if not years:
        return None
    last = max(years)
    of_last = [quarter for quarter, year in _quarters(text) if year in {0, last}]
    return Period(last, max(of_last, default=0))


def _quarters(text: str) -> Iterator[tuple[int, int]]:
    """Yields each quarter with its year, or 0 without one."""
    for quarter, year, short in _QUARTER.findall(text):
        yield int(quarter), int(year or (f"20{short}" if short else 0))
    for which, year in _NUMBERED_QUARTER.findall(text):
        yield _QUARTERS[which.lower()], int(year or 0)


def _capitalised_names(text: str) -> Iterator[str]:
    for run in _capitalised_words(text):
        for at, length in product(range(len(run)), (1, *_JOINED)):
            if at + length <= len(run):
                yield "".join(run[at : at + length])


def _capitalised_words(text: str) -> Iterator[list[str]]:
    """Yields runs of capitalised words with only blanks between them."""
    run: list[str] = []
    end = 0  # of the run
    spaced = _spaced(text)
    for match in _WORD.finditer(spaced):
        start, word = match.start(), match[0]
        if run and not (word[0].isupper() and spaced[end:start].isspace()):
            yield run
            run = []
        if word[0].isupper():
            run.append(_bare(word))
            end = match.end()
    if run:
        yield run


def _names(text: str) -> Iterator[str]:
    yield from _periods(text)
    stop = stop_words(text)
    spelled = _WORD.findall(_spaced(text))
    words = [word for word in map(_bare, spelled) if len(word) > 1]
    for at, word in enumerate(words):
        if word in stop:
            continue
        if len(word) <= _LONGEST:
            yield word
        for run in _NO_BLANKS.findall(word):
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        for length in _JOINED:
            joined = words[at : at + length]
            if len(joined) == length and not stop.intersection(joined):
                name = "".join(joined)
                if len(name) <= _LONGEST:
                    yield name


def _spaced(text: str) -> str:
    """Returns the text with blanks where joined words meet: "BestBuy", "best_buy"."""
    return _HUMP.sub(" ", text.replace("_", " "))


def _bare(word: str) -> str:
    return _APOSTROPHE.sub("", _POSSESSIVE.sub("", word)).casefold()


def _periods(text: str) -> Iterator[str]:
    for year in _YEAR.findall(text):
        yield f"y{year}"
    for year in _SHORT_YEAR.findall(text):
        yield f"y20{year}"
    for quarter, year in _quarters(text):
        yield f"q{quarter}"
        if year:
            yield f"y{year}"
    for number, letter in _FORM.findall(text):
        yield f"{number}{letter.lower()}"
