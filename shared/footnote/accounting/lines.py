"""The lines of financial statements: their statement, and their labels. English only."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from footnote.accounting.glossary import flat
from footnote.accounting.statements import Statement

# The part of a label that is not its name: "Inventories, net of reserves", "Dividends (note 3)",
# "Cost of sales, including buying and occupancy".
_BESIDE = re.compile(
    r"(?:,\s*|\s\(\s*|\s)(?:net|less|including)\b.*|\(note.*",
    re.IGNORECASE | re.DOTALL,
)


class Line(NamedTuple):
    """A line of a statement: the labels of its row, likeliest first, and its other names.

    A label that ends with "*" is only the beginning of one.
    """

    statement: Statement
    labels: tuple[str, ...]
    called: tuple[str, ...] = ()


LINES: Mapping[str, Line] = {
    "revenue": Line(
        "income_statement",
        (
            *("total net revenues", "total net revenue", "total revenues", "total revenue"),
            *("total net sales", "net revenues", "net revenue", "net sales", "revenues", "revenue"),
            *("net operating revenues", "operating revenues", "total sales", "sales"),
        ),
    ),
    "cost of sales": Line(
        "income_statement",
        (
            *("total cost of sales", "total cost of revenues", "total cost of revenue"),
            *("cost of sales", "cost of revenues", "cost of revenue", "cost of goods sold"),
            *("cost of products sold", "cost of goods"),
        ),
        ("cogs",),
    ),
    "gross profit": Line("income_statement", ("gross profit", "gross margin")),
    "operating income": Line(
        "income_statement",
        (
            *("operating income", "operating income loss", "operating profit", "operating loss"),
            *("income from operations", "income loss from operations", "earnings from operations"),
            *("total operating income", "operating earnings"),
        ),
        ("ebit",),
    ),
    "research and development": Line(
        "income_statement",
        ("research and development", "research and development expenses", "product development"),
        ("r&d", "research and development expense"),
    ),
    "selling, general and administrative": Line(
        "income_statement",
        ("selling general and administrative*", "selling informational and administrative*"),
        ("sg&a", "sga"),
    ),
    "interest expense": Line("income_statement", ("interest expense", "interest expenses")),
    "income before taxes": Line(
        "income_statement",
        (
            *("income before income taxes*", "income before income tax*", "income before taxes*"),
            *("earnings before income tax*", "income loss before income tax*"),
            *("income before provision for*", "earnings before provision for*"),
        ),
        ("pretax income", "pre tax income", "profit before tax"),
    ),
    "income taxes": Line(
        "income_statement",
        (
            *("income tax expense", "provision for income taxes", "income taxes"),
            *("provision benefit for income taxes", "income tax expense benefit"),
        ),
    ),
    "net income": Line(
        "income_statement",
        (
            *("net income", "net earnings", "net income loss", "net earnings loss", "net loss"),
            "consolidated net income",
        ),
        ("net profit",),
    ),
    "depreciation and amortization": Line(
        "cash_flow_statement",
        ("depreciation and amortization*", "depreciation amortization and accretion"),
        ("d&a", "depreciation"),
    ),
    "operating cash flow": Line(
        "cash_flow_statement",
        (
            *("net cash provided by operating activities", "net cash from operating activities"),
            *("total cash provided by operating activities", "cash provided by operations"),
            "net cash provided by used in operating activities",
            "net cash used in provided by operating activities",
            "total cash provided by used in operating activities",
            *("net cash used in operating activities", "cash flows from operations"),
        ),
        ("cash from operations", "cash flow from operations", "operating activities"),
    ),
    "capital expenditures": Line(
        "cash_flow_statement",
        (
            *("capital expenditures", "purchases of property*", "purchase of property*"),
            *("additions to property*", "payments for property*", "payments to acquire property*"),
            *("capital spending", "acquisition of property*", "expenditures for property*"),
        ),
        ("capex", "capital expenditure"),
    ),
    "dividends": Line(
        "cash_flow_statement",
        ("dividends paid", "cash dividends paid", "payment of dividends*", "dividends"),
        ("cash dividends",),
    ),
    "current assets": Line("balance_sheet", ("total current assets", "current assets")),
    "cash and cash equivalents": Line("balance_sheet", ("cash and cash equivalents",)),
    "goodwill": Line("balance_sheet", ("goodwill",)),
    "retained earnings": Line("balance_sheet", ("retained earnings",)),
    "long term debt": Line("balance_sheet", ("long term debt", "total long term debt")),
    "inventories": Line(
        "balance_sheet",
        ("inventories", "merchandise inventories", "inventory", "total inventories"),
        ("merchandise inventory",),
    ),
    "receivables": Line(
        "balance_sheet",
        ("accounts receivable", "trade receivables", "receivables", "trade accounts receivable"),
    ),
    "fixed assets": Line(
        "balance_sheet",
        (
            *("property plant and equipment", "net property and equipment"),
            *("net property plant and equipment", "total property plant and equipment"),
            *("property and equipment", "property plant equipment"),
        ),
        ("pp&e", "ppe", "ppne", "fixed asset"),
    ),
    "total assets": Line("balance_sheet", ("total assets",)),
    "payables": Line(
        "balance_sheet",
        ("accounts payable", "trade payables", "trade accounts payable"),
    ),
    "current liabilities": Line("balance_sheet", ("total current liabilities",)),
    "total liabilities": Line("balance_sheet", ("total liabilities",)),
    "equity": Line(
        "balance_sheet",
        (
            *("total equity", "total stockholders equity", "total shareholders equity"),
            *("total shareowners equity", "stockholders equity", "shareholders equity"),
        ),
    ),
}

LOSSES = frozenset({"operating loss", "net loss", "net cash used in operating activities"})
"""Labels of figures below zero. Without a bracket the sign is unclear."""


def names_of(line: str) -> tuple[str, ...]:
    """Returns the names of a line in questions."""
    entry = LINES[line]
    return (line, *entry.called, *(label.rstrip("*") for label in entry.labels))


def asked_lines(question: str, known: str) -> tuple[str, ...]:
    """Returns the lines whose figures a question asks for and nothing else.

    It may say of whom, in words that stand in `known`, and of which years. "Revenue in Europe" is
    no line of a statement of the whole company.
    """
    told, found = flat(_FIRST.split(question, maxsplit=1)[0]), []
    for name, line in _NAMES:
        if f" {name} " in told:
            told = told.replace(f" {name} ", "  ")
            found.append(line)
    squashed = flat(known.replace("_", " ")).replace(" ", "")
    left = (word for word in told.split() if not _YEARLY.fullmatch(word))
    if any(word not in _BESIDES and word not in squashed for word in left):
        return ()
    return tuple(dict.fromkeys(found))


def is_labelled(told: str, label: str) -> bool:
    """Tells whether the label of a row, as it stands, is one of those in `LINES`."""
    wanted = flat(label.rstrip("*"))
    if label.endswith("*"):
        return flat(told).startswith(wanted)
    return wanted in {flat(told), flat(_BESIDE.sub("", told))}


_NAMES = sorted(
    ((flat(name).strip(), line) for line in LINES for name in names_of(line)),
    key=lambda named: (-len(named[0]), named),
)
_FIRST = re.compile(r"[?!]|\.\s")
_YEARLY = re.compile(r"(?:fy)?\d+")
_BESIDES = frozenset(
    {
        *("a", "an", "and", "are", "as", "at", "by", "did", "does", "for", "in", "is", "its", "of"),
        *("on", "s", "the", "was", "were", "what", "how", "much", "give", "tell", "me", "show"),
        *("fy", "fiscal", "year", "years", "annual", "full", "end", "ended", "ending", "december"),
        *("total", "amount", "value", "balance", "net", "reported", "consolidated", "company"),
        *("expense", "paid", "usd", "us", "dollars", "million", "millions", "thousand"),
        *("thousands", "billion", "billions", "&"),
        *("change", "changed", "increase", "increased", "decrease", "decreased", "rise", "rose"),
        *("risen", "fall", "fell", "fallen", "grow", "grew", "grown", "growth", "drop", "dropped"),
        *("decline", "declined", "shrink", "shrank", "up", "down", "go", "went", "higher", "lower"),
        *("compound", "compounded", "cagr", "rate"),
        *("difference", "percent", "percentage", "from", "to", "between", "than", "since", "or"),
    }
)
"""Words that a question for a line may have besides the line, the years and the company."""
