"""Recognises the three primary statements of a financial report by the labels of their rows.

A heading is no sure sign. It may be missing, or all tables of the notes may stand under "Statements
of cash flows". The rows are nearly the same in every report. English only.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal

type StatementKind = Literal["balance_sheet", "income_statement", "cash_flow_statement"]
LEAST = 6
"""The fewest kinds of rows of a statement. Of 1,045 tables, statements have 6 to 14; all others but
nine have at most 5 (docs/experiments-search.md, "The statement that has the figure").
"""
MOST_ROWS = 200  # of a table that are read: statements have some 50
_WORD = re.compile(r"[a-z0-9]+")
_APOSTROPHE = re.compile("['\u2019]")
ROWS: Mapping[StatementKind, Sequence[tuple[str, ...]]] = {
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
"""The kinds of rows of each statement, with the words of their labels."""


def statement_of(labels: Iterable[str]) -> StatementKind | None:
    """Returns the statement that a table is; None for any other table.

    `labels` are the first cells of its rows.
    """
    words = "\n".join(f" {_flat(label)} " for label in islice(labels, MOST_ROWS))
    kinds_found = {
        statement: sum(any(f" {each} " in words for each in kind) for kind in kinds)
        for statement, kinds in ROWS.items()
    }
    likeliest = max(kinds_found, key=lambda statement: kinds_found[statement])
    return likeliest if kinds_found[likeliest] >= LEAST else None


def _flat(label: str) -> str:
    """Returns the words of a label. An apostrophe does not split a word."""
    return " ".join(_WORD.findall(_APOSTROPHE.sub("", label.casefold())))
