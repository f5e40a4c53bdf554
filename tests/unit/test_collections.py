"""A collection that is not there for the caller is an error on each face, and no empty result."""

import pytest

from footnote.errors import NotFoundError
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.model import Revision, document_id
from footnote.service import Service
from tests.mcp_clients import call
from tests.unit.faces import CountingCatalog, connect, small

FEE = b"The harbour fee for a barge is 84 crowns.\n"
QUESTION = "What is the harbour fee for a barge?"


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/port/fees.md", FEE)
    made.upload("acme/port-old/fees.md", FEE)
    made.uploads.put("acme/board/fees.md.metadata.json", b'{"acl": ["board"]}')
    made.upload("acme/board/fees.md", FEE)
    made.upload("other/secret/fees.md", FEE)
    made.upload("acme/gone/fees.md", FEE)
    Service(made, "acme").documents.remove("fees.md", "gone")
    made.drain()
    return made


def receive(pipeline, key):
    pipeline.catalog.receive(Revision(key=key, version="v1", sequencer="10"), 9)


ABSENT = ["por", "PORT", "board", "secret", "gone", "", "_", "port/fees.md", "x" * 2000, "\u00e9"]


@pytest.mark.parametrize("name", ABSENT)
def test_a_collection_of_which_nothing_may_be_read_is_named_with_those_there_are(pipeline, name):
    with pytest.raises(NotFoundError, match="no collection") as refused:
        Service(pipeline, "acme").searches.scope(name)
    assert refused.value.code == "unknown_collection"
    assert refused.value.action == "Known: 'port-old', 'port'."
    assert name[:100] in refused.value.message


@pytest.mark.parametrize("name", ["port", "port-old"])
def test_a_collection_with_something_to_read_is_searched(pipeline, name):
    assert Service(pipeline, "acme").searches.scope(name).collection == name
    assert Service(pipeline, "acme", ["board"]).searches.scope("board").collection == "board"


def test_a_document_that_is_still_worked_on_makes_its_collection_known(pipeline):
    receive(pipeline, "acme/new/a.md")
    assert Service(pipeline, "acme").searches.scope("new")


def test_whoever_has_no_documents_is_told_to_add_some(pipeline):
    with pytest.raises(NotFoundError) as refused:
        Service(pipeline, "third").searches.scope("default")
    assert "Add documents" in refused.value.action


def test_every_face_refuses_it(pipeline):
    client = connect(pipeline)
    server = make_server(ServiceFace(Service(pipeline, "acme")), lambda: None)
    asked = {
        "search": lambda: client.search("fee", collection="prot"),
        "question": lambda: client.start(QUESTION, collection="prot"),
        "estimate": lambda: client.estimate(QUESTION, collection="prot"),
    }
    for name, ask in asked.items():
        with pytest.raises(NotFoundError, match="no collection 'prot'") as refused:
            ask()
        assert (name, refused.value.code) == (name, "unknown_collection")
    for tool, given in {"search": {"query": "fee"}, "ask": {"question": QUESTION}}.items():
        result = call(server, tool, **given, collection="prot")
        assert result.structured_content["error"]["code"] == "unknown_collection"
    assert pipeline.questions._records == {}


def test_a_look_reads_one_document_however_many_there_are(pipeline):
    for n in range(300):
        receive(pipeline, f"acme/port/{n}.md")
    pipeline.catalog = CountingCatalog(pipeline.catalog)
    Service(pipeline, "acme").searches.scope("port")
    assert pipeline.catalog.read == 1


def test_of_many_collections_some_are_named(pipeline):
    for n in range(50):
        receive(pipeline, f"acme/c{n:02}/a.md")
    pipeline.catalog = CountingCatalog(pipeline.catalog)
    with pytest.raises(NotFoundError) as refused:
        Service(pipeline, "acme").searches.scope("none")
    assert refused.value.action.endswith("'c18', ….")
    assert "board" not in refused.value.action
    assert pipeline.catalog.read <= 50


def test_the_id_of_another_collections_document_is_still_refused(pipeline):
    with pytest.raises(NotFoundError):
        Service(pipeline, "acme").searches.scope("por", [document_id("acme/board/fees.md")])
