"""Lists, counts and summaries of the samples, against complete answers that a person wrote.

The answers name all that is there, also what no rule finds. So a share below 1 is no mistake of
this test: it says what reading by rule is worth.
"""

import json
import re
from pathlib import Path

import pytest

from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

SAMPLES = Path(__file__).parents[2] / "samples"
ROWS = [
    json.loads(line)
    for name in ("whole.jsonl", "kinds.jsonl")
    for line in (SAMPLES / name).read_text("utf-8").splitlines()
]
CASES = [case for case in ROWS if case.get("kind", "document") == "document"]
LISTS = [case for case in CASES if "facts" not in case]
DOCUMENTS = len(list((SAMPLES / "documents").iterdir()))
FEWEST_FOUND, MOST_FALSE = 0.85, 0.03  # shares of what is there, and of what is said
FEWEST_FACTS = 0.7  # of the 27 that a person would put in summaries of six documents


@pytest.fixture(scope="module")
def answers():
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    for path in sorted((SAMPLES / "documents").iterdir()):
        pipeline.upload(f"acme/default/{path.name}", path.read_bytes())
    service = Service(pipeline, "acme")
    asked = {
        case["id"]: service.questions.get(service.questions.ask(case["question"]).question_id)
        for case in CASES
    }
    return {name: record.answer for name, record in asked.items()}


def said_of(answer):
    """Returns what an answer claims to be items: nothing where it shows the nearest lines."""
    return [one for one in answer.sentences if one.citations] if answer.found else []


def judge(case, answer):
    """Returns how many of the true items are said with a citation, and how many others are said."""
    wanted = case.get("items") or case.get("documents") or []
    cited = {citation.n: citation for citation in answer.citations}
    texts = [
        cited[one.citations[0]].document if "documents" in case else one.text
        for one in said_of(answer)
    ]
    found = sum(any(true in text for text in texts) for true in wanted)
    false = sum(not any(true in text for true in wanted) for text in texts)
    return found, false


def test_most_of_what_is_there_is_found_and_little_else(answers):
    rows = [(case, *judge(case, answers[case["id"]])) for case in LISTS]
    there = sum(len(case.get("items", case.get("documents", ()))) for case in LISTS)
    found, false = sum(row[1] for row in rows), sum(row[2] for row in rows)
    report = "\n".join(
        f"{case['id']} {found} {false} {case['question']}" for case, found, false in rows
    )
    assert found / there >= FEWEST_FOUND, report
    assert false / (found + false) <= MOST_FALSE, report


@pytest.mark.parametrize("case", LISTS, ids=lambda case: case["id"])
def test_a_number_is_that_of_the_items_that_stand_below_it(answers, case):
    answer = answers[case["id"]]
    if not answer.found:
        return
    (number,) = re.findall(r"^\d+", answer.sentences[0].text)
    assert int(number) == len(said_of(answer)) == len(answer.sentences) - 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_line_is_cited_and_checked_and_the_coverage_is_true(answers, case):
    answer = answers[case["id"]]
    assert answer.coverage.documents == answer.coverage.of <= DOCUMENTS
    assert answer.coverage.stopped == ""
    assert {one.checked for one in said_of(answer)} <= {"exact", "confirmed"}
    assert all(citation.verified for citation in answer.citations)


def test_what_is_not_there_is_not_made_up(answers):
    nothing = [case["id"] for case in LISTS if case.get("items") == []]
    assert nothing
    assert [answers[name].outcome for name in nothing] == ["none"] * len(nothing)


def test_a_summary_has_most_of_the_facts_that_a_person_would_name(answers):
    summaries = [case for case in CASES if "facts" in case]
    told = [fact in answers[case["id"]].answer for case in summaries for fact in case["facts"]]
    assert sum(told) / len(told) >= FEWEST_FACTS
