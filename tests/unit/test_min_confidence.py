"""`min_confidence`: nothing is answered from evidence that grading is less sure of."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.quote.confidence import FOUND, confidence, grade
from footnote.ask.retrieve import retrieve
from footnote.errors import BadRequestError
from footnote.model import AnswerOptions, Scope, SubQuestion
from tests.asking import ask
from tests.corpus import Corpus
from tests.unit.faces import connect, small

PAGES = {
    "fees.pdf": ["A bike stored in the depot costs members 12 euros a month."],
    "hours.pdf": ["The depot opens at seven o'clock on weekdays."],
}
FEE, HOURS = "What does a stored bike cost?", "When does the depot open?"
FEE_TOLD = "A bike stored in the depot costs members 12 euros a month."


def by_model(*confidences, least, written):
    """Asks for the fee, and with two confidences for the hours too; returns answer and model."""
    texts = (FEE, HOURS)[: len(confidences)]
    plan = {"kind": "retrieve", "sub_questions": [{"text": text} for text in texts]}
    verdicts = [
        {"id": f"q{n}", "decision": "enough", "confidence": sure}
        for n, sure in enumerate(confidences, 1)
    ]
    llm = ScriptedLLM([json.dumps(plan), json.dumps({"verdicts": verdicts}), written])
    answer, _ = ask(" ".join(texts), PAGES, AnswerOptions(min_confidence=least), llm)
    return answer, llm


@pytest.mark.parametrize(("sure", "found"), [(0.69, False), (0.7, True)])
def test_what_a_model_grades_less_sure_is_not_answered_from(sure, found):
    answer, llm = by_model(sure, least=0.7, written=f"{FEE_TOLD} [1]")
    assert (answer.found, answer.plan.min_confidence) == (found, 0.7)
    assert answer.outcome == ("answer" if found else "nearest")
    assert len(llm.requests) == 2 + found  # nobody writes what would not be shown
    note = f"Left out, as its confidence is below 0.7: what was found for {FEE}"
    assert (note in answer.degraded) is not found


def test_without_a_least_confidence_all_that_was_found_is_written_from():
    answer, _ = by_model(0.01, least=0, written=f"{FEE_TOLD} [1]")
    assert answer.found
    assert not any("Left out" in note for note in answer.degraded)


def test_a_part_that_is_unsure_is_left_out_and_named_beside_one_that_is_sure():
    answer, llm = by_model(0.9, 0.4, least=0.7, written=f"{FEE_TOLD} [1]")
    assert (answer.found, [one.quote for one in answer.citations]) == (True, [FEE_TOLD])
    assert (
        f"Left out, as its confidence is below 0.7: what was found for {HOURS}" in answer.degraded
    )
    assert HOURS in llm.requests[2].prompt  # the writer may say that the documents do not say it


def test_rules_search_once_more_where_they_are_less_sure_than_the_caller_wants():
    corpus = Corpus(PAGES)
    question = SubQuestion(id="q1", text=FEE)
    found = {"q1": retrieve(question, Scope(tenant="acme"), (), corpus.ports)}
    sure = confidence(FEE, found["q1"])
    assert FOUND <= sure < 1

    def decision(least, last=()):
        return grade([question], found, last, least).verdicts[0].decision

    assert [decision(0), decision(sure), decision(1)] == ["enough", "enough", "expand"]
    assert decision(1, last=("q1",)) == "enough"


def test_without_a_model_an_answer_that_is_not_sure_enough_is_refused():
    sure, _ = ask(FEE, PAGES, AnswerOptions(min_confidence=FOUND))
    unsure, _ = ask(FEE, PAGES, AnswerOptions(min_confidence=1))
    assert (sure.outcome, unsure.outcome) == ("answer", "nearest")
    assert "fees.pdf" in {one.document for one in unsure.citations}
    assert unsure.plan.sub_questions[0].searches == 2


@pytest.mark.parametrize("given", [-0.1, 1.1, "high", None])
def test_what_is_no_share_is_refused_by_name(given):
    with pytest.raises(BadRequestError, match="min_confidence"):
        connect(small()).ask(FEE, min_confidence=given)


@pytest.mark.parametrize("call", ["ask", "estimate"])
def test_data_is_not_graded_so_the_two_do_not_go_together(call):
    schema = {"type": "object", "properties": {"fee": {"type": "number"}}}
    client = connect(small())
    with pytest.raises(BadRequestError, match="not graded") as refused:
        getattr(client, call)(FEE, schema=schema, min_confidence=0.5)
    assert refused.value.action == "Leave out min_confidence, or ask without the schema."
