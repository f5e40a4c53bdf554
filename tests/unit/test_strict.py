"""Strict answers: each face takes the wish, the writer hears it; else the setting decides."""

import json

import pytest

from footnote.api import routes
from footnote.api.waiting import Waiting
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.model import AnswerOptions
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.local_workflow import step_of
from tests.held import PATIENCE
from tests.mcp_clients import call
from tests.unit.faces import Context, connect, event
from tests.unit.test_api import Idle
from tests.unit.test_cli import pipeline, run

__all__ = ["pipeline"]

QUESTION = "What is the harbour fee for a barge?"
KEY = {"x-api-key": "acme-key"}


@pytest.fixture
def heard(pipeline, monkeypatch):
    """What the writer was told, one for each question."""
    step = step_of("synthesize").run.__globals__
    told, write = [], step["synthesize"]

    def listen(given):
        told.append(given.strict)
        return write(given)

    monkeypatch.setitem(step, "synthesize", listen)
    pipeline.upload("acme/default/fees.md", b"# Fees\n\nThe harbour fee is 84 crowns.\n")
    return told


def post(path, **body):
    made = event("POST", path, None, json.dumps(body), KEY | {"prefer": "wait=20"})
    assert routes.handle(made, Context())["statusCode"] in {200, 202, 503}


def by_route(pipeline, **wish):
    post("/questions", question=QUESTION, **wish)
    pipeline.drain()


def by_client(pipeline, **wish):
    connect(pipeline).ask(QUESTION, **wish)


def by_command(_, **wish):
    flags = {True: ["--strict"], False: ["--no-strict"]}
    run("ask", QUESTION, *flags.get(wish.get("strict"), []))


def by_chat(_, **wish):
    post("/v1/chat/completions", messages=[{"role": "user", "content": QUESTION}], **wish)


def by_assistant(pipeline, **wish):
    server = make_server(connect(pipeline), lambda: Waiting(PATIENCE, None))
    call(server, "ask", question=QUESTION, **wish)


def by_assistant_of_the_service(pipeline, **wish):
    server = make_server(ServiceFace(Service(pipeline, "acme")), lambda: Waiting(PATIENCE, None))
    call(server, "ask", question=QUESTION, **wish)
    pipeline.drain()


FACES = [by_route, by_client, by_command, by_chat, by_assistant, by_assistant_of_the_service]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("wish", [True, False])
def test_each_face_takes_the_wish_and_the_writer_hears_it(pipeline, heard, face, wish):
    pipeline.settings = pipeline.settings.model_copy(update={"strict": "off" if wish else "on"})
    face(pipeline, strict=wish)
    assert heard == [wish]


@pytest.mark.parametrize("face", FACES)
def test_who_says_nothing_gets_what_the_setting_says(pipeline, heard, face):
    pipeline.settings = pipeline.settings.model_copy(update={"strict": "on"})
    face(pipeline)
    assert heard == [True]


def test_nothing_is_strict_unless_somebody_says_so():
    assert Settings().strict == "off"
    assert not AnswerOptions().is_strict(unless_said="off")


def test_a_chat_that_is_asked_otherwise_does_not_wait_for_the_answer_of_the_other(pipeline):
    pipeline.settings = Settings(backend="memory", wait_seconds=1)
    pipeline.workflow = Idle()
    for wish in (True, False, True):
        post("/v1/chat/completions", messages=[{"role": "user", "content": QUESTION}], strict=wish)
    asked = [record.wishes.strict for record in pipeline.questions._records.values()]
    assert asked == [True, False]
