"""An answer is shown to who may read all that it cites, today."""

import json

import pytest

from footnote.client import answer_of
from footnote.errors import ConflictError, NotFoundError, UnavailableError
from tests.unit.test_access import CLOSED, OPEN, QUESTION, SIDECAR, of, pipeline

__all__ = ["of", "pipeline"]
FEE = "What is the harbour fee for a barge?"


def shown(client, asked):
    return client.question(asked, trace=True)


def is_closed(view):
    return (view["status"], view.get("error", {}).get("code")) == ("FAILED", "sources_closed")


def test_an_answer_is_withheld_as_a_whole_when_a_document_is_closed_to_the_viewer(pipeline, of):
    asked = of("board").ask(QUESTION)["id"]
    assert "7,120" in json.dumps(shown(of("board"), asked))
    pipeline.uploads.put(f"acme/default/{CLOSED}.metadata.json", b'{"acl": ["legal"]}')
    pipeline.drain()
    view = shown(of("board"), asked)
    assert is_closed(view)
    assert "rests on a document that you cannot read any more" in view["error"]["message"]
    told = json.dumps(view)
    assert "7,120" not in told
    assert CLOSED not in told
    events = of("board").events(asked, wait=0)
    assert [one["kind"] for one in events["events"]] == ["failed"]
    assert not is_closed(shown(of("all"), asked))
    with pytest.raises(UnavailableError) as caught:
        answer_of(of("board").question(asked))
    assert caught.value.code == "sources_closed"


def test_an_answer_opens_again_with_its_document(pipeline, of):
    asked = of("board").ask(QUESTION)["id"]
    for acl, closed in ((b'{"acl": []}', True), (SIDECAR, False)):
        pipeline.uploads.put(f"acme/default/{CLOSED}.metadata.json", acl)
        pipeline.drain()
        assert is_closed(shown(of("board"), asked)) is closed


def test_an_answer_whose_document_was_deleted_is_withheld_from_everyone(of):
    asked = of("guest").ask(FEE)["id"]
    of("guest").remove(OPEN)
    for key in ("guest", "board", "all"):
        assert is_closed(shown(of(key), asked))
        assert "84 crowns" not in json.dumps(shown(of(key), asked))


def test_an_answer_whose_document_was_replaced_is_shown(pipeline, of):
    asked = of("guest").ask(FEE)["id"]
    pipeline.upload(
        f"acme/default/{OPEN}", b"# Fees\n\nThe harbour fee for a barge is 97 crowns.\n"
    )
    assert shown(of("guest"), asked)["found"]


def test_a_closed_answer_is_neither_exported_nor_judged_nor_marked(pipeline, of):
    asked = of("all").ask(FEE)["id"]
    of("all").remove(OPEN)
    with pytest.raises(ConflictError) as caught:
        of("all").export(asked)
    assert caught.value.code == "sources_closed"
    with pytest.raises(ConflictError):
        of("all").say(asked, "up")
    with pytest.raises(NotFoundError):
        of("all").picture(CLOSED, 1, question=asked, n=1)


def test_a_follow_up_is_not_told_what_a_closed_answer_said(pipeline, of):
    first = of("all").ask(FEE, session="s")["id"]
    of("all").remove(OPEN)
    second = of("all").start("And the year before?", session="s")["id"]
    assert pipeline.questions.get("acme", second).history == ()
    third = of("all").start("And the year before?", after=first)["id"]
    assert pipeline.questions.get("acme", third).history == ()


def test_an_answer_without_citations_has_no_source_to_close(of):
    asked = of("guest").ask("hello")["id"]
    of("guest").remove(OPEN)
    assert shown(of("guest"), asked)["status"] == "DONE"


def test_a_later_question_is_told_of_a_session_what_its_asker_may_read(pipeline, of):
    of("board").ask(QUESTION, session="s")
    fee = of("board").ask(FEE, session="s")["id"]
    asked = of("board").start("And the year before?", after=fee)["id"]
    assert [question for question, _ in pipeline.questions.get("acme", asked).history] == [
        QUESTION,
        FEE,
    ]
    pipeline.uploads.put(f"acme/default/{CLOSED}.metadata.json", b'{"acl": ["legal"]}')
    pipeline.drain()
    asked = of("board").start("And the year before?", after=fee)["id"]
    assert [question for question, _ in pipeline.questions.get("acme", asked).history] == [FEE]
