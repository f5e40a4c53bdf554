"""Queries of tables: rows are chosen, grouped and joined; each figure keeps the rows it is of."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.compute.columns import join_tables
from footnote.ask.compute.table_query import run_query
from footnote.errors import BadRequestError
from footnote.model import RowTest, TablePlace, TableQuery
from tests.unit.test_typed_table import typed

TRIPS = """Trips of the ferries

Trip | Day | Ferry | Port | Cars | Fare
T1 | 2026-03-01 | Gull | Kiel | 12 | 40.50
T2 | 2026-03-02 | Heron | Kiel | 7 | 22.00
T3 | 2026-03-05 | Gull | Bonn | 30 | 99.25
T4 | 2026-04-01 | Tern | Bonn | 0 | 0.00
T5 | 2026-04-02 | Gull | Kiel | - | 12.75
Total | | | | 49 | 174.50
"""
TABLE = typed(TRIPS)
PLACE = TablePlace(document_id="d1", version="v1", start=0)


def query(operation, **more):
    where = tuple(RowTest(column=c, test=t, value=v) for c, t, v in more.pop("where", ()))
    return TableQuery(table=PLACE, operation=operation, where=where, **more)


def run(operation, table=TABLE, **more):
    """Returns the figures by label, as text."""
    worked = run_query(query(operation, **more), table)
    return {
        each.label: None if each.figure is None else str(each.figure) for each in worked.results
    }


def test_a_sum_leaves_the_row_of_totals_out_and_counts_what_has_no_figure():
    worked = run_query(query("sum", measure="Cars"), TABLE)
    [result] = worked.results
    assert (result.figure, result.lacking, worked.totals) == (Decimal(49), 1, ("Total",))
    assert [row.label for row in result.rows] == ["T1", "T2", "T3", "T4"]
    assert result.how == "12 + 7 + 30 + 0"


def test_a_mean_is_of_the_rows_with_a_figure():
    assert run("mean", measure="cars") == {"": "12.25"}


def test_rows_are_chosen_by_words_figures_and_days():
    assert run("count", where=[("port", "is", "KIEL")]) == {"": "3"}
    assert run("count", where=[("port", "is not", "Kiel")]) == {"": "2"}
    assert run("count", where=[("ferry", "contains", "er")]) == {"": "2"}
    assert run("count", where=[("Fare", "above", "22")]) == {"": "2"}
    assert run("count", where=[("Fare", "at least", "22")]) == {"": "3"}
    assert run("count", where=[("Cars", "at most", "7")]) == {"": "2"}
    assert run("count", where=[("Day", "below", "2026-03-05")]) == {"": "2"}
    march = [("Day", "at least", "2026-03-02"), ("Day", "below", "1 April 2026")]
    assert run("sum", measure="Cars", where=march) == {"": "37"}


def test_groups_have_a_figure_each_and_are_sorted():
    by_ferry = run("sum", measure="Fare", group_by="Ferry", sort="largest first")
    assert by_ferry == {"Gull": "152.50", "Heron": "22.00", "Tern": "0.00"}
    assert list(by_ferry) == ["Gull", "Heron", "Tern"]
    assert run("max", measure="Fare", group_by="Port") == {"Bonn": "99.25", "Kiel": "40.50"}


def test_extremes_are_rows_in_order_and_a_limit_says_what_it_leaves_out():
    worked = run_query(query("max", measure="Fare", limit=2), TABLE)
    assert [(each.label, str(each.figure)) for each in worked.results] == [
        ("T3", "99.25"),
        ("T1", "40.50"),
    ]
    assert worked.more == 3
    assert next(iter(run("min", measure="Fare"))) == "T4"


@pytest.mark.parametrize(
    ("asked", "message", "action"),
    [
        (
            query("sum", measure="Carz"),
            "no column 'Carz'",
            "The columns are 'Trip', 'Day', 'Ferry', 'Port', 'Cars', 'Fare'.",
        ),
        (query("sum"), "`sum` needs a measure", "Name one of 'Trip', 'Day',"),
        (query("sum", measure="Port"), "the column 'Port' cannot be computed with", "another"),
        (
            query("count", where=[("Port", "is", "Oslo")]),
            "no row has 'Oslo' in 'Port'",
            "It has 'Kiel', 'Bonn'.",
        ),
        (
            query("count", where=[("Port", "is not", "Oslo")]),
            "no row has 'Oslo' in 'Port'",
            "It has 'Kiel', 'Bonn'.",
        ),
        (
            query("count", where=[("Day", "above", "12")]),
            "'12' cannot be compared with 'Day'",
            "Give a day, as in 2026-02-28.",
        ),
        (
            query("count", where=[("Port", "is", "Bonn"), ("Ferry", "is", "Heron")]),
            "no row passes all tests",
            "Leave one of them out.",
        ),
    ],
)
def test_a_wrong_query_says_what_to_ask_instead(asked, message, action):
    with pytest.raises(BadRequestError) as error:
        run_query(asked, TABLE)
    assert message in error.value.message
    assert action in error.value.action


def test_a_label_that_may_mean_two_columns_names_both():
    table = typed("Item | Net sales | Gross sales\nx | 1 | 2\ny | 3 | 5\n")
    with pytest.raises(BadRequestError) as error:
        run("sum", table, measure="sales")
    assert error.value.action == "Name one of 'Net sales', 'Gross sales'."
    assert run("sum", table, measure="net_sales") == {"": "4"}


def test_what_was_tested_is_told_in_the_tables_own_words():
    tests = [("port", "is", "kiel"), ("FARE", "above", "20"), ("ferry", "contains", "UL")]
    worked = run_query(query("count", where=tests), TABLE)
    assert worked.tests == ("Port is Kiel", "Fare above 20", "Ferry contains ul")


FERRIES = typed("Ferry | Built | Seats\nGull | 1999 | 300\nHeron | 2004 | 120\nKite | 2010 | 80\n")


def test_a_join_adds_the_cells_of_the_row_with_the_same_label_and_both_places():
    joined = join_tables(TABLE, FERRIES, "ferry")
    assert run("sum", joined, measure="Seats") == {"": "1020"}
    assert run("sum", joined, measure="Cars", group_by="Built") == {"1999": "42", "2004": "7"}
    assert [len(row.spans) for row in joined.rows] == [2] * 4


def test_a_join_that_is_not_clear_is_refused():
    with pytest.raises(BadRequestError, match="occurs twice"):
        join_tables(FERRIES, TABLE, "Ferry")
    with pytest.raises(BadRequestError, match="no cell of"):
        join_tables(TABLE, typed("Ferry | Seats\nOwl | 1\nJay | 2\n"), "Ferry")


ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(-999, 999)),
    min_size=2,
    max_size=12,
)


@given(ROWS)
def test_the_sums_of_groups_add_up_to_the_sum_of_all(rows):
    body = (f"r{n} | {a} | {b} | {figure} | note" for n, (a, b, figure) in enumerate(rows))
    table = typed("\n".join(("Row | A | B | Figure | Note", *body)))
    table = table._replace(rows=tuple(row._replace(is_total=False) for row in table.rows))
    total = sum(figure for *_, figure in rows)
    assert run("sum", table, measure="Figure") == {"": str(total)}
    for column in ("A", "B"):
        worked = run_query(query("sum", measure="Figure", group_by=column), table)
        assert sum(each.figure for each in worked.results) == total
        assert sum(len(each.rows) for each in worked.results) == len(rows)
        counted = run_query(query("count", group_by=column), table)
        assert sum(each.figure for each in counted.results) == len(rows)
