"""The figures of financial reports: what questions call them, and what the reports say instead.

A question asks for a quick ratio; the balance sheet says "total current assets". No vector of a
small model brings the two together, and no word is common to them. The terms are those of general
accounting, in English, whatever the company.
"""

import re
from collections.abc import Sequence

MOST = 12  # phrases for one question: each is a clause for each field
_INCOME = ("statements of income", "statements of operations", "statements of earnings")
_BALANCE = ("balance sheets", "statements of financial position")
_CASH = ("statements of cash flows",)
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
    (("payout ratio", "dividend payout"), ("cash dividends", "net income")),
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
_WORD = re.compile(r"[\w&]+")


def related_phrases(question: str) -> tuple[str, ...]:
    """Returns what reports call the figures that a question names: `MOST` phrases at most.

    A phrase that the question has is not among them.
    """
    asked = _flat(question)
    found = (
        phrase
        for names, phrases in GLOSSARY
        if any(f" {name} " in asked for name in names)
        for phrase in phrases
        if _flat(phrase) not in asked
    )
    return tuple(dict.fromkeys(found))[:MOST]


def _flat(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "
