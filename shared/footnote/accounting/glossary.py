"""The figures of financial reports: their names in questions, and the reports' own phrases.

A question asks for a quick ratio; the balance sheet says "total current assets". A small model's
vectors do not bring the two together, and they share no word. The terms are those of general
accounting, in English, whatever the company.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from footnote.accounting.statements import StatementKind
from footnote.text.terms import terms

MOST = 12  # phrases for one question: each is a clause for each field
_INCOME = ("statements of income", "statements of operations", "statements of earnings")
_BALANCE = ("balance sheets", "statements of financial position")
_CASH = ("statements of cash flows",)
_STATEMENTS = frozenset((*_INCOME, *_BALANCE, *_CASH))
GLOSSARY: Sequence[tuple[tuple[str, ...], tuple[str, ...]]] = (
    (
        ("quick ratio", "current ratio", "acid test", "working capital", "liquidity"),
        ("total current assets", "total current liabilities", "balance sheets"),
    ),
    (
        ("gross margin", "gross margins", "gross profit", "gross profit margin"),
        ("gross profit", "cost of sales", "net sales"),
    ),
    (
        ("operating margin", "operating margins", "operating profit", "operating income", "ebit"),
        ("operating income", "statements of income"),
    ),
    (
        ("net margin", "profit margin", "net profit margin", "bottom line"),
        ("net income", "statements of income"),
    ),
    (
        ("ebitda",),
        ("operating income", "depreciation and amortization", "statements of cash flows"),
    ),
    (
        ("capex", "capital expenditure", "capital expenditures", "capital spending"),
        ("purchases of property", "capital expenditures", "statements of cash flows"),
    ),
    (
        ("pp&e", "ppe", "ppne", "fixed asset", "fixed assets"),
        ("property, plant and equipment", "property and equipment", "balance sheets"),
    ),
    (("asset turnover",), ("total assets", "net revenues", "balance sheets")),
    (
        ("inventory turnover", "days inventory", "days of inventory", "stock turnover"),
        ("inventories", "cost of sales", "balance sheets"),
    ),
    (
        ("days sales outstanding", "dso", "receivables turnover"),
        ("accounts receivable", "balance sheets"),
    ),
    (("days payable", "dpo", "payables turnover"), ("accounts payable", "cost of sales")),
    (
        ("free cash flow", "free cash flows", "fcf"),
        ("net cash provided by operating activities", "purchases of property", *_CASH),
    ),
    (
        ("return on assets", "return on equity", "return on capital", "roa", "roe", "roic"),
        ("net income", "total assets", "stockholders equity", "shareholders equity"),
    ),
    (
        ("debt to equity", "leverage ratio", "gearing"),
        ("long term debt", "stockholders equity", "shareholders equity", "balance sheets"),
    ),
    (("interest coverage", "times interest earned"), ("interest expense", "operating income")),
    (
        ("tax rate", "effective tax rate"),
        ("provision for income taxes", "income before income taxes", "effective tax rate"),
    ),
    (("payout ratio", "dividend payout", "retention ratio"), ("cash dividends", "net income")),
    (
        ("capital intensive", "capital intensity"),
        ("property, plant and equipment", "capital expenditures", "total assets"),
    ),
    (("cash conversion cycle",), ("inventories", "accounts receivable", "accounts payable")),
    (("buyback", "buybacks"), ("repurchases of common stock", "treasury stock")),
    (("lawsuit", "lawsuits", "legal battles", "litigation"), ("legal proceedings",)),
    (("headcount", "workforce"), ("number of employees",)),
    (("eps",), ("earnings per share", "diluted")),
    (("cogs", "cost of goods"), ("cost of goods sold", "cost of sales")),
    (("sg&a", "sga"), ("selling, general and administrative",)),
    (("r&d",), ("research and development",)),
    (("d&a",), ("depreciation and amortization",)),
    (("opex", "operating expenses"), ("operating expenses", "total operating expenses")),
    (("top line", "topline"), ("net sales", "net revenues")),
    (("acquisition", "acquisitions", "m&a"), ("acquired", "purchase price")),
    (
        ("operating investing and financing", "operations investing and financing"),
        ("operating activities", "investing activities", "financing activities"),
    ),
    (("income statement", "statement of income", "statement of operations", "p&l"), _INCOME),
    (("balance sheet", "statement of financial position", "current liabilities"), _BALANCE),
    (("cash flow statement", "statement of cash flows", "cash flows statement"), _CASH),
)
STATED: Mapping[StatementKind, tuple[str, ...]] = {
    "balance_sheet": (
        *("acid test", "current ratio", "liquidity", "quick ratio", "working capital"),
        *("accounts payable", "accounts receivable", "receivables", "inventory", "inventories"),
        *("cash and cash equivalents", "cash equivalents", "current assets", "total assets"),
        *("fixed asset", "fixed assets", "pp&e", "ppe", "ppne", "asset turnover"),
        *("goodwill", "intangible assets", "capital employed", "cash conversion cycle"),
        *("current liabilities", "total liabilities", "debt", "long term debt", "leverage"),
        *("equity", "retained earnings", "return on assets", "return on equity", "roa", "roe"),
        *("capital intensity", "capital intensive", "days inventory", "days payable", "dpo"),
        *("days sales outstanding", "dso", "inventory turnover"),
        *("balance sheet", "balance sheets", "statement of financial position"),
    ),
    "income_statement": (
        *("revenue", "revenues", "sales", "net sales", "total sales", "top line"),
        *("cogs", "cost of goods", "cost of revenue", "cost of sales"),
        *("gross margin", "gross margins", "gross profit"),
        *("ebit", "ebitda", "operating income", "operating profit"),
        *("operating margin", "operating margins", "operating expenses", "opex"),
        *("r&d", "research and development", "sg&a", "sga"),
        *("interest", "interest coverage", "interest expense"),
        *("income tax", "income taxes", "tax rate", "eps", "earnings per share"),
        *("bottom line", "net earnings", "net income", "net loss", "net profit"),
        *("net margin", "profit margin", "return on assets", "return on equity", "roa", "roe"),
        *("asset turnover", "inventory turnover"),
        *("dividend payout", "payout ratio", "retention ratio"),
        *("income statement", "p&l", "statement of income", "statement of operations"),
    ),
    "cash_flow_statement": (
        *("cash flow", "cash flows", "fcf"),
        *("capex", "capital expenditure", "capital expenditures", "capital spending"),
        *("capital intensity", "capital intensive"),
        *("d&a", "depreciation", "ebitda"),
        *("financing activities", "investing activities", "operating activities"),
        *("buyback", "buybacks", "repurchases", "share repurchases"),
        *("dividend payout", "dividends", "dividends paid", "payout ratio", "retention ratio"),
    ),
}
"""The names in questions of figures that a statement has, or that are computed from it."""
FIGURES = frozenset(
    word
    for each in (*(names for names, _ in GLOSSARY), *STATED.values())
    for name in each
    for word in name.split()
)
"""The words of all names of figures."""
_REASONS = re.compile(
    r"\b(?:why|drove|driv(?:en|ers?)|reasons?|because|caus(?:e|es|ed)|expla(?:ins?|ined|nation))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w&]+")


def related_phrases(question: str) -> tuple[str, ...]:
    """Returns the reports' phrases for the figures in a question: `MOST` at most.

    It leaves out phrases that the question has.
    """
    words = _flat(question)
    related = (
        phrase
        for names, phrases in GLOSSARY
        if any(f" {name} " in words for name in names)
        for phrase in phrases
        if _flat(phrase) not in words
    )
    return tuple(dict.fromkeys(related))[:MOST]


def asked_statements(question: str) -> tuple[StatementKind, ...]:
    """Returns the statements with the figures that a question names.

    It returns none where the question asks for reasons: statements give none.
    """
    words = _flat(question)
    if _REASONS.search(question.partition("?")[0]):
        return ()
    return tuple(
        statement
        for statement, names in STATED.items()
        if any(f" {name} " in words for name in names)
    )


def find_synonyms(question: str, text_terms: Collection[str]) -> frozenset[str]:
    """Returns the terms of a question that a text says in the words of reports.

    A text with all terms of a phrase ("total current assets") says the name that the phrase
    explains ("current ratio").
    """
    return frozenset().union(
        *(name for name, phrase in _asked_names(question) if phrase.issubset(text_terms))
    )


@lru_cache(maxsize=64)  # each sentence of the evidence asks it about the same question
def _asked_names(question: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Returns the terms of each figure's name in the question, with those of each phrase.

    The name of a statement is no figure: a text that mentions a balance sheet gives no ratio.
    """
    words = _flat(question)
    return tuple(
        (frozenset(terms(name)), frozenset(terms(phrase)))
        for names, phrases in GLOSSARY
        for name in names
        if f" {name} " in words
        for phrase in phrases
        if phrase not in _STATEMENTS
    )


def _flat(text: str) -> str:
    """Returns the words of a text, in small letters, each between blanks."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
