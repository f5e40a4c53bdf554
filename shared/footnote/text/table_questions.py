"""Recognises questions that a table's rows answer: a total, a mean, a count, the largest, a list.

What a question asks for is only its operation; which table and which columns it means depends on
the tables. The rules are for English, with the commonest German words.
"""

import re
from typing import Literal, NamedTuple

from footnote.text.comparisons import Comparison, read_comparisons
from footnote.text.language import STOPWORDS, words
from footnote.text.terms import ENGLISH_NUMBERS, stem

type TableFigure = Literal["sum", "mean", "count", "share", "rows", "chart"]
type Ranked = Literal["", "largest first", "smallest first"]

MOST_RANKED = 20  # rows of one list of the largest
_TOTAL = r"\b(?:total|sum|altogether|combined|overall|in all|summe|gesamt\w{0,3}|insgesamt)\b"
_LARGEST = (
    r"largest|biggest|highest|greatest|most|maximum|longest|heaviest"
    r"|h\u00f6chste[nrsm]?|gr\u00f6\u00dfte[nrsm]?|meisten"
)
_SMALLEST = (
    r"smallest|lowest|least|fewest|minimum|shortest|lightest|cheapest"
    r"|niedrigste[nrsm]?|kleinste[nrsm]?|wenigsten"
)
_NUMBER = rf"\d{{1,2}}|{'|'.join(ENGLISH_NUMBERS)}"
_NTH = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
_SORTED = re.compile(
    r"\b(?:(?P<large>largest|highest|biggest)|(?P<small>smallest|lowest|cheapest)) first\b"
    r"|\bin (?:descending|(?P<up>ascending)) order(?: of)?\b"
    r"|\b(?:sorted|ordered|ranked) by\b",
    re.IGNORECASE,
)
_RANKED = re.compile(
    rf"\b(?:(?P<nth>{'|'.join(_NTH)})[ -])?(?:(?P<largest>{_LARGEST})|(?P<smallest>{_SMALLEST}))\b"
    r"|\b(?:(?P<top>top)|(?P<bottom>bottom))\b",
    re.IGNORECASE,
)
_BEST = re.compile(r"\b(?:best|worst|leading|first|last|record|more than any)\b", re.IGNORECASE)
_HOW_MANY_FIRST = re.compile(
    r"\b(?:top|bottom|which|what are the|the|list|show|name)(?: me)?(?: the)?"
    rf" (?P<n>{_NUMBER})\b(?! %)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\b(?:what|which) (?:share|proportion|percentage|fraction) of(?: the)?\b", re.IGNORECASE
)
_ASKS_ROWS = re.compile(
    r"^\W*(?:(?:please|in) )?(?:which|what|who|list|show|name|give|find|welche[nrs]?)\b"
    r"(?: me| us)?(?: (?:is|are|was|were|all|of))*(?: (?:the|our|those|all))*",
    re.IGNORECASE,
)
_MANY = re.compile(r"\W*welche\b", re.IGNORECASE)
_CHART = re.compile(
    r"\b(?:(?:draw|make|show)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?(?:(?:bar|line)\s+)?"
    r"(?:chart|plot|graph|diagram)s?\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many\b|\b(?:number|count) of\b|\bwie ?viele\b", re.IGNORECASE)
_RULES: tuple[tuple[TableFigure, re.Pattern[str]], ...] = (
    ("mean", re.compile(r"\b(?:average|mean|durchschnitt\w{0,6})\b", re.IGNORECASE)),
    ("sum", re.compile(_TOTAL, re.IGNORECASE)),
)
# Words that say how rows are chosen. One that no label has is a test that rules do not read.
_TURNING = frozenset(
    {"after", "and", "any", "before", "but", "by", "if", "more", "most", "no", "not", "or"}
) | {"other", "over", "so", "some", "such", "than", "under", "when"}
_FIGURES = frozenset({"total", "sum", "average", "mean", "number", "count", "combined", "overall"})
_NEUTRAL = _FIGURES | {
    *("much", "many", "altogether", "figure", "figures", "value", "values", "amount", "amounts"),
    *("row", "rows", "entry", "entries", "record", "records", "line", "lines", "table", "list"),
    *("sheet", "file", "document", "listed", "shown", "given", "made", "placed", "place", "make"),
    *(
        "chart",
        "charts",
        "plot",
        "plots",
        "graph",
        "diagram",
        "draw",
        "bar",
        "bars",
        "us",
        "against",
    ),
    *("recorded", "according", "tell", "me", "show", "give", "calculate", "compute", "please"),
    *("went", "goes", "came", "comes", "accounts", "accounted", "both"),
    *("received", "got", "gets"),
    *("name", "find", "those", "who", "whose", "wie", "viel", "viele", "welche", "welcher"),
    *("der", "die", "das", "den", "dem", "des", "ist", "sind", "war", "hat", "haben", "alle"),
    *("keine", "keinen", "keiner", "es", "gibt", "im", "an", "auf", "aus", "von", "vom", "zu"),
    *("f\u00fcr", "stehen", "steht", "liegen", "liegt", "befinden", "located", "stored", "kept"),
    *("summe", "insgesamt", "gesamt", "durchschnitt", "durchschnittliche", "mit", "einem", "einer"),
}
EMPTY = (STOPWORDS["en"] - _TURNING) | _NEUTRAL
EMPTY_STEMS = frozenset(stem(each) for word in EMPTY for each in words(word))
_BY = re.compile(
    r"\b(?:by|per|(?:for|in|of|from|with) (?:each|every))\s+(?P<label>[a-z][a-z _-]{0,60})",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:how many|number of|count of)\s+(?P<noun>(?:\w+\s+){0,3}?\w+)(?=\s+(?:are|were|is|was|have"
    r"|had|has|in|of|from|with|where|do|did|does|there|that|which|by)\b|\W*\Z)",
    re.IGNORECASE,
)
MOST_ITEM = 6  # stems behind "which"
UNKNOWN = "?"  # the noun of a question that does not say plainly what is counted
_ROWS = frozenset(map(stem, ("row", "rows", "entry", "entries", "record", "line", "item")))


class TableAsked(NamedTuple):
    """What a question asks of a table.

    `words` are the stems that the table must have, `text` all of them in order. `by` are those that
    may name a column to group by, `noun` those of what is counted: it is empty where rows are. Of
    what is ranked it is the first behind "most".
    `item` are those behind "which": the first may name what is compared or listed. Of what is
    `ranked`, `most` are wanted (0 for all) from place `first`. `excluded`: the stems after each
    "not".
    """

    figure: TableFigure
    words: frozenset[str]
    text: tuple[str, ...]
    by: tuple[str, ...] = ()
    noun: frozenset[str] = frozenset()
    item: tuple[str, ...] = ()
    ranked: Ranked = ""
    first: int = 1
    most: int = 0
    comparisons: tuple[Comparison, ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()

    @property
    def ranks(self) -> bool:
        """Whether rows are compared with a value or each other."""
        return bool(self.ranked) or any(not each.is_period for each in self.comparisons)

    @property
    def is_plain_extreme(self) -> bool:
        """Whether the very first is wanted, of rows that nothing but a period chooses."""
        is_first = self.first == 1 and self.most <= 1
        is_whole = all(each.is_period for each in self.comparisons)
        return is_first and is_whole and not self.excluded

    def names(self, label: str) -> bool:
        """Tells whether a label of several words stands in the question as it is."""
        wanted = stems_in(label)
        size = len(wanted)
        starts = range(len(self.text) - size + 1)
        return size > 1 and any(self.text[n : n + size] == wanted for n in starts)


def asked_of_table(
    question: str, *, wants_chart: bool = False, lists: bool = False
) -> TableAsked | None:
    """Returns what a question asks of a table, or None.

    "How many cars in total" asks for a sum: only a column of figures says how many cars. What else
    is asked with a chart is the chart of a column. What `lists` asks for rows, also without a
    comparison.
    """
    compared = read_comparisons(question)
    wants_chart = wants_chart or bool(_CHART.search(question))
    ranking = _ranking(_CHART.sub(" ", compared.text))
    figure = _figure(ranking.text, wants_chart=wants_chart)
    if (
        ranking.is_extreme
    ):  # the largest number of orders: a column may have it, or rows are counted
        figure = figure if figure == "mean" else "sum"
    elif ranking.order:
        figure = "rows"
    if figure in {None, "chart"} and (lists or compared.comparisons or compared.excluded):
        figure = "rows" if _ASKS_ROWS.match(ranking.text) else figure
    if figure is None:
        return None
    by = _BY.search(ranking.text)
    bare = _SHARE.sub(" ", ranking.text)
    return TableAsked(
        figure,
        stems_of(bare),
        stems_in(bare),
        stems_in(by["label"]) if by else (),
        _noun(ranking.text) if figure == "count" else ranking.noun,
        stems_in(_ASKS_ROWS.sub("", bare))[:MOST_ITEM],
        ranking.order,
        ranking.first,
        ranking.most,
        compared.comparisons,
        compared.excluded,
    )


def lists_rows(question: str) -> TableAsked | None:
    """Returns what a German question for a list asks of a table, or None.

    "Welche Maschinen" are several, or one whose noun is feminine: its row is the answer as well.
    """
    return asked_of_table(question, lists=True) if _MANY.match(question) else None


def ranks_rows(question: str) -> bool:
    """Tells whether a question compares rows with a value or each other."""
    asked = asked_of_table(question)
    return asked is not None and asked.ranks


def states_choice(question: str, text: str, *, is_row: bool) -> bool:
    """Tells whether a line may answer a question that compares or leaves out: no row alone does.

    What is largest is said by a sentence that says so.
    """
    asked = asked_of_table(question)
    if asked is None or not (asked.ranks or asked.excluded or asked.figure == "share"):
        return True
    return not is_row and (not asked.ranked or says_rank(text))


def says_rank(text: str) -> bool:
    """Tells whether a text says that something is the largest or smallest."""
    return bool(_RANKED.search(text) or _BEST.search(text))


class _Ranking(NamedTuple):
    """A question without the words that rank, and what they say."""

    text: str
    order: Ranked = ""
    first: int = 1
    most: int = 0
    noun: frozenset[str] = frozenset()
    is_extreme: bool = False


def _ranking(question: str) -> _Ranking:
    """Reads "the second highest", "top 3", "largest first"."""
    if not _ASKS_ROWS.match(question):
        return _Ranking(question)
    if match := _SORTED.search(question):
        order: Ranked = "smallest first" if match["small"] or match["up"] else "largest first"
        return _Ranking(_SORTED.sub(" by " if match[0].endswith("by") else " ", question), order)
    match = _RANKED.search(question)
    if match is None or _HOW_MANY.match(question):
        return _Ranking(question)
    order = "largest first" if match["largest"] or match["top"] else "smallest first"
    number = _HOW_MANY_FIRST.search(question)
    most = 1
    if number and not match["nth"]:
        said = number["n"].casefold()
        most = int(said) if said.isdecimal() else ENGLISH_NUMBERS[said]
        question = f"{question[: number.start('n')]} {question[number.end('n') :]}"
    first = _NTH[match["nth"].casefold()] if match["nth"] else 1
    noun = [s for s in stems_in(question[match.end() :]) if s not in EMPTY_STEMS][:1]
    bare = _RANKED.sub(" ", question, count=1)
    most = most if most <= MOST_RANKED else 1
    return _Ranking(bare, order, first, most, frozenset(noun), is_extreme=True)


def _figure(question: str, *, wants_chart: bool) -> TableFigure | None:
    if _SHARE.search(question):
        return "share"
    figure = next((name for name, rule in _RULES if rule.search(question)), None)
    if figure is None and _HOW_MANY.search(question):
        return "count"
    return "chart" if figure is None and wants_chart else figure


def stems_of(text: str) -> frozenset[str]:
    """Returns the stems of all words that may say which rows or columns are meant."""
    return frozenset(stem(word) for word in words(text) if word not in EMPTY)


def stems_in(text: str) -> tuple[str, ...]:
    """Returns the stems of all words in order, also of those that mean nothing in a question."""
    return tuple(map(stem, words(text)))


def _noun(question: str) -> frozenset[str]:
    match = _COUNTED.search(question)
    stems = frozenset(stems_in(match["noun"])) if match else frozenset({UNKNOWN})
    return frozenset() if stems <= _ROWS else stems
