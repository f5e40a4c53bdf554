"""Rows of tables that contradict each other: both values are shown with their citations."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.fenced import passages_of
from tests.unit.faces import Words
from tests.unit.test_contradiction import GRADE

QUESTION = "What were the harbour dues in 2023?"
PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]})


def page(head, rows, columns="in million crowns | 2023 | 2022"):
    rule = " | ".join("---" for _ in columns.split(" | "))
    lines = "\n".join(f"| {row} |" for row in rows)
    return f"# {head}\n\n## Income\n\n| {columns} |\n| {rule} |\n{lines}\n"


def told(first, second, said="Harbour dues | 84 | 79"):

    def run(llm):
        made = Pipeline(
            Settings(backend="memory"), llm=llm, embedder=HashEmbedder(), tokenizer=Words()
        )
        for name, text in (("plan.md", first), ("report.md", second)):
            made.upload(f"acme/default/{name}", text.encode())
        made.drain()
        service = Service(made, "acme")
        return service.questions.get(service.questions.ask(QUESTION).question_id).answer

    probe = ScriptedLLM([PLAN, GRADE, "Nothing."])
    run(probe)
    n = next(n for n, text in passages_of(probe.requests[-1]).items() if said in text)
    answer = run(ScriptedLLM([PLAN, GRADE, f"| {said} | [{n}]"]))
    return [one for one in answer.sentences if one.text.startswith("The documents differ")], answer


ROWS = ["Harbour dues | 84 | 79", "Storage | 12 | 11"]


def test_two_tables_that_differ_in_a_cell_are_shown_with_both_citations():
    second = page("Report of Marlow Yard", ["Harbour dues | 91 | 79", "Storage | 12 | 11"])
    [shown], answer = told(page("Plan of Marlow Yard", ROWS), second)
    assert shown.text == "The documents differ on Harbour dues (2023): plan.md: 84; report.md: 91."
    assert len(shown.citations) == 2
    cited = {one.n: one for one in answer.citations}
    assert [cited[n].document for n in shown.citations] == ["plan.md", "report.md"]
    assert all(cited[n].verified for n in shown.citations)


SILENT = {
    "equal": ["Harbour dues | 84 | 79"],
    "rounded": ["Harbour dues | 84.2 | 79"],
    "another label": ["Bridge dues | 91 | 79"],
    "all columns differ: another unit of the firm": ["Harbour dues | 31 | 28"],
    "the label stands twice": ["Harbour dues | 91 | 79", "Harbour dues | 84 | 70"],
}


@pytest.mark.parametrize("rows", SILENT.values(), ids=SILENT)
def test_rows_that_may_be_about_two_things_are_not_shown(rows):
    assert told(page("Plan of Marlow Yard", ROWS), page("Report of Marlow Yard", rows))[0] == []


def test_another_year_another_heading_or_another_scale_is_no_contradiction():
    first = page("Plan of Marlow Yard", ROWS)
    rows = ["Harbour dues | 91 | 79"]
    years = page("Report of Marlow Yard", rows, "in million crowns | 2021 | 2020")
    assert told(first, years)[0] == []
    heading = page("Report of Marlow Yard", rows).replace("## Income", "## Northern basin")
    assert told(first, heading)[0] == []
    full = ["Harbour dues | 84,000 | 79,000"]
    scale = page("Report of Marlow Yard", full, "in thousand crowns | 2023 | 2022")
    assert told(first, scale)[0] == []


def test_a_quarter_and_a_year_are_no_contradiction():
    first = page("Plan of Marlow Yard", ROWS)
    rows = ["Harbour dues | 91 | 79", "Storage | 12 | 11"]
    assert told(first, page("Quarterly report of Marlow Yard", rows))[0] == []
    columns = "in million crowns | 2023 | 2022"
    three = page("Report of Marlow Yard", rows, columns).replace("## Income", "## Income, Q2")
    assert told(first, three)[0] == []
    both = [page(name, rows_).replace("## Income", "## Income, Q2") for name, rows_ in
            (("Plan of Marlow Yard", ROWS), ("Report of Marlow Yard", rows))]  # fmt: skip
    assert len(told(*both)[0]) == 1
