"""What people say of answers: stored with the question, listed to who may read it."""

import pytest

from footnote.errors import BadRequestError, NotFoundError
from tests.unit.test_access import QUESTION, of, pipeline

__all__ = ["of", "pipeline"]


@pytest.fixture
def asked(of):
    return of("board").ask(QUESTION)["id"]


def test_what_is_said_is_listed_newest_first(pipeline, of, asked):
    start = pipeline.clock()
    for n, verdict in enumerate(("up", "down", "gap")):
        pipeline.clock = lambda n=n: start + n
        of("board").say(asked, verdict, reason=f" because {n} ")
    found = list(of("board").feedback())
    assert [(one["verdict"], one["reason"]) for one in found] == [
        ("gap", "because 2"),
        ("down", "because 1"),
        ("up", "because 0"),
    ]
    assert {one["question_id"] for one in found} == {asked}
    assert {one["question"] for one in found} == {QUESTION}


def test_a_sentence_and_a_citation_can_be_meant(of, asked):
    said = of("board").say(asked, "down", sentence=0, citation=1)
    assert (said["sentence"], said["citation"]) == (0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "maybe"},
        {"verdict": "up", "sentence": 9},
        {"verdict": "up", "sentence": -1},
        {"verdict": "up", "citation": 9},
        {"verdict": "up", "reason": "x" * 2001},
        {"verdict": "up", "tenant": "other"},
    ],
    ids=str,
)
def test_what_the_answer_does_not_have_is_refused(of, asked, wrong):
    with pytest.raises(BadRequestError):
        of("board").say(asked, **wrong)
    assert list(of("board").feedback()) == []


def test_others_neither_say_nor_see_it(of, asked):
    of("board").say(asked, "down", reason="7,120 is wrong")
    for key in ("guest", "other"):
        assert list(of(key).feedback()) == []
        with pytest.raises(NotFoundError):
            of(key).say(asked, "up")
    assert len(list(of("both").feedback())) == 1


def test_a_long_list_comes_in_pages(pipeline, of, asked):
    start = pipeline.clock()
    for n in range(120):
        pipeline.clock = lambda n=n: start + n // 3
        of("board").say(asked, "up", reason=str(n))
    found = [int(one["reason"]) for one in of("board").feedback()]
    assert sorted(found) == list(range(120))


def test_it_goes_with_its_session(of):
    asked = of("board").ask(QUESTION, session="s")["id"]
    of("board").say(asked, "up")
    of("board").delete_session("s")
    assert list(of("board").feedback()) == []
