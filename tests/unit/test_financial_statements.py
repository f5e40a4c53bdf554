"""A primary statement is known by its rows, whatever stands above them."""

import pytest

from footnote.accounting.statements import LEAST, MOST_ROWS, ROWS, statement_of

BALANCE = (
    "As of 30 June",
    "Assets",
    "Cash and cash equivalents",
    "Trade receivables, net",
    "Inventories",
    "Total current assets",
    "Goodwill",
    "TOTAL ASSETS",
    "Total liabilities",
    "Total Ottermoss shareholders\u2019 equity",
)
INCOME = (
    "Net sales",
    "Cost of sales",
    "Gross profit",
    "Selling expenses",
    "Operating income",
    "Income before income taxes",
    "Net income",
    "Diluted",
)
CASH = (
    "Operating activities",
    "Net earnings",
    "Depreciation and amortization",
    "Total cash provided by operating activities",
    "Additions to property",
    "Total cash used in investing activities",
    "Dividends paid",
    "Total cash used in financing activities",
    "Cash at end of period",
)


@pytest.mark.parametrize(
    ("labels", "statement"),
    [(BALANCE, "balance_sheet"), (INCOME, "income_statement"), (CASH, "cash_flow_statement")],
)
def test_a_statement_is_known_by_its_rows_in_any_order(labels, statement):
    assert statement_of(labels) == statement
    assert statement_of(reversed(labels)) == statement


@pytest.mark.parametrize(
    "labels",
    [
        (),
        ("",),
        ("Vessel", "Barge", "Tug"),
        ("Net sales", "Gross profit", "Operating income"),  # a summary has fewer kinds of rows
        ("Balance sheet", "Income statement", "Statement of cash flows"),  # a list of contents
        tuple("Goodwill of the north" for _ in range(20)),  # one kind, however often
        tuple(label.replace(" ", "") for label in BALANCE),
    ],
)
def test_other_tables_are_none(labels):
    assert statement_of(labels) is None


def test_a_statement_needs_as_many_kinds_of_rows_as_it_says():
    labels = [kind[0] for kind in ROWS["cash_flow_statement"]]
    assert statement_of(labels[:LEAST]) == "cash_flow_statement"
    assert statement_of(labels[: LEAST - 1]) is None


def test_only_the_first_rows_of_a_long_table_are_read():
    def labels():
        yield from ("parcel" for _ in range(MOST_ROWS))
        raise AssertionError("one row too many was read")

    assert statement_of(labels()) is None
