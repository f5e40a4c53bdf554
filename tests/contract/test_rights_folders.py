"""Each function may touch the folders of the artifacts bucket that its step touches, and no others.

The steps run in this process, over a bucket that notes which step touches what.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.adapters.memory.small import MemoryTenants
from footnote.api import caller
from footnote.ask.question import history
from footnote.contracts import QUEUES, ChunkRequest, IndexRequest, ParseRequest, SweepRequest
from footnote.ingest.chunk.chunk import BUDGET
from footnote.mcp.document_resources import read_resource
from footnote.mcp.service_face import ServiceFace
from footnote.model import Caller, Revision, document_id
from footnote.service import Service
from footnote.settings import Settings
from footnote.store.keys import event_folder
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.contract.test_rights import VERBS, statements
from tests.corpus import HashEmbedder
from tests.transformed import as_list
from tests.turns import Model, calls, finish, search
from tests.unit.faces import TENANTS, Words, connect
from tests.unit.test_pages_inside import LEASE, archive
from tests.unit.test_parse_long import book
from tests.unit.test_situate import Says

ACTIONS = {
    "get": "GetObject",
    "put": "PutObject",
    "put_once": "PutObject",
    "delete": "DeleteObject",
    "erase": "DeleteObjectVersion",
}
FOLDERS = ("parsed", "chunks")  # what a document leaves
SIDECAR = b'{"metadataAttributes": {"department": "legal"}}'
PAGE = "# Harbour {}\n\nThe harbour fee for a barge is {} crowns.\n"


def running_step():
    """Returns the verb of the step that runs, by the file of its function or of the API."""
    frame = sys._getframe()
    while frame:
        path = Path(frame.f_code.co_filename)
        if path.parts[-3:-2] == ("functions",):
            return path.parent.name
        if path.parts[-2:] == ("api", "draw_routes.py"):
            return "draw"
        if path.parts[-3:-1] == ("footnote", "mcp"):
            return "mcp"
        if path.parts[-3:-1] == ("footnote", "api") and path.name != "asking.py":  # of all faces
            return "api"
        frame = frame.f_back
    return ""


class NotedBlobs(MemoryBlobStore):
    """Notes the step, the action and the folder of everything that is done to a blob."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def get(self, key, span=None):
        self._note("get", key)
        return super().get(key, span)

    def put(self, key, body):
        self._note("put", key)
        super().put(key, body)

    def put_once(self, key, body):
        self._note("put_once", key)
        return super().put_once(key, body)

    def delete(self, keys):
        for key in keys:
            self._note("delete", key)
        super().delete(keys)

    def erase(self, prefix):
        self._note("erase", prefix)
        keys = self.keys(prefix)
        super().delete(keys)
        return len(keys)

    def link(self, key, seconds, headers):
        self._note("get", key)  # who signs a link needs the right
        return super().link(key, seconds, headers)

    def _note(self, method, key):
        self.seen.add((running_step(), f"s3:{ACTIONS[method]}", key.split("/")[0]))


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    return what_is_touched(tmp_path_factory.mktemp("batch"))


def what_is_touched(batch):
    """Adds, replaces, annotates, deletes, asks, re-indexes, sweeps; returns what was noted.

    `batch` is a folder for a file that a client sends.
    """
    settings = Settings(backend="memory", pages_a_part=4, contextual_lines="on")
    pipeline = Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())
    pipeline.context_llm = Says('["A line."]')
    pipeline.artifacts = NotedBlobs()
    service = Service(pipeline, "acme", ("@all",))
    pipeline.upload("acme/default/long.pdf", book(9))
    pipeline.upload("acme/default/fees.md", PAGE.format(1, 84).encode() * (BUDGET // 20))
    pipeline.upload("acme/default/fees.md", PAGE.format(2, 97).encode())
    pipeline.upload("acme/default/bundle.zip", archive(lease_pdf=LEASE))
    pipeline.uploads.put("acme/default/fees.md.metadata.json", SIDECAR)
    pipeline.drain()
    asked = service.questions.ask("What is the harbour fee for a barge?")
    assert service.questions.get(asked.question_id).status == "DONE"
    listed = service.questions.ask("List all harbour fees.")
    assert service.questions.get(listed.question_id).answer.coverage
    pipeline.tenants = MemoryTenants(TENANTS)
    with pytest.MonkeyPatch.context() as patch, connect(pipeline) as client:
        patch.setattr(caller, "services", lambda: pipeline)
        asked = client.ask("What is the harbour fee for a barge?", session="s")
        client.text("fees.md")
        uri = f"footnote://documents/{document_id('acme/default/fees.md')}"
        mcp = Service(pipeline, "acme", ("@all",))
        assert read_resource(ServiceFace(mcp), uri).text
        with pytest.MonkeyPatch.context() as short:
            short.setattr(history, "OLDER_TOKENS", -1)  # the shortest session is a long one
            for question in ("What is the harbour fee for a barge?", "And for a raft?"):
                assert ServiceFace(mcp).start(question, session="long")["session"] == "long"
        for name in ("long.pdf", "bundle.zip"):
            client.picture(name, 1)
        client.export(asked["id"], "pdf")
        client.findings(asked["id"])
        assert client.delete_session("s") == 1
        grid = client.start_grid(["What is the harbour fee for a barge?"])["id"]
        client.ask_cell(grid, "fees.md", 1)
        client.export_grid(grid)
        assert client.delete_grid(grid) == 3
        file = batch / "again.md"
        file.write_text(PAGE.format(3, 84))
        batch = client.add_batch({"again.md": file})
        assert client.batch(batch["id"])["total"] == 1
        say_what_stays(pipeline, client, ServiceFace(mcp))
    ask_with_tools(pipeline)
    for key in [one for one in pipeline.artifacts.keys("chunks/") if one.endswith(".vectors")]:
        del pipeline.artifacts._blobs[key]  # as of a document from before vectors were kept
    run = service.operating.reindex("api", force=True)
    assert service.operating.reindex_status(run).status == "DONE"
    pipeline.uploads.delete("acme/default/long.pdf")
    pipeline.drain()
    leave_late_messages(pipeline, "acme/default/long.pdf")
    gone = f"{document_id('acme/default/gone.md')}/01-ab"
    for folder in FOLDERS:
        pipeline.artifacts.put(f"{folder}/{gone}/a.json", b"{}")
    for _ in range(2):  # the second goes on where the first has stopped
        step_of("sweep").run(SweepRequest(), pipeline)
    return pipeline.artifacts.seen


def say_what_stays(pipeline, client, face):
    """Makes a rule for a collection, and replaces a document in it."""
    everyone, pipeline.tenants = pipeline.tenants, Officer()
    pipeline.upload("acme/default/berth.md", b"# Berths\n\nThe berth fee of a raft is 12 crowns.\n")
    assert client.set_retention("default", days=900) == client.retention("default")
    face.add_text("fees.md", PAGE.format(2, 97))
    pipeline.drain()
    client.ask("What is the berth fee of a raft?")
    receipt = client.begin_erasure("berth.md")["id"]
    pipeline.drain()
    assert client.go_on_erasing(receipt)["status"] == client.receipt(receipt)["status"] == "DONE"
    pipeline.tenants = everyone


class Officer:
    def of(self, _):
        return Caller(tenant="acme", groups=("@all",))


def ask_with_tools(pipeline):
    """Asks a question whose model opens a page, of the same documents."""
    question = "What is the harbour fee for a barge?"
    plan = json.dumps({"kind": "retrieve", "sub_questions": [{"text": question}]})
    graded = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})
    opened = ("open", {"passage": 1, "what": "page"})
    turns = [calls(search("harbour fee barge")), calls(opened), calls(finish(1))]
    before = pipeline.llm, pipeline.settings
    pipeline.llm = Model(turns, [plan, graded, "The harbour fee for a barge is 97 crowns. [1]"])
    changed = {"max_turns": 4, "model_provider": "anthropic"}
    pipeline.settings = pipeline.settings.model_copy(update=changed)
    asked = Service(pipeline, "acme", ("@all",)).questions.ask(question)
    assert pipeline.questions.get("acme", asked.question_id).status == "DONE"
    pipeline.llm, pipeline.settings = before


def leave_late_messages(pipeline, key):
    """Delivers messages of a deleted file that left something behind: each step clears it."""
    late = Revision(key=key, version="v1", sequencer="0000000000000001")
    folders = [f"{folder}/{late.document_id}/{event_folder(late)}" for folder in FOLDERS]
    for request in (
        ParseRequest(**late.identity),
        ChunkRequest(**late.identity, document_key=f"{folders[0]}/document.json.gz"),
        IndexRequest(**late.identity, chunks_key=f"{folders[1]}/00000.jsonl.gz", part=0, parts=1),
    ):
        for folder in folders:
            pipeline.artifacts.put(f"{folder}/a.json", b"{}")
        queue = QUEUES[type(request)]
        assert step_of(queue).deliver(request.model_dump_json(), pipeline, last=False)
        assert not any(key for folder in folders for key in pipeline.artifacts.keys(f"{folder}/"))


def granted(given):
    """Yields the rights that statements give to objects of the artifacts bucket, by folder."""
    for statement in given:
        for resource in as_list(statement["Resource"]):
            if folder := re.search(r"artifactsbucket.*/(\w+)/\*$", resource):
                for action in statement["Action"]:
                    yield action, folder[1]


@pytest.mark.parametrize("verb", VERBS)
def test_a_step_may_touch_the_folders_that_it_touches_and_no_others(verb, seen):
    touched = {(action, folder) for step, action, folder in seen if step == verb}
    assert sorted(granted(statements(verb))) == sorted(touched)
