"""The check of a claim against a passage by rules: which claims it accepts and refuses."""

import re
from pathlib import Path
from typing import get_args

import pytest

from footnote.ask import check as room
from footnote.ask.check import Source, Verdict
from footnote.ask.check.verdict import ABOUT_KIND, About
from footnote.model import Passage
from tests.growth import LIMIT, ratio

REPORT = (
    "Microsoft's revenue was $5.4 million in 2024. "
    "Costs were $3.1 million in 2024. "
    "The supplier is liable for damage in transit. "
    "Orders fell 12 percent in the second quarter of 2024. "
    "The canteen has 300 chairs. The company employs 4,200 people. "
    "Rent may rise by up to 3% a year. "
    "Dr. Ana Ruiz led the audit; Tom Hale signed it. "
    "Licence fees were $40 million and $35 million in fiscal 2024 and 2023, respectively. "
    "Net profit of the Ulm plant was (120) thousand euros."
)


def passage(text: str, title: str = "Annual report", name: str = "report.pdf", **fields: object):
    return Passage(
        document_id="d", document=name, collection="c", version="v", title=title,
        section=(), pages=(1,), start=0, end=len(text), text=text, score=1.0, **fields,
    )  # fmt: skip


def check(claim: str, text: str = REPORT, language: str = "en", **fields: object) -> Verdict:
    return Source(passage(text, **fields), language=language).check(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Microsoft's revenue was $5.4 billion in 2024.",  # scale
        "Microsoft's revenue was €5.4 million in 2024.",  # currency
        "Microsoft's revenue was 5.4 percent in 2024.",  # unit
        "Apple's revenue was $5.4 million in 2024.",  # name
        "Microsoft's revenue was $5.4 million in 2023.",  # period
        "Microsoft's revenue was $3.1 million in 2024.",  # the figure of another company
        "Microsoft's costs were $5.4 million in 2024.",
        "Costs were $5.4 million in 2024.",
        "The supplier is not liable for damage in transit.",
        "The customer is liable for damage in transit.",
        "Orders rose 12 percent in the second quarter of 2024.",
        "Orders fell 12 percent in the third quarter of 2024.",
        "Orders fell to 12 percent in the second quarter of 2024.",
        "Orders fell more than 12 percent in the second quarter of 2024.",
        "The company employs 300 people.",
        "The company employs 300.",
        "The canteen has 4,200 chairs.",
        "Rent rises by 3% a year.",
        "Rent may rise by 3% a year.",
        "Rent may rise by at least 3% a year.",
        "Tom Hale led the audit.",
        "Licence fees were $35 million and $40 million in fiscal 2024 and 2023, respectively.",
        "Licence fees were $35 million in fiscal 2024.",
        "Net profit of the Ulm plant was 120 thousand euros.",
        "Microsoft is the largest software company of Europe.",
        "Vending machines are refilled on Mondays.",
    ],
)
def test_a_claim_that_the_passage_does_not_make_does_not_hold(claim: str):
    assert not check(claim).holds, check(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Microsoft's revenue was USD 5,400 thousand in 2024.",
        "In 2024, Microsoft's revenue was $5.4m.",
        "In 2024, Microsoft's revenue was 5.4 million dollars.",
        "Orders declined by 12% in Q2 2024.",
        "The company employs 4200 people.",
        "The company employs 4,200 people.",
        "Rent may rise by at most 3 per cent a year.",
        "Licence fees were $35 million in fiscal 2023.",
        "Licence fees were $40m in FY2024.",
        "Net profit of the Ulm plant was (120) thousand euros.",
        "Ana Ruiz led the audit.",
        "The supplier is liable for damage in transit.",
        "Microsoft's revenue was $5.4 million in 2024 and costs were $3.1 million in 2024.",
    ],
)
def test_a_claim_in_other_words_holds(claim: str):
    assert check(claim).holds, check(claim)


TABLE = (
    "Segment results (in millions of dollars)\n"
    "Item | 2024 | 2023\n"
    "Revenue | 120 | 100\n"
    "Cost of revenue | 70 | 64\n"
    "Operating result | (15) | 9\n"
    "Gross margin, percent | 41.7% | 36.0%"
)


@pytest.mark.parametrize(
    "claim",
    [
        "Revenue was $120 million in 2024.",
        "Revenue was 120 million dollars in 2024.",
        "Revenue rose from $100 million in 2023 to $120 million in 2024.",
        "Revenue rose from $100 million in 2023 to $120 million in 2024, up by 20 percent.",
        "Cost of revenue was $64 million in 2023.",
        "The operating result was a loss of $15 million in 2024.",
        "The gross margin was 41.7% in 2024.",
    ],
)
def test_a_claim_on_a_row_holds_with_its_label_column_scale_and_sign(claim: str):
    assert check(claim, TABLE).holds, check(claim, TABLE)


@pytest.mark.parametrize(
    "claim",
    [
        "Revenue was $120 million in 2023.",
        "Revenue was $120 billion in 2024.",
        "Revenue was 120 percent in 2024.",
        "Revenue was $70 million in 2024.",
        "Cost of revenue was $120 million in 2024.",
        "Costs were $70 million in 2025.",
        "Revenue fell from $100 million in 2023 to $120 million in 2024.",
        "Revenue rose from $120 million in 2023 to $100 million in 2024.",
        "Revenue rose from $100 million in 2023 to $120 million in 2024, up by 25 percent.",
        "The operating result was $15 million in 2024.",
        "The operating result was a loss of $9 million in 2023.",
        "Revenue was not $120 million in 2024.",
        "Revenue of Ulm was $120 million in 2024.",
    ],
)
def test_a_claim_with_another_label_column_scale_or_sign_than_its_row_does_not_hold(claim: str):
    assert not check(claim, TABLE).holds, check(claim, TABLE)


LEASE = "This lease commences on 1 April 2024 and runs until March 31, 2029."
LEAVE = "Employees may carry over up to five days of leave; managers may carry over ten days."
COVER = "The frame is covered for five years and the battery for two years."
STAFF = "In 2020 Company A had 40 staff and Company B had 55 staff."
SITES = "The office is in Gent; the warehouse is in Ulm."
TWO = "Ottermoss was founded in Ulm in 1998. Today the company employs 214 people."
UMSATZ = "Im Jahr 2024 betrug der Umsatz 5,4 Millionen Euro. Der Vertrag ist kündbar."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Managers may carry over ten days.", LEAVE),
        ("The frame is covered for five years.", COVER),
        ("In 2020 Company A had 40 staff.", STAFF),
        ("The warehouse is in Ulm.", SITES),
        ("Ottermoss was founded in Ulm in 1998.", TWO),
        ("The net result was -120.", "The net result was (120)."),
        ("Growth was about 27 percent.", "Growth was 26.6 percent."),
        ("They built 3 700 bikes.", "They built 3,700 bikes."),
        ("It opened in 1834.", "It opened in 1834 and closed on 1 August 1963."),
        ("Prices rose by 5% to $1.2bn.", "Prices rose by 5 percent to US$1.2 billion."),
    ],
)
def test_a_part_that_belongs_together_in_a_clause_holds(claim: str, text: str):
    assert check(claim, text).holds, check(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The lease runs until 1 April 2024.", LEASE),
        ("The lease commences on March 31, 2029.", LEASE),
        ("Employees may carry over ten days of leave.", LEAVE),
        ("The battery is covered for five years.", COVER),
        ("Company B had 40 staff in 2020.", STAFF),
        ("The warehouse is in Gent.", SITES),
        ("Ulm was founded in 1998 and employs 214 people.", "Ulm lies far. " + TWO[38:]),
        ("Acme acquired Borealis in 2021.", "Borealis acquired Acme in 2021."),
        ("All employees receive a bonus.", "Some employees receive a bonus."),
        ("Only managers may approve travel.", "Managers may approve travel."),
        ("The board approved the plan.", "The board will approve the plan."),
        ("The hall builds 8,000 bikes.", "The hall will be able to build 8,000 bikes."),
        ("It prevents infection.", "It is intended to prevent infection."),
        ("Sales rose because prices fell.", "Prices fell because sales rose."),
        ("The fee is 50 euros.", "The fee is 50 euros if the order is late."),
        ("Returns are accepted.", "Returns are not accepted unless the item is faulty."),
        ("The maximum order is 10 units.", "The minimum order is 10 units."),
        ("The net result was 120.", "The net result was (120)."),
        ("120", "Net result (120)"),
        ("Growth was 27 percent.", "Growth was 26.6 percent."),
        ("Growth was about 30 percent.", "Growth was 26.6 percent."),
        ("It opened on 1 August 1834.", "It opened in 1834 and closed on 1 August 1963."),
        ("Supply rises this year.", "Supply rises next year."),
        ("The order is 2,025 bikes.", "The order of 2025 is 10 bikes."),
    ],
)
def test_a_part_of_another_clause_or_condition_does_not_hold(claim: str, text: str):
    assert not check(claim, text).holds, check(claim, text)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Im Jahr 2024 betrug der Umsatz 5,4 Mio. Euro.", True),
        ("Der Umsatz betrug im Jahr 2024 5,4 Mio. Euro.", False),
        ("Der Umsatz betrug im Jahr 2024 5,4 Mrd. Euro.", False),
        ("Der Umsatz betrug im Jahr 2023 5,4 Mio. Euro.", False),
        ("Der Vertrag ist nicht kündbar.", False),
    ],
)
def test_german_is_read_with_its_figures_and_negations(claim, holds):
    assert check(claim, UMSATZ, language="de").holds is holds, check(claim, UMSATZ, language="de")


@pytest.mark.parametrize(
    "before", ["It is not true that ", "If all goes well, ", "Critics deny that "]
)
def test_a_piece_of_a_sentence_that_the_rest_takes_back_does_not_hold(before: str):
    said = "the new plant in Ulm makes 300 bikes a day"
    assert not check(f"{said}.", f"{before}{said}.").holds
    assert check(f"{said}.", f"As of today, {said}.").holds


@pytest.mark.growth
def test_reading_takes_time_in_proportion_to_the_passage():
    claim = "Revenue of the Ulm plant was $5.4 million in 2024."

    other = "Costs of the Gent plant (and others) were $3.1 million in 2023. "
    assert ratio(lambda text: check(claim, text), other * 100, other * 400) < LIMIT


def test_a_rule_finds_each_kind_of_difference_that_there_is():
    rules = [path for path in Path(room.__path__[0]).glob("*.py") if path.stem != "verdict"]
    named = set(re.findall(r'"(\w+)"', "".join(path.read_text() for path in rules)))
    assert set(get_args(About.__value__)) <= named | set(ABOUT_KIND.values())
