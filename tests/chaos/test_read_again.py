"""A scope that is read whole is read once, whatever fails meanwhile: its count stays true."""

import pytest

from footnote.errors import UnavailableError
from footnote.model import Coverage
from footnote.wiring.pipeline import Pipeline
from tests.chaos.faults import Killed
from tests.chaos.machine import FEES, Moment, Run, create_question, watch
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

pytestmark = pytest.mark.slow


def asked(moment):
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/fees.md", FEES.encode())
    pipeline.upload("acme/default/more.md", b"# More\n\nThe fee of the ferry is 3 crowns.\n")
    record = create_question(pipeline, "List all fees.")
    ended = Run(watch(pipeline, moment), record).all()
    return ended, pipeline.questions.get("acme", record.question_id), pipeline


@pytest.fixture(scope="module")
def calm():
    moment = Moment()
    _, record, _ = asked(moment)
    return moment.calls, record.answer


def test_a_calm_question_reads_all(calm):
    calls, answer = calm
    assert answer.coverage == Coverage(documents=2, of=2)
    assert len(answer.sentences) > 2
    assert len(calls) > 10


@pytest.mark.parametrize("when", ["before", "after"])
def test_whatever_fails_once_changes_no_count(calm, when):
    calls, answer = calm
    for n in range(1, len(calls) + 1):

        def fails(where):
            raise UnavailableError(where)

        ended, record, pipeline = asked(Moment(n, when, fails))
        assert (n, ended, record.status) == (n, "Succeeded", "DONE")
        assert record.answer.answer == answer.answer, n
        assert record.answer.coverage == answer.coverage, n
        told = [one for one in pipeline.questions.events(record.question_id) if one.kind == "read"]
        assert len(told) == 1, n


def test_a_step_that_is_killed_ends_in_an_answer_or_says_what_is_missing(calm):
    calls, answer = calm
    for n in range(1, len(calls) + 1):

        def dies(where):
            raise Killed(where)

        _, record, _ = asked(Moment(n, "before", dies))
        if record.status == "DONE":
            assert record.answer.answer == answer.answer, n
        else:
            assert record.error.code, n
