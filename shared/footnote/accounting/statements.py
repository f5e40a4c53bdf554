"""The three primary statements of a financial report, told by the labels of their rows.

A heading is no sure sign. It may be missing, or the notes behind it may have none of their own, so
that all their tables stand under "Statements of cash flows". The rows are nearly the same in every
report. Only English is known.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal

type Statement = Literal["balance_sheet", "income_statement", "cash_flow_statement"]
LEAST = 6
"""Kinds of rows that a statement has at least. Of 1,045 tables, statements have 6 to 14 and others
at most 5, but for nine (docs/experiments-search.md, "The statement that has the figure")."""
MOST_ROWS = 200  # of a table that are read: statements have some 50
_WORD = re.compile(r"[a-z0-9]+")
_APOSTROPHE = re.compile("['\u2019]")
ROWS: Mapping[Statement, Sequence[tuple[str, ...]]] = {
    "balance_sheet": (
        ("total assets",),
        ("total current assets",),
        ("total current liabilities",),
        ("total liabilities",),
        ("liabilities and stockholders", "liabilities and shareholders", "liabilities and equity"),
        ("stockholders equity", "shareholders equity", "total equity", "shareowners equity"),
        ("cash and cash equivalents",),
        ("retained earnings", "accumulated deficit", "paid in capital"),
        ("receivable", "receivables"),
        ("inventory", "inventories"),
        ("accounts payable", "trade payables"),
        ("goodwill",),
        ("property",),
        ("long term debt", "long term borrowings", "short term borrowings"),
    ),
    "income_statement": (
        ("revenue", "revenues", "net sales", "total sales"),
        ("cost of sales", "cost of revenue", "cost of revenues", "cost of goods", "costs of sales"),
        ("gross profit", "gross margin"),
        ("operating income", "operating profit", "operating loss", "from operations"),
        ("before income taxes", "before income tax", "before taxes", "before provision"),
        ("provision for", "income tax expense", "income taxes", "benefit from"),
        ("net income", "net earnings", "net loss", "profit for the year"),
        ("basic", "diluted", "per share"),
        ("selling", "general and administrative"),
        ("research and development", "technology and development"),
        ("interest expense",),
    ),
    "cash_flow_statement": (
        ("operating activities",),
        ("investing activities",),
        ("financing activities",),
        ("depreciation",),
        ("purchases of property", "purchase of property", "capital expenditures", "additions to"),
        ("end of period", "end of the period", "end of year", "end of the year"),
        ("beginning of period", "beginning of the period", "beginning of year"),
        ("dividends",),
        ("repurchase of", "repurchases of", "purchases of treasury", "purchase of treasury"),
        ("stock based compensation", "share based compensation"),
        ("increase in cash", "decrease in cash", "change in cash", "increase decrease in cash"),
    ),
}
"""By statement, the kinds of its rows, each with what their labels say."""


def statement_of(labels: Iterable[str]) -> Statement | None:
    """Returns the statement that a table is, None for any other table.

    `labels` are the first cells of its rows.
    """
    said = "\n".join(f" {_flat(label)} " for label in islice(labels, MOST_ROWS))
    found = {
        statement: sum(any(f" {each} " in said for each in kind) for kind in kinds)
        for statement, kinds in ROWS.items()
    }
    likeliest = max(found, key=lambda statement: found[statement])
    return likeliest if found[likeliest] >= LEAST else None


def _flat(label: str) -> str:
    """Returns the words of a label; an apostrophe parts none."""
    return " ".join(_WORD.findall(_APOSTROPHE.sub("", label.casefold())))
