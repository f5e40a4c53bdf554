"""Figures of accounting: code works them out of a report's statements, or gives none."""

import json
import re

import pytest

from footnote.accounting.ratios import asked_ratios
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.compute.statement_ratios import asked_years
from footnote.ask.synthesize import WORKED_OUT
from footnote.errors import UnavailableError
from footnote.model import CELL, ModelReply
from tests.asking import ask, worked_out
from tests.corpus import WithTables
from tests.fenced import fenced
from tests.unit.faces import connect, small

INCOME = """Kestrel Yards annual report 2025, in millions of dollars

For the years ended December 31, | 2025 | 2024 | 2023
Net sales | $ 800 | $ 750 | $ 640
Cost of sales | (560) | (540) | (480)
Gross profit | 240 | 210 | 160
Operating income | 96 | 75 | (16)
Interest expense | (12) | (10) | (8)
Income before income taxes | 84 | 65 | (24)
Income tax expense | (21) | (13) | —
Net income | $ 63 | $ 52 | $ (24)
"""
BALANCE = """Kestrel Yards balance sheets, in millions of dollars

As of December 31, | 2025 | 2024
Cash and cash equivalents | $ 90 | $ 70
Inventories, net of reserves | 110 | 90
Total current assets | 300 | 250
Property and equipment, net | 420 | 380
Goodwill | 60 | 60
Total assets | $ 900 | $ 820
Accounts payable | $ 70 | $ 66
Total current liabilities | 200 | 180
Total liabilities | 500 | 480
Total equity | 400 | 340
"""
CASH = """Kestrel Yards statements of cash flows, in millions of dollars

For the years ended December 31, | 2025 | 2024 | 2023
Depreciation and amortization | 44 | 40 | 38
Net cash provided by operating activities | 130 | 115 | 60
Purchases of property and equipment | (80) | (60) | (32)
Net cash used in investing activities | (85) | (70) | (40)
Dividends paid | (21) | (20) | (20)
Repurchases of common stock | (5) | (4) | (3)
Net cash used in financing activities | (30) | (25) | (10)
Cash at end of year | 90 | 70 | 50
"""
PAGES = {"kestrel_yards.pdf": [INCOME, BALANCE, CASH]}


SHARE, MEAN = "capital expenditures as a share of revenue", "mean of the 2 years"
MINUS = "operating cash flow minus"
ON_ASSETS = "What is Kestrel Yards' return on assets in 2025, defined as income by total assets?"


def computed(question, pages=PAGES):
    """Returns the computed sentence without its beginning, and what it cites; else None."""
    answer, _ = ask(question, WithTables(pages))
    read = [one.text for one in answer.sentences if one.text.startswith("From the financial")]
    assert not read
    return worked_out(answer)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What was the gross margin of Kestrel Yards in 2025?",
            "(gross margin): 2025: 240 ÷ 800 × 100 = 30 %.",
        ),
        (
            "Are the operating margins of Kestrel Yards improving as of FY2025?",
            (
                "(operating margin): 2025: 96 ÷ 800 × 100 = 12 %; 2024: 75 ÷ 750 × 100 = 10 %;"
                " change: 2 percentage points."
            ),
        ),
        (
            "What was the operating margin of Kestrel Yards in FY23?",
            "(operating margin): 2023: (−16) ÷ 640 × 100 = −2.5 %.",
        ),
        (
            "What is the quick ratio of Kestrel Yards for FY2025 and FY2024?",
            "(quick ratio): 2025: (300 − 110) ÷ 200 = 0.95; 2024: (250 − 90) ÷ 180 = 0.89.",
        ),
        (
            "What is the working capital of Kestrel Yards in 2024?",
            "(working capital): 2024: 250 − 180 = 70 million dollars.",
        ),
        (
            "What is the unadjusted EBITDA % margin of Kestrel Yards in 2025?",
            "(ebitda margin): 2025: (96 + 44) ÷ 800 × 100 = 17.5 %.",
        ),
        (
            "What is the fixed asset turnover of Kestrel Yards in 2025?",
            "(fixed asset turnover): 2025: 800 ÷ ((420 + 380) ÷ 2) = 2.",
        ),
        (
            "What are the days payable outstanding of Kestrel Yards in 2025?",
            "(days payable outstanding): 2025: ((70 + 66) ÷ 2) ÷ 560 × 365 = 44.3 days.",
        ),
        (
            (
                "What is the FY2025 DPO of Kestrel Yards? DPO is defined as: 365 * average accounts"
                " payable / (FY2025 COGS + change in inventory between FY2024 and FY2025)."
            ),
            (
                "(days payable outstanding): 2025: ((70 + 66) ÷ 2) ÷ (560 + (110 − 90)) × 365"
                " = 42.8 days."
            ),
        ),
        (
            "What is the FY2025 unadjusted operating income % margin of Kestrel Yards?",
            "(operating margin): 2025: 96 ÷ 800 × 100 = 12 %.",
        ),
        (
            "What is the FY2025 COGS % margin of Kestrel Yards?",
            "(cost of sales as a share of revenue): 2025: 560 ÷ 800 × 100 = 70 %.",
        ),
        (
            (
                "What is the FY2025 fixed asset turnover of Kestrel Yards, i.e. FY2025 revenue"
                " / (average PP&E between FY2024 and FY2025)?"
            ),
            "(fixed asset turnover): 2025: 800 ÷ ((420 + 380) ÷ 2) = 2.",
        ),
        (
            "What is the FY2024 - FY2025 average of capex as a % of revenue of Kestrel Yards?",
            f"({SHARE}): 2025: 80 ÷ 800 × 100 = 10 %; 2024: 60 ÷ 750 × 100 = 8 %; {MEAN}: 9 %.",
        ),
        (
            "What is Kestrel Yards' FY2024 - FY2025 average capex to revenue ratio, in percent?",
            f"({SHARE}): 2025: 80 ÷ 800 × 100 = 10 %; 2024: 60 ÷ 750 × 100 = 8 %; {MEAN}: 9 %.",
        ),
        (
            "What is the ratio of net income to total assets of Kestrel Yards in 2025?",
            "(net income divided by total assets): 2025: 63 ÷ 900 = 0.07.",
        ),
        (
            "What was the operating cash flow of Kestrel Yards in 2024 minus capex?",
            f"({MINUS} capital expenditures): 2024: 115 − 60 = 55 million dollars.",
        ),
        (
            "What are net income plus depreciation and amortization of Kestrel Yards for 2025?",
            "(net income plus depreciation and amortization): 2025: 63 + 44 = 107 million dollars.",
        ),
        (
            "What is the net income of Kestrel Yards divided by its total assets in 2025?",
            "(net income divided by total assets): 2025: 63 ÷ 900 = 0.07.",
        ),
        (
            "By how much did the revenue of Kestrel Yards rise in 2025?",
            "(difference, revenue of 2025 and 2024): 800 − 750 = 50 million dollars.",
        ),
        (
            "By what percentage did net income of Kestrel Yards change from 2024 to 2025?",
            "(change in percent, net income of 2025 and 2024): (63 − 52) ÷ 52 × 100 = 21.2 %.",
        ),
        (
            "What is the CAGR of total revenue of Kestrel Yards from FY2023 to FY2025, in percent?",
            (
                "(compound annual growth rate, revenue of 2025 and 2023):"
                " ((800 ÷ 640) ^ (1 ÷ 2) − 1) × 100 = 11.8 %."
            ),
        ),
        (
            "What was the gross margin of Kestrel, i.e. Kestrel Yards, in 2024?",
            "(gross margin): 2024: 210 ÷ 750 × 100 = 28 %.",
        ),
        (
            "What is the free cash flow of Kestrel Yards?",  # no year: the latest
            "(free cash flow): 2025: 130 − 80 = 50 million dollars.",
        ),
        (
            ON_ASSETS,
            "(return on assets): 2025: 63 ÷ 900 × 100 = 7 %.",  # so no mean
        ),
    ],
)
def test_a_figure_is_worked_out_of_the_statements(question, told):
    assert computed(question)[0] == told


def test_each_row_that_is_used_is_cited():
    _, cited = computed("What is the quick ratio of Kestrel Yards in 2025?")
    assert sorted(cited) == [
        "Inventories, net of reserves | 110 | 90",
        "Total current assets | 300 | 250",
        "Total current liabilities | 200 | 180",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What was the adjusted EBITDA of Kestrel Yards in 2025?",  # adjusted by the company
        "What was the gross margin of Kestrel Yards in the second quarter of 2025?",
        "What was the gross margin of Kestrel Yards in 2025 and in 2021?",  # no such column
        "What is the ratio of sales to working capital of Kestrel Yards in 2025?",  # another one
        "What is (revenue minus cost of sales) divided by total assets of Kestrel Yards in 2025?",
        "What is the ratio of net income per share to total assets of Kestrel Yards in 2025?",
        "How does net income compare to total assets of Kestrel Yards in 2025?",
        "What was the operating cash flow of Kestrel Yards in 2025 minus the rent?",  # no such line
        "What is the CAGR of net income of Kestrel Yards from 2023 to 2025?",  # from a loss
        "What drove the gross margin of Kestrel Yards in 2025?",  # wants reasons
        "What is the inventory turnover of Kestrel Yards in 2024?",  # 2023 has no balance sheet
        (
            "What is the quick ratio of Kestrel Yards in 2025? It is defined as cash and accounts"
            " receivable by current liabilities."
        ),
    ],
)
def test_no_figure_where_it_would_be_another(question):
    assert computed(question) is None


def test_days_payable_take_the_change_of_inventories_only_where_the_question_says_so():
    question = (
        "What is the FY2025 DPO of Kestrel Yards, i.e. accounts payable / (COGS + inventory)?"
    )
    assert not [one.called for one in asked_ratios(question)]
    [ratio] = asked_ratios(question.replace("inventory", "change in inventory"))
    assert [one.line for one in ratio.under if one.is_change] == ["inventories"]


PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": "goodwill of Kestrel Yards"}]})
GRADE = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})
BESIDE = "Goodwill was 60 in 2025. [1]"


def read(question, said=BESIDE, pages=PAGES):
    """Returns what code adds to an answer of a model that says something else, and its quotes."""
    answer, _ = ask(question, WithTables(pages), llm=ScriptedLLM([PLAN, GRADE, said]))
    quotes = {citation.n: citation.quote for citation in answer.citations}
    for one in answer.sentences:
        if one.text.startswith("From the financial statements: "):
            assert not one.computed
            return one.text.partition(": ")[2], [quotes[n] for n in one.citations]
    return None


@pytest.mark.parametrize(
    ("question", "told", "row"),
    [
        (
            "What was the net income of Kestrel Yards in FY2024?",
            "net income, 2024: 52 million dollars.",
            "Net income | $ 63 | $ 52 | $ (24)",
        ),
        (
            "What is the FY2023 operating income (in USD millions) for Kestrel? In words.",
            "operating income, 2023: −16 million dollars.",
            "Operating income | 96 | 75 | (16)",
        ),
        (
            "How much was Kestrel Yards' capex?",
            "capital expenditures, 2025: 80 million dollars.",
            "Purchases of property and equipment | (80) | (60) | (32)",
        ),
    ],
)
def test_a_line_of_a_statement_is_read(question, told, row):
    assert read(question) == (told, [row])


def test_lines_of_two_statements_are_read_together():
    told, rows = read("What were inventories and total revenue of Kestrel Yards in 2025?")
    assert told == "revenue, 2025: 800 million dollars; inventories, 2025: 110 million dollars."
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the revenue of Kestrel Yards in Europe in 2025?", BESIDE),
        ("What was the revenue of Heron Yards in 2025?", BESIDE),  # the report is of another
        ("What was the revenue of Kestrel Yards in the first quarter of 2025?", BESIDE),
        ("What drove the revenue of Kestrel Yards in 2025?", BESIDE),
        ("What was the revenue of Kestrel Yards in 2025?", "Net sales were $ 800 in 2025. [1]"),
        ("What was the goodwill of Kestrel Yards in 2025?", "Goodwill was 60000000 in 2025. [1]"),
    ],
)
def test_a_line_is_not_read_where_something_else_is_asked_or_the_answer_has_it(question, said):
    assert read(question, said) is None


@pytest.mark.parametrize(
    ("prose", "is_read"),
    [
        ("Net sales reached 800 million dollars in 2025.", False),
        ("Orders of 1,800 frames came in 2025.", True),
    ],
)
def test_a_figure_that_the_answer_has_from_elsewhere_is_not_read_again(prose, is_read):
    plan = json.dumps({"kind": "retrieve", "sub_questions": [{"text": prose}]})
    llm = ScriptedLLM([plan, GRADE, f"{prose} [1]"])
    reports = WithTables({"kestrel_yards.pdf": [prose, INCOME]})
    answer, _ = ask("What was the revenue of Kestrel Yards in 2025?", reports, llm=llm)
    assert answer.sentences[0].text == prose
    assert ("From the financial statements" in answer.answer) == is_read


def test_a_profit_is_not_read_for_a_margin():
    twice = INCOME.replace("Cost of sales", "Net sales | 90 | 80 | 70\nCost of sales")
    pages = {"kestrel_yards.pdf": [twice, BALANCE, CASH]}
    assert read("What was the gross margin of Kestrel Yards in 2025?", pages=pages) is None


PART = """Guarantor group, summarised, in millions of dollars

For the years ended December 31, | 2025 | 2024
Net sales | $ 90 | $ 80
Cost of sales | (85) | (76)
Gross profit | 5 | 4
Selling, general and administrative | (1) | (1)
Research and development | (1) | (1)
Operating income | 3 | 2
Interest expense | (1) | (1)
Income before income taxes | 2 | 1
Income tax expense | (1) | —
Net income | $ 1 | $ 1
Basic earnings per share | 0.1 | 0.1
"""


def test_the_statement_of_a_part_of_the_company_is_not_taken():
    question = "What was the gross margin of Kestrel Yards in 2025?"
    whole = "(gross margin): 2025: 240 ÷ 800 × 100 = 30 %."
    assert computed(question, {"kestrel_yards.pdf": [INCOME, PART]})[0] == whole
    assert computed(question, {"kestrel_yards.pdf": [PART, INCOME]})[0] == whole


def test_a_line_that_stands_twice_gives_no_figure():
    twice = INCOME.replace("Cost of sales", "Net sales | 90 | 80 | 70\nCost of sales")
    assert computed("What was the gross margin of Kestrel Yards in 2025?", {"k.pdf": [twice]}) is (
        None
    )


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ("$ 63 | $ 52 | $ 24", None),  # nobody knows the sign
        ("$ (64) | $ (52) | $ (24)", "(net margin): 2025: (−64) ÷ 800 × 100 = −8 %."),
    ],
)
def test_a_loss_is_below_zero_or_not_told(figures, told):
    loss = INCOME.replace("Net income | $ 63 | $ 52 | $ (24)", f"Net loss | {figures}")
    assert loss != INCOME
    found = computed("What was the net margin of Kestrel Yards in 2025?", {"k.pdf": [loss]})
    assert (found and found[0]) == told


def test_quarters_of_a_table_are_no_years():
    quarter = INCOME.replace("For the years ended", "Three months ended").replace(
        "| 2025 | 2024 | 2023", "| Three months 2025 | Three months 2024 | Three months 2023"
    )
    assert computed(
        "What was the gross margin of Kestrel Yards in 2025?", {"k.pdf": [quarter]}
    ) is (None)


def test_a_report_that_was_uploaded_is_worked_with():
    rows = [f"| {line} |" for line in INCOME.splitlines() if CELL in line]
    rule = "|---|---|---|---|"
    told = "\n".join(
        ["# Kestrel Yards", "", "In millions of dollars.", "", rows[0], rule, *rows[1:]]
    )
    pipeline = small()
    pipeline.upload("acme/default/kestrel.md", told.encode())
    answer = connect(pipeline).ask("What was the gross margin of Kestrel Yards in 2025?")
    assert answer["sentences"][-1]["computed"] == ["30 %: gross margin"]
    assert "2025: 240 ÷ 800 × 100 = 30 %." in answer["answer"]


def test_statements_of_other_scales_are_not_mixed():
    thousands = CASH.replace("in millions", "in thousands")
    pages = {"kestrel_yards.pdf": [INCOME, BALANCE, thousands]}
    assert computed("What is the EBITDA of Kestrel Yards in 2025?", pages) is None


def test_shares_beside_figures_are_told_from_them():
    beside = """Kestrel Yards results of operations, in millions of dollars

For the years ended December 31, | 2025 | 2025 | 2024 | 2024
Net sales | $ 800 | 100 % | $ 750 | 100 %
Cost of sales | 560 | 70 | 540 | 72
Gross profit | 240 | 30 | 210 | 28
Operating income | 96 | 12 | 75 | 10
Interest expense | 12 | 2 | 10 | 1
Income before income taxes | 84 | 11 | 65 | 9
Income tax expense | 21 | 3 | 13 | 2
Net income | $ 63 | 8 % | $ 52 | 7 %
"""
    told, _ = computed("What was the gross margin of Kestrel Yards in 2025?", {"k.pdf": [beside]})
    assert told == "(gross margin): 2025: 240 ÷ 800 × 100 = 30 %."


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("between FY2023 and FY2022", (2023, 2022)),
        ("from 2020 to 2023", (2023, 2022, 2021, 2020)),
        ("FY2017 - FY2019", (2019, 2018, 2017)),
        ("as of FY'21", (2021,)),
        ("FY2019 asset turnover, defined as revenue / average of FY2018 and FY2019", (2019,)),
        ("the latest year", ()),
    ],
)
def test_years_of_a_question(question, years):
    assert asked_years(question) == years


def test_of_names_within_names_the_longest_is_meant():
    [found] = asked_ratios("What is the fixed asset turnover?")
    assert found.called[0] == "fixed asset turnover"
    assert [one.called[0] for one in asked_ratios("What is the gross margin?")] == [
        "gross margin",
        "gross margin",
    ]


SHOP_INCOME = """Larkspur Stores annual report 2023, in millions of dollars

Fiscal | 2023 | 2022 | 2021
Net sales | 400 | 380 | 360
Cost of sales, including rent of the shops | (270) | (260) | (250)
Gross profit | 130 | 120 | 110
Operating income | 40 | 36 | 30
Income before income taxes | 38 | 34 | 28
Income tax expense | (9) | (8) | (7)
Net income | 29 | 26 | 21
"""
SHOP_BALANCE = """Larkspur Stores balance sheets, in millions of dollars

As of | February 3, 2024 | January 28, 2023
Cash and cash equivalents | 20 | 10
Merchandise inventories | 80 | 100
Total current assets | 150 | 140
Property and equipment, net | 90 | 85
Goodwill | 5 | 5
Total assets | 300 | 290
Accounts payable | 50 | 48
Total current liabilities | 75 | 70
Total liabilities | 160 | 155
Total equity | 140 | 135
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What is the inventory turnover of Larkspur Stores in fiscal 2023?",
            "(inventory turnover): 2023: 270 ÷ ((80 + 100) ÷ 2) = 3.",
        ),
        (
            "What is the current ratio of Larkspur Stores at the end of fiscal 2022?",
            "(current ratio): 2022: 140 ÷ 70 = 2.",
        ),
    ],
)
def test_a_balance_sheet_of_the_days_on_which_fiscal_years_end_is_of_those_years(question, told):
    pages = {"larkspur_2023.pdf": [SHOP_INCOME, SHOP_BALANCE]}
    assert computed(question, pages)[0] == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What was the working capital of Larkspur Stores as of January 28, 2023?",
            "(working capital): 2023: 140 − 70 = 70 million dollars.",
        ),
        (
            "What is the current ratio of Larkspur Stores?",  # no year: the latest
            "(current ratio): 2023: 150 ÷ 75 = 2.",
        ),
    ],
)
def test_a_date_is_no_fiscal_year_and_the_latest_one_is(question, told):
    assert computed(question, {"larkspur_2023.pdf": [SHOP_INCOME, SHOP_BALANCE]})[0] == told


def test_a_balance_sheet_of_another_time_of_the_year_is_of_its_own():
    sheet = SHOP_BALANCE.replace("February 3, 2024 | January 28", "March 31, 2024 | December 31")
    question = "What is the current ratio of Larkspur Stores in 2023?"
    told, _ = computed(question, {"larkspur.pdf": [SHOP_INCOME, sheet]})
    assert told == "(current ratio): 2023: 140 ÷ 70 = 2."


def test_a_balance_sheet_of_the_years_of_the_income_statement_is_of_its_own():
    income = SHOP_INCOME.replace("Fiscal | 2023 | 2022 | 2021", "Year to | 2024 | 2023 | 2022")
    question = "What is the current ratio of Larkspur Stores in 2024?"
    told, _ = computed(question, {"larkspur.pdf": [income, SHOP_BALANCE]})
    assert told == "(current ratio): 2024: 150 ÷ 75 = 2."


UNSEEN = "What is the FY2023 - FY2025 average of capex as a % of revenue of Kestrel Yards?"


def test_a_figure_is_worked_out_where_no_sentence_is_sure_to_state_it():
    answer, _ = ask(UNSEEN, WithTables(PAGES), llm=Unsure())
    told, cited = worked_out(answer)
    assert told.endswith("mean of the 3 years: 7.7 %.")
    assert len(cited) == 2
    assert answer.confidence == WORKED_OUT


@pytest.mark.parametrize(
    "question",
    [
        UNSEEN.replace("Kestrel Yards", "Heron Yards"),  # the report is of another company
        UNSEEN.replace("Kestrel Yards", "the company"),
        UNSEEN.replace("FY2023 - FY2025 average of ", ""),  # of no year
        UNSEEN.replace("FY2023", "FY2021"),
        UNSEEN.replace(
            "Kestrel Yards", "Kestrel Equipment"
        ),  # both words stand in it, not together
        UNSEEN.replace("Kestrel Yards", "AES Corporation"),
        "What is the 3-year compound annual growth rate of revenue of Kestrel Yards to FY2025?",
    ],
)
def test_it_is_not_for_another_company_or_no_year(question):
    answer, _ = ask(question, WithTables(PAGES), llm=Unsure())
    assert not answer.found


class Unsure:
    """Grades, and is sure of nothing. Rules do all else."""

    def complete(self, request):
        if request.task != "grade":
            raise UnavailableError("rules do it")
        names = [label for label in fenced(request) if re.fullmatch(r"q\d+", label)]
        unsure = [{"id": name, "decision": "enough", "confidence": 0.2} for name in names]
        return ModelReply(text=json.dumps({"verdicts": unsure}), mode="anthropic", model="m")

    def stream(self, request):
        yield self.complete(request)
