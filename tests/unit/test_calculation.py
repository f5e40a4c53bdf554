"""Calculations: what a question wants worked out follows from cited figures, or is not given."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.text.computations import asked_computation
from tests.asking import ask
from tests.unit.faces import connect, small

PAGES = {
    "annual.pdf": [
        (
            "Ottermoss annual report 2025\n\n"
            "Revenue in 2025 was 4.2 million euros, up from 3.6 million in 2024."
        ),
        (
            "Results in thousands of euros\n\nItem | 2023 | 2024 | 2025\n"
            "Material costs | 1,100 | 1,180 | 1,250\nPersonnel costs | 800 | 810 | 850\n"
            "Margin in percent | 12.5% | 13.0% | 11.8%\n"
        ),
    ],
    "ropes.pdf": ["Ropes in thousands of euros\n\nItem | 2024 | 2025\nCost of ropes | 9 | 13\n"],
    "prices.pdf": ["The Roost costs 900 euros. The Nest costs 640 euros."],
}


def first(question, pages=PAGES):
    """Returns the answer's first sentence with what it cites and what it says it computed."""
    answer, _ = ask(question, pages)
    sentence = answer.sentences[0]
    quotes = {citation.n: citation.quote for citation in answer.citations}
    assert all(one.verified for one in answer.citations)
    return sentence.text, [quotes[n] for n in sentence.citations], sentence.computed


REVENUE = "Revenue in 2025 was 4.2 million euros, up from 3.6 million in 2024."


@pytest.mark.parametrize(
    ("question", "how", "result", "quotes"),
    [
        (
            "What is the difference in revenue between 2024 and 2025?",
            "(difference): 4.2 − 3.6 = 0.6 million euros.",
            "0.6 million euros: difference",
            [REVENUE],
        ),
        (
            "By what percentage did revenue grow from 2024 to 2025?",
            "(change in percent): (4.2 − 3.6) ÷ 3.6 × 100 = 16.7 %.",
            "16.7 %: change in percent",
            [REVENUE],
        ),
        (
            "What was the change in material costs between 2023 and 2025?",
            "(difference): 1,250 − 1,100 = 150 thousand euros.",
            "150 thousand euros: difference",
            ["Material costs | 1,100 | 1,180 | 1,250"],
        ),
        (
            "What is the average of personnel costs in 2023, 2024 and 2025?",
            "(mean): (800 + 810 + 850) ÷ 3 = 820 thousand euros.",
            "820 thousand euros: mean",
            ["Personnel costs | 800 | 810 | 850"],
        ),
        (
            "What is the ratio of material costs 2025 to 2024?",
            "(ratio): 1,250 ÷ 1,180 = 1.06.",
            "1.06: ratio",
            ["Material costs | 1,100 | 1,180 | 1,250"],
        ),
        (
            "What was the change in cost of ropes in 2025?",  # one year: since the one before
            "(difference): 13 − 9 = 4 thousand euros.",
            "4 thousand euros: difference",
            ["Cost of ropes | 9 | 13"],
        ),
        (
            "What was the change in cost of hemp ropes between 2024 and 2025?",  # no hemp there
            "(difference): 13 − 9 = 4 thousand euros.",
            "4 thousand euros: difference",
            ["Cost of ropes | 9 | 13"],
        ),
        (
            "How did cost of ropes change?",  # no year: the two that the row has
            "(difference): 13 − 9 = 4 thousand euros.",
            "4 thousand euros: difference",
            ["Cost of ropes | 9 | 13"],
        ),
        (
            "How much more does the Roost cost than the Nest?",
            "(difference): 900 − 640 = 260 euros.",
            "260 euros: difference",
            ["The Roost costs 900 euros.", "The Nest costs 640 euros."],
        ),
    ],
)
def test_code_works_out_what_is_asked_from_cited_figures(question, how, result, quotes):
    text, cited, computed = first(question)
    assert text == f"Computed from these figures {how}"
    assert (cited, computed) == (quotes, (result,))


@pytest.mark.parametrize(
    "question",
    [
        "What was revenue in 2025?",  # nothing is to be worked out
        "What is the difference in revenue between 2019 and 2025?",  # a side has no figure
        "What is the average of material costs from 2023 to 2025?",  # a range names no figures
        "What is the difference between a Roost and a bicycle?",
        "By what percentage did the revenue of Pfizer grow from 2024 to 2025?",  # of another
    ],
)
def test_where_a_side_is_not_clear_nothing_is_computed(question):
    answer, _ = ask(question, PAGES)
    assert not any(one.computed or "Computed" in one.text for one in answer.sentences)


NOW = "Revenue of bikes in 2025 was 4 million euros."
BEFORE = "Revenue of bikes in 2024 was 3 million euros."
TWICE = f"{NOW} {BEFORE} Revenue of bikes in 2024 was 2 million euros."
DOLLARS = f"{NOW} Revenue of bikes in 2024 was 3 million dollars."
ZERO = f"{NOW} Revenue of bikes in 2024 was 0 euros."
PROFIT = f"{NOW} Profit of bikes in 2024 was 3 million euros."
IN_EUROS = "What is the difference in revenue of bikes between 2024 and 2025?"


ROPES = "Cost of ropes: 13 in 2025. [1]"
ROWS = {
    "kiel.pdf": [
        (
            "In thousands of euros\n\nItem | 2023 | 2024 | 2025\nCost of ropes | 7 | 9 | 13\n"
            "Margin | 4 % | 5 % | 6 %\n\n"
            "Nails\n\nItem | May 2024 | July 2024 | 2025\nNails | 1 | 2 | 4\n\n"
            "In thousands\n\nItem | 2024 | Per mast 2025\nSails | 7 | 9\n"
        )
    ]
}


@pytest.mark.parametrize(
    ("said", "question", "result"),
    [
        (ROPES, "By how much did the rope costs rise in 2025?", "4 thousand"),
        (ROPES, "How did the costs of hemp ropes change from 2023 to 2025?", "6 thousand"),
        (ROPES, "By how much did the rope costs at Kiel rise in 2025?", "4 thousand"),
        (ROPES, "By how much did the rope costs at Pfizer rise in 2025?", ""),
        (ROPES, "By how much did the costs of hemp sails rise in 2025?", ""),  # of other things
        (ROPES, "By how much did the rope costs rise?", ""),  # three years
        (ROPES, "By how much did the rope costs rise from 2019 to 2025?", ""),
        (ROPES, "How did the rope costs change in 2023, 2024 and 2025?", ""),
        (ROPES, "What did the rope costs rise to in 2025?", ""),  # no change is asked for
        ("Nails: 4 in 2025. [1]", "By how much did nails rise in 2025?", ""),  # two of 2024
        ("Margin: 6 % in 2025. [1]", "By how much did the margin rise in 2025?", ""),  # shares
        ("Sails: 7 in 2024. [1]", "By how much did sails rise in 2025?", ""),  # of two scales
    ],
)
def test_a_change_is_read_along_the_row_that_is_cited(said, question, result):
    answer = by_model(said, question, ROWS)
    assert answer.sentences[0].citations
    computed = [one for sentence in answer.sentences for one in sentence.computed]
    assert bool(computed) == bool(result)
    assert not result or computed[0].startswith(result)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (TWICE, IN_EUROS),  # two figures could be the one of 2024
        (DOLLARS, IN_EUROS),
        (ZERO, "By what percentage did revenue of bikes grow from 2024 to 2025?"),
        (PROFIT, IN_EUROS),
    ],
)
def test_figures_that_do_not_go_together_are_not_computed_with(said, question):
    sentences = [f"{one.rstrip('.')}. [1]" for one in said.split(". ")]
    answer = by_model(" ".join(sentences), question, {"a.pdf": [said]})
    told = [one for one in answer.sentences if "documents differ" not in one.text]
    assert len(told) == len(sentences)
    assert not any(one.computed for one in answer.sentences)
    both = f"{NOW} [1] {BEFORE} [1]"  # the same with two figures that do go together
    computed = by_model(both, question, {"a.pdf": [f"{NOW} {BEFORE}"]}).sentences[-1].computed
    assert computed


IN_THOUSANDS = """In thousands, except per share data

Item | 2024 (in thousands, except for per share data) | 2025
Net sales | 8 | 10
Basic earnings | 3 | 4
"""


@pytest.mark.parametrize(
    ("said", "question", "result"),
    [
        ("Net sales: 10 in 2025. [1]", "By what percentage did net sales grow in 2025?", "25 %"),
        ("Net sales: 10 in 2025. [1]", "By how much did net sales grow in 2025?", "2 thousand"),
        (
            "Basic earnings: 4 in 2025. [1]",
            "By how much did basic earnings grow in 2025?",
            "1: diff",
        ),
    ],
)
def test_except_per_share_data_says_nothing_of_the_other_rows(said, question, result):
    answer = by_model(said, question, {"kiel.pdf": [IN_THOUSANDS]})
    computed = [one for sentence in answer.sentences for one in sentence.computed]
    assert [one.startswith(result) for one in computed] == [True]


PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": "revenue of bikes"}]})
GRADE = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})


def by_model(said, question, pages):
    answer, _ = ask(question, pages, llm=ScriptedLLM([PLAN, GRADE, said]))
    return answer


def test_a_figure_is_not_compared_with_itself():
    said = "Online revenue of 14 million euros decreased in 2025."  # the file's name has both names
    question = "By how much did Quay Depot's revenue fall in 2025?"
    answer = by_model(f"{said} [1]", question, {"Quay_Depot_2025.pdf": [said]})
    assert [one.computed for one in answer.sentences] == [()]
    said = "Quay Depot had revenue of 14 million euros in 2025."
    other = "Roost Works had revenue of 9 million euros in 2025."
    question = "What is the difference in revenue between Quay and Roost?"
    answer = by_model(f"{said} [1] {other} [1]", question, {"a.pdf": [f"{said} {other}"]})
    assert answer.sentences[-1].computed == ("5 million euros: difference",)


TWO = (
    "Revenue of bikes in 2025 was 4 million euros. Revenue of bikes in 2024 was 3.5 million euros."
)
ASKED = "What is the difference in revenue of bikes between 2024 and 2025?"


def test_what_a_writer_leaves_out_is_computed_and_what_it_computes_is_checked_and_kept():
    both = "Revenue of bikes in 2025 was 4 million euros [1]. Revenue of bikes in 2024 was"
    both += " 3.5 million euros [1]."
    answer = by_model(both, ASKED, {"a.pdf": [TWO]})
    assert answer.sentences[-1].text.endswith("4 − 3.5 = 0.5 million euros.")
    assert len(answer.sentences) == 3
    own = "Revenue of bikes was 4 million euros in 2025 and 3.5 million euros in 2024, a difference"
    for result, kept in [("0.5", True), ("0.9", False)]:
        answer = by_model(f"{own} of {result} million euros. [1]", ASKED, {"a.pdf": [TWO]})
        texts = [one.text for one in answer.sentences]
        assert any(f"difference of {result}" in text for text in texts) == kept
        assert any("Computed" in text for text in texts) != kept  # code does what a model did not


def test_the_result_is_told_as_it_is_written_and_stands_in_the_answer():
    pipeline = small()
    pipeline.upload("acme/default/a.md", f"# Bikes\n\n{TWO}".encode())
    client = connect(pipeline)
    answer = client.ask(ASKED)
    events = client.events(answer["id"], wait=0)["events"]
    kinds = [event["kind"] for event in events]
    last = events[len(kinds) - kinds[::-1].index("restart") :]
    words = [event["data"]["text"] for event in last if event["kind"] == "words"]
    assert words[0].startswith("Computed from these figures (difference): 4 − 3.5 = 0.5")
    assert answer["answer"].startswith(words[0])
    assert len(words) == 3


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("By how many percent did sales increase?", "change in percent"),
        ("What was the growth rate of sales?", "change in percent"),
        ("How much did sales rise?", "difference"),
        ("How much lower is the fee?", "difference"),
        ("By how many euros did the fee shrink?", "difference"),
        ("How did the fee change from 2023 to 2024?", "difference"),
        ("How did the board vote?", None),
        ("What is the total of fees and rent?", "sum"),
        ("How much are fees and rent together?", "sum"),
        ("What is the mean fee?", "mean"),
        ("How many times the fee is the rent?", "ratio"),
        ("What is the fee?", None),
        ("Which ratio is good?", None),
        ("What did the board say of growth?", None),
    ],
)
def test_the_question_says_what_is_to_be_worked_out(question, name):
    assert asked_computation(question) == name


def test_long_questions_take_no_long_time():
    for text in ("how much did " * 300, "percent " * 500, "change " * 600):
        assert asked_computation(text) in {None, "difference", "change in percent"}
