"""The wish for a chart: each face takes it, and the answer heeds it."""

import pytest

from footnote.api.waiting import Waiting
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.service import Service
from tests.held import PATIENCE
from tests.mcp_clients import call
from tests.unit.faces import connect
from tests.unit.test_cli import pipeline, run
from tests.unit.test_strict import post

__all__ = ["pipeline"]

QUESTION = "What are the boats of each pier?"
PIERS = b"pier,boats\nNorth,4\nEast,9\n"


def by_route(pipeline, **wish):
    post("/questions", question=QUESTION, **wish)
    pipeline.drain()


def by_client(pipeline, **wish):
    connect(pipeline).ask(QUESTION, **wish)


def by_command(_, **wish):
    run("ask", QUESTION, *(["--chart"] if wish else []))


def by_assistant(pipeline, **wish):
    server = make_server(connect(pipeline), lambda: Waiting(PATIENCE, None))
    call(server, "ask", question=QUESTION, **wish)


def by_assistant_of_the_service(pipeline, **wish):
    server = make_server(ServiceFace(Service(pipeline, "acme")), lambda: Waiting(PATIENCE, None))
    call(server, "ask", question=QUESTION, **wish)
    pipeline.drain()


@pytest.mark.parametrize(
    "face", [by_route, by_client, by_command, by_assistant, by_assistant_of_the_service]
)
@pytest.mark.parametrize("wish", [{"chart": True}, {}])
def test_each_face_takes_the_wish(pipeline, face, wish):
    pipeline.upload("acme/default/piers.csv", PIERS)
    face(pipeline, **wish)
    [record] = pipeline.questions._records.values()
    assert record.wishes.chart is bool(wish)
    values = record.answer.chart.spec.data.values if record.answer.chart else ()
    expected = [("East", 9.0), ("North", 4.0)] if wish else []
    assert sorted((each.label, each.value) for each in values) == expected
