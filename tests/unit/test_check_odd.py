"""Odd texts: the check never raises, and its time grows no faster than the text."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.check import Source, shares
from footnote.ask.check.parts import parts_of
from footnote.ask.check.segments import unzip
from footnote.ask.check.statements import divisions
from footnote.model import Table
from tests.growth import LIMIT, ratio
from tests.unit.test_check import passage

pytestmark = pytest.mark.slow

PIECES = st.sampled_from(
    [
        *"0159.,-()$\u20ac%|\n'\"/:;<> _aBz\u0663\uff15\u00b2\u00e9\u0130",
        "zero months", "hundred", " million ", "Q1 ", "FY24", "May ", " to ", " from ", " about ",
        "respectively", " and ", "<not>", "in 1500", "1.2.3", "one in five x", "not ", " | ",
        "total", "up ", "ratio", "2024", "because ", "if ", "v2.10", "9 pm", "-60",
    ]
)  # fmt: skip
TEXT = st.lists(PIECES, max_size=30).map("".join)


@given(TEXT, TEXT, st.sampled_from(["en", "de"]))
def test_any_text_gets_a_verdict(claim: str, text: str, language: str):
    source = Source(passage(text), language=language)
    assert source.check(claim).outcome in {"exact", "supported", "open", "refuted"}
    assert set(shares(claim, [source, source])) <= {0, 1}


def read(text: str) -> object:
    return parts_of.__wrapped__(text)


@pytest.mark.growth
@pytest.mark.parametrize("end", ["_", "\u00e9", "1_", "-", "/_"])
def test_a_code_twice_as_long_takes_no_more_than_a_few_times_as_long(end: str):
    short, long = (("a1" + "b" * n + end + " ") * 40 for n in (9, 18))
    assert ratio(read, short, long) < LIMIT  # 500 times if exponential


@pytest.mark.growth
@pytest.mark.parametrize(
    "unit",
    ["a.", "1.", "1,", "a/1", ".", "<a ", "( ", "1 ", "111 ", "-", "a'", "a1-", "to <up> ", "not ",
     "5 May ", "1-", "5-6 ", "one in five x ", "between 5 ", "twenty ", "all x but ", "a year "],
)  # fmt: skip
def test_reading_takes_time_in_proportion_to_the_text(unit: str):
    assert ratio(read, unit * 1_000, unit * 4_000) < LIMIT


@pytest.mark.growth
@pytest.mark.parametrize(
    "run",
    [
        lambda n: read("a-" + "\n" * 4 * n + "1"),
        lambda n: divisions("x" + " " * (n // 5) + "y"),
        lambda n: unzip.__wrapped__("1" * n + " respectively"),
    ],
)
def test_runs_of_one_character_cost_no_more_than_their_length(run: Callable[[int], object]):
    assert ratio(run, 1_000, 4_000) < LIMIT


def table(rows: int) -> tuple[str, Table]:
    made = (("Item", "2024", "2023"), *((f"Row {n}", f"{n}", f"{2 * n}") for n in range(rows)))
    text = "\n".join(" | ".join(row) for row in made)
    return text, Table(start=0, end=len(text), rows=made)


@pytest.mark.growth
@pytest.mark.parametrize("is_known", [True, False])
def test_a_table_is_read_in_proportion_to_its_rows(*, is_known: bool):
    def check(made: tuple[str, Table]) -> object:
        text, grid = made
        tables = (grid,) if is_known else ()
        return Source(passage(text), tables).check("Row 17 was 17 in 2024.")

    assert ratio(check, table(400), table(1_600)) < LIMIT


@pytest.mark.growth
@pytest.mark.parametrize("piece", ["A{0} had {0}; ", "rose {0}% to {0}, ", "Name{0} ", "${0} and "])
def test_a_claim_of_many_parts_takes_time_in_proportion_to_them(piece: str):
    text = "".join(piece.format(n + 1) for n in range(200))
    sources = [Source(passage(text)), Source(passage(text))]

    def claim(parts: int) -> str:
        return "".join(piece.format(n) for n in range(parts)) + "in total 77777, a ratio of 88888."

    def check(said: str) -> object:
        return sources[0].check(said), shares(said, sources)

    assert ratio(check, claim(200), claim(800)) < LIMIT
