"""How the check reads figures, periods and parts."""

from decimal import Decimal

import pytest

from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.segments import scale_of


def figures(text: str, language: str = "en") -> list[tuple[Decimal, str]]:
    return [(p.figure.value, p.figure.unit) for p in parts_of(text, language) if p.figure]


def keys(text: str, kind: str) -> list[str]:
    return [part.key for part in parts_of(text) if part.kind == kind]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("It was 5.", "5", ""),
        ("It was 1,234.5.", "1234.5", ""),
        ("It was 1 234.5.", "1234.5", ""),
        ("It was $1.35bn.", "1350000000", "$"),
        ("It was 1,350 million dollars.", "1350000000", "$"),
        ("It was USD 5,400 thousand.", "5400000", "$"),
        ("It was CHF 5.", "5", "CHF"),
        ("It was 12%.", "12", "%"),
        ("It was 12 per cent.", "12", "%"),
        ("It was 210 basis points.", "2.1", "pp"),
        ("It was 2.1 percentage points.", "2.1", "pp"),
        ("It was twenty-five.", "25", ""),
        ("It was two hundred.", "200", ""),
        ("It was one hundred.", "100", ""),
        ("It was half a million.", "500000", ""),
        ("It was one in five of us.", "20", "%"),
        ("It was 3 out of 4 of us.", "75", "%"),
        ("It was \u22125.", "-5", ""),
        ("It was (5) thousand.", "-5000", ""),
        ("It was \uff15\uff14 million.", "54000000", ""),
        ("9" * 400, "9" * 400, ""),
    ],
)
def test_a_figure_is_read_with_its_scale_and_unit(text: str, value: str, unit: str):
    (found,) = parts_of(text)[-1:]
    assert found.figure
    assert (abs(found.figure.value), found.figure.unit) == (abs(Decimal(value)), unit)
    assert found.figure.negative is value.startswith("-")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Es waren 1.234,5 Liter.", "1234.5"),
        ("Es waren 12.000 Liter.", "12000"),
        ("Es waren drei Liter.", "3"),
        ("Es waren 5,4 Mio. Liter.", "5400000"),
    ],
)
def test_german_figures_are_read(text: str, value: str):
    assert figures(text, "de") == [(Decimal(value), "")]


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("from 2.5 to 4 percent", [("2.5", "%"), ("4", "%")]),
        ("40-60 percent", [("40", "%"), ("60", "%")]),
        ("between 2.5 and 4 percent", [("2.5", "%"), ("4", "%")]),
        ("from $4.1 to $5.4 million", [("4100000", "$"), ("5400000", "$")]),
        ("from 900,000 to 1.2 million", [("900000", ""), ("1200000", "")]),
        ("from 3 to $4", [("3", "$"), ("4", "$")]),
    ],
)
def test_both_ends_of_a_range_have_its_unit(text: str, both: list[tuple[str, str]]):
    assert figures(text) == [(Decimal(value), unit) for value, unit in both]


@pytest.mark.parametrize(
    "text",
    ["version 2.10", "Section 12.40", "Release 3", "OC-26-0015", "17:30", "1.2.3", "3:1"],
)
def test_a_number_that_is_a_name_is_no_figure(text: str):
    assert (figures(f"The {text} applies."), text.rsplit(maxsplit=1)[-1].casefold()) == (
        [], keys(f"The {text} applies.", "name")[-1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in Q1 FY23", ["quarter 1", "year 2023"]),
        ("in the first quarter of fiscal 2023", ["quarter 1", "year 2023"]),
        ("on 3 May 2024", ["month 5", "day 3", "year 2024"]),
        ("on May 3, 2024", ["month 5", "day 3", "year 2024"]),
        ("on 2024-05-03", ["month 5", "day 3", "year 2024"]),
        ("in the second half of 2024", ["half 2", "year 2024"]),
        ("for six months", ["span 6"]),
        ("for zero months", ["span 0"]),
        ("in 1834", ["year 1834"]),
        ("costs (2023: 5)", ["year 2023"]),
        ("2,025 bikes", []),
        ("$2024", []),
    ],
)
def test_a_period_is_read_in_its_parts(text: str, expected: list[str]):
    assert keys(f"It was {text}.", "period") == expected


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("It rose to 5.", "to"),
        ("It rose by an 5.", "by"),
        ("Es sank auf 5.", "to"),
        ("Es sank um 5.", "by"),
        ("It is open until 31 December 2025.", "until"),
        ("It is open from 31 December 2025.", "from"),
    ],
)
def test_the_word_before_a_figure_or_a_date_is_told(text: str, lead: str):
    (found, *_) = [p for p in parts_of(text, "de" if "Es" in text else "en") if _is_number(p)]
    assert found.lead == lead


def _is_number(part: Part) -> bool:
    return part.kind in {"figure", "period"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in thousands", (3, "")),
        ("In millions of euros", (6, "\u20ac")),
        ("\u00a3 million", (6, "\u00a3")),
        ("(in $ millions)", (6, "$")),
        ("Money is in thousands of pounds", (3, "\u00a3")),
        ("Budget, thousands of pounds", (3, "\u00a3")),
        ("\u00a3'000", (3, "\u00a3")),
        ("in units", (0, "")),
    ],
)
def test_a_table_says_its_scale_and_its_currency(text: str, expected: tuple[int, str]):
    assert scale_of(text) == expected


def test_half_days_are_told_apart():
    assert parts_of("9 am") != parts_of("9 pm")
    assert parts_of("9am")[-1].key == parts_of("9 a.m.")[-1].key
