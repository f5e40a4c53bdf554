"""Recognises questions for a total, a mean or a count of a table's rows. The rules are for English.

What a question asks for is only its operation; which table and which columns it means depends on
the tables.
"""

import re
from typing import Literal, NamedTuple

from footnote.text.language import STOPWORDS, words
from footnote.text.terms import stem

type TableFigure = Literal["sum", "mean", "count"]

_TOTAL = r"\b(?:total|sum|altogether|combined|overall|in all)\b"
_CHART = re.compile(
    r"\b(?:(?:draw|make|show)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?(?:(?:bar|line)\s+)?"
    r"(?:chart|plot|graph|diagram)s?\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many\b|\b(?:number|count) of\b", re.IGNORECASE)
_RULES: tuple[tuple[TableFigure, re.Pattern[str]], ...] = (
    ("mean", re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)),
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
}
_EMPTY = (STOPWORDS["en"] - _TURNING) | _NEUTRAL
_BY = re.compile(
    r"\b(?:by|per|(?:for|in|of|from|with) (?:each|every))\s+(?P<label>[a-z][a-z _-]{0,60})",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:how many|number of|count of)\s+(?P<noun>(?:\w+\s+){0,3}?\w+)(?=\s+(?:are|were|is|was|have"
    r"|had|has|in|of|from|with|where|do|did|does|there|that|which|by)\b|\W*\Z)",
    re.IGNORECASE,
)
UNKNOWN = "?"  # the noun of a question that does not say plainly what is counted
_ROWS = frozenset(map(stem, ("row", "rows", "entry", "entries", "record", "line", "item")))


class TableAsked(NamedTuple):
    """What a question asks of a table.

    `words` are the stems that the table must have, `text` all of them in order. `by` are those that
    may name a column to group by, `noun` those of what is counted: it is empty where rows are.
    """

    figure: TableFigure
    words: frozenset[str]
    text: tuple[str, ...]
    by: tuple[str, ...] = ()
    noun: frozenset[str] = frozenset()

    def names(self, label: str) -> bool:
        """Tells whether a label of several words stands in the question as it is."""
        wanted = stems_in(label)
        size = len(wanted)
        starts = range(len(self.text) - size + 1)
        return size > 1 and any(self.text[n : n + size] == wanted for n in starts)


def asked_of_table(question: str) -> TableAsked | None:
    """Returns what a question asks of a table, or None.

    "How many cars in total" asks for a sum: only a column of figures says how many cars. A chart of
    a column by another is one of its sums.
    """
    figure = next((name for name, rule in _RULES if rule.search(question)), None)
    if figure is None and _CHART.search(question) and not _HOW_MANY.search(question):
        figure = "sum"
    question = _CHART.sub(" ", question)
    if figure is None and not _HOW_MANY.search(question):
        return None
    by = _BY.search(question)
    return TableAsked(
        figure or "count",
        stems_of(question),
        stems_in(question),
        stems_in(by["label"]) if by else (),
        frozenset() if figure else _noun(question),
    )


def stems_of(text: str) -> frozenset[str]:
    """Returns the stems of all words that may say which rows or columns are meant."""
    return frozenset(stem(word) for word in words(text) if word not in _EMPTY)


def stems_in(text: str) -> tuple[str, ...]:
    """Returns the stems of all words in order, also of those that mean nothing in a question."""
    return tuple(map(stem, words(text)))


def _noun(question: str) -> frozenset[str]:
    match = _COUNTED.search(question)
    stems = frozenset(stems_in(match["noun"])) if match else frozenset({UNKNOWN})
    return frozenset() if stems <= _ROWS else stems
