"""What one footnote has read and embedded is taken over by another; a changed piece of it never is.

Collections are exported with artifacts from one process's footnote and imported into another.
"""

import gzip
import hashlib
import json
from types import SimpleNamespace

import pytest

from footnote.errors import BadRequestError
from footnote.ingest.parse import edition
from footnote.ingest.read import carried, delivery, long_pdf
from footnote.ingest.upkeep.compare import is_useless
from footnote.model import OcrLine, OcrWord, Reading, document_id
from footnote.store import keys
from footnote.store.artifacts import dump_document, load_document
from footnote.wiring import stores
from footnote.wiring.stores import Stores
from tests import formats
from tests.corpus import HashEmbedder
from tests.pdfs import Pages
from tests.scans import scan_pages, typed_page
from tests.unit import test_move
from tests.unit.faces import connect, small
from tests.unit.test_architecture import PATHS, imported
from tests.unit.test_move import account, place, refusals, run

__all__ = ["account", "place"]

QUESTION = "What is the fee for a barge?"
FEE = "The harbour fee for a barge is 84 crowns."


class Engine:
    """Reads one sentence on every picture, and counts the pictures."""

    languages = frozenset({"en"})

    def __init__(self, name="engine 1"):
        self.name = name
        self.pictures = 0

    def read(self, _picture, _likely=""):
        self.pictures += 1
        words = [
            OcrWord(x0=72 + 40 * n, y0=100, x1=108 + 40 * n, y1=112, text=word, confidence=0.9)
            for n, word in enumerate(FEE.split())
        ]
        return Reading(lines=(OcrLine(words=tuple(words), size=11),))


class Embeds(HashEmbedder):
    def __init__(self):
        self.texts = 0

    def embed(self, texts, kind):
        self.texts += len(texts) if kind == "document" else 0
        return super().embed(texts, kind)


@pytest.fixture
def parsed(monkeypatch):
    """Notes the name of every file that is parsed."""
    names, read = [], long_pdf.read

    def noting(request, *others):
        names.append(request.path)
        return read(request, *others)

    monkeypatch.setattr(long_pdf, "read", noting)
    return names


@pytest.fixture
def begin(account, monkeypatch):
    """Returns a function that makes a new, empty footnote; commands and its stores are its own."""

    def make(engine="engine 1"):
        pipeline = account().pipeline
        pipeline.encoder = Embeds()
        pipeline.engine = Engine(engine)
        pipeline.ocr_engines = [pipeline.engine]
        found = Stores(pipeline.artifacts, pipeline.catalog, pipeline.vector_cache)
        monkeypatch.setattr(stores, "find_stores", lambda _: found)
        return pipeline

    return make


@pytest.fixture
def old(begin):
    pipeline = begin()
    made = Pages()
    made.page((72, 100, "Fares of the northern harbour."), (72, 160, FEE))
    pipeline.upload("acme/port/fees.pdf", made.file.tobytes())
    pipeline.upload("acme/port/scan.pdf", scan_pages(typed_page("a", "b")).tobytes())
    pipeline.uploads.put("acme/port/log.md", f"# Log\n\n{FEE}\n".encode(), {"year": "2024"})
    pipeline.drain()
    return pipeline


def shown(pipeline, collection="port"):
    """Returns all that is to move of each document of the footnote that was begun last."""
    return test_move.shown(SimpleNamespace(pipeline=pipeline), collection)


def export(folder):
    told = json.loads(run("export", "port", "--to", folder, "--artifacts", "--json"))
    assert told["artifacts"]["left"] == {}
    return told["artifacts"]["seal"]


def take(folder, seal, ends=0, **options):
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return json.loads(run("import", folder, "--artifacts", seal, "--json", *words, ends=ends))


def stored(pipeline, name, collection="port"):
    """Returns the canonical document, and the word boxes as they are stored."""
    record = pipeline.catalog.get(document_id(f"acme/{collection}/{name}"))
    words = pipeline.artifacts.keys(keys.words_key(record.revision))
    document = load_document(pipeline.artifacts.get(keys.document_key(record.revision)))
    return (
        document.model_copy(update={"metadata": {}}),  # those of an upload are a sidecar's later
        [pipeline.artifacts.get(key) for key in words],
    )


def test_nothing_is_parsed_read_by_ocr_or_embedded_again(old, begin, parsed, tmp_path):
    before = shown(old)
    assert sorted(before) == ["fees.pdf", "log.md", "scan.pdf"]
    assert old.engine.pictures == 1
    seal = export(tmp_path / "x")
    new = begin()
    parsed.clear()
    report = take(tmp_path / "x", seal)
    assert (parsed, new.engine.pictures, new.encoder.texts) == ([], 0, 0)
    assert {item["read"] for item in report["carried"]} == {"carried"}
    assert sum(item["embedded"] for item in report["carried"]) == 0
    assert shown(new) == before
    for name in before:
        assert stored(new, name) == stored(old, name)
    assert [key for key in new.artifacts.keys("parsed/") if "carried-" in key] == []
    with connect(new) as client:
        answer = client.ask(QUESTION)
        assert "84 crowns" in answer["answer"]


def test_what_is_taken_over_can_be_passed_on(old, begin, parsed, tmp_path):
    first = export(tmp_path / "x")
    begin()
    take(tmp_path / "x", first)
    second = export(tmp_path / "y")
    third = begin()
    parsed.clear()
    take(tmp_path / "y", second, collection="quay")
    assert (parsed, third.encoder.texts) == ([], 0)
    assert stored(third, "scan.pdf", "quay") == stored(old, "scan.pdf")


def test_every_format_is_taken_over_as_it_was_read(begin, parsed, tmp_path):
    first = begin()
    for name, body in formats.FILES.items():
        first.upload(f"acme/port/{name}", body)
    before = shown(first)
    seal = export(tmp_path / "x")
    new = begin()
    parsed.clear()
    report = take(tmp_path / "x", seal)
    assert parsed == []
    assert len(report["carried"]) == len(formats.FILES)
    assert shown(new) == before
    assert [name for name in before if stored(new, name) != stored(first, name)] == []


# -- what differs ----------------------------------------------------------------------------------


def test_other_parsers_read_the_file_anew(old, begin, parsed, tmp_path, monkeypatch):
    seal = export(tmp_path / "x")
    new = begin()
    monkeypatch.setattr(delivery, "edition", lambda: "another")
    parsed.clear()
    report = take(tmp_path / "x", seal)
    assert sorted(parsed) == ["fees.pdf", "log.md", "scan.pdf"]
    assert {item["why"] for item in report["carried"]} == {"other parsers have read it"}
    assert new.encoder.texts == 0  # equal texts have equal vectors, whoever has read them


def test_another_ocr_reads_scans_anew_and_nothing_else(old, begin, parsed, tmp_path):
    seal = export(tmp_path / "x")
    new = begin("engine 2")
    parsed.clear()
    report = take(tmp_path / "x", seal)
    anew = {item["document"]: item["why"] for item in report["carried"] if item["why"]}
    assert list(anew) == parsed == ["scan.pdf"]
    assert "another OCR: engine 1" in anew["scan.pdf"]
    assert new.engine.pictures == 1


def test_another_embedding_model_embeds_and_parses_nothing(old, begin, parsed, tmp_path):
    seal = export(tmp_path / "x")
    new = begin()
    new.encoder.model = "another"
    parsed.clear()
    report = take(tmp_path / "x", seal)
    assert parsed == []
    assert all(item["embedded"] == item["vectors"] > 0 for item in report["carried"])
    assert new.encoder.texts > 0
    assert "3 chunks embedded" in run(
        "import", tmp_path / "x", "--artifacts", seal, "--collection", "q"
    )


def test_a_document_of_an_earlier_release_is_left_out_and_named(old, begin, parsed, tmp_path):
    record = old.catalog.get(document_id("acme/port/log.md"))
    old.artifacts.delete([keys.reader_key(record.revision)])
    told = json.loads(run("export", "port", "--to", tmp_path / "x", "--artifacts", "--json"))
    assert list(told["artifacts"]["left"]) == ["log.md"]
    begin()
    parsed.clear()
    report = take(tmp_path / "x", told["artifacts"]["seal"])
    assert parsed == ["log.md"]
    [anew] = [item for item in report["carried"] if item["read"] == "anew"]
    assert anew["why"] == "the export has no artifacts of it"


# -- what was changed ------------------------------------------------------------------------------


def entries(folder):
    return [json.loads(line) for line in (folder / "artifacts.jsonl").read_text().splitlines()]


def test_without_the_seal_that_was_printed_nothing_is_taken(old, begin, tmp_path):
    export(tmp_path / "x")
    new = begin()
    for seal in ("0" * 64, "seal"):
        with pytest.raises(BadRequestError) as refused:
            take(tmp_path / "x", seal)
        assert refused.value.code == "changed_file"
    assert new.artifacts.keys("") == []


def test_a_changed_list_breaks_the_seal(old, begin, tmp_path):
    seal = export(tmp_path / "x")
    listed = tmp_path / "x" / "artifacts.jsonl"
    fees, log, *_ = entries(tmp_path / "x")
    listed.write_text(json.dumps({**log, "text": fees["text"]}) + "\n")
    begin()
    with pytest.raises(BadRequestError, match="is not what"):
        take(tmp_path / "x", seal)


@pytest.mark.parametrize("field", ["text", "reader", "vectors"])
def test_a_changed_artifact_becomes_no_quote(old, begin, tmp_path, field):
    seal = export(tmp_path / "x")
    [log] = [entry for entry in entries(tmp_path / "x") if entry["document"] == "log.md"]
    named = log[field] if isinstance(log[field], str) else log[field][0]
    changed = [each["document"] for each in entries(tmp_path / "x") if named in str(each)]
    file = tmp_path / "x" / "artifacts" / named
    body = file.read_bytes()
    if field == "text":
        document = load_document(body)
        forged = {"text": document.text.replace("84", "48")}
        file.write_bytes(dump_document(document.model_copy(update=forged)))
    else:
        file.write_bytes(body[:-1] + b"?")
    new = begin()
    report = take(tmp_path / "x", seal, ends=1)
    assert refusals(report) == dict.fromkeys(changed, "changed_file")
    assert set(shown(new)) == {"fees.pdf", "log.md", "scan.pdf"} - set(changed)


@pytest.mark.parametrize("digest", ["../collection.json", "A" * 64, "/etc/hostname"])
def test_a_digest_that_is_none_names_no_file(old, begin, tmp_path, digest):
    export(tmp_path / "x")
    lines = [{**entry, "text": digest} for entry in entries(tmp_path / "x")]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (tmp_path / "x" / "artifacts.jsonl").write_bytes(body)
    new = begin()
    report = take(tmp_path / "x", hashlib.sha256(body).hexdigest(), ends=1)
    assert set(refusals(report).values()) == {"changed_file"}
    assert shown(new) == {}


def test_artifacts_of_another_file_are_not_laid_beside_this_one(old, begin, parsed, tmp_path):
    export(tmp_path / "x")
    lines = [{**entry, "original": "0" * 64} for entry in entries(tmp_path / "x")]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (tmp_path / "x" / "artifacts.jsonl").write_bytes(body)
    begin()
    parsed.clear()
    take(tmp_path / "x", hashlib.sha256(body).hexdigest())
    assert sorted(parsed) == ["fees.pdf", "log.md", "scan.pdf"]


def test_a_vector_that_is_there_stays(old, begin, tmp_path):
    seal = export(tmp_path / "x")
    new = begin()
    mine = {name: [0.0] for name in old.vector_cache._vectors}
    new.vector_cache.put(mine)
    take(tmp_path / "x", seal)
    assert new.vector_cache._vectors == mine


def test_a_sweep_leaves_what_is_laid_until_its_file_was_read(old):
    record = old.catalog.get(document_id("acme/port/log.md"))
    folder = keys.carried_folder(record.document_id, "0" * 64).split("/")[2]
    waits = [record.model_copy(update={"status": status}) for status in ("RECEIVED", "PARSING")]
    assert [is_useless(each, folder) for each in waits] == [False, False]
    assert is_useless(record, folder) and is_useless(None, folder)


# -- what is laid there and is no document ---------------------------------------------------------

BODY = f"# Log\n\n{FEE}\n".encode()
CONTENT = hashlib.sha256(BODY).hexdigest()
OWNER = document_id("acme/port/log.md")


@pytest.fixture
def laid(begin, parsed):
    """Returns a function that lays a changed document beside its file, uploads that, tells
    whether it was parsed.
    """
    pipeline = begin()
    pipeline.upload("acme/port/log.md", BODY)
    revision = pipeline.catalog.get(OWNER).revision
    right = load_document(pipeline.artifacts.get(keys.document_key(revision)))
    told = pipeline.artifacts.get(keys.reader_key(revision))

    def lay(changes, words=b"", body=None, reader=told, content=CONTENT):
        document = right.model_copy(update=changes)
        packed = carried.Packed(body or dump_document(document), words, reader)
        carried.lay(pipeline.artifacts, OWNER, content, packed)
        parsed.clear()
        assert pipeline.upload("acme/port/log.md", BODY).status == "READY"
        return parsed == ["log.md"]

    lay.right = right
    return lay


def page(**fields):
    return {"number": 1, "start": 0, "end": 5} | fields


def test_a_sound_document_is_taken_and_one_of_another_file_is_not(laid):
    assert not laid({})
    assert laid({}, content="0" * 64)


BOXES = gzip.compress(b"[[1,2,3,4,0,3]]", mtime=0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": " "}, b""),
        ({"text": "e\u0301"}, b""),
        ({"media_type": "application/pdf"}, b""),
        ({"sections": [{"title": "x", "level": 1, "start": 0, "end": 10_000}]}, b""),
        ({"sections": [{"title": "x", "level": 1, "start": 9, "end": 3}]}, b""),
        ({"tables": [{"start": -1, "end": 3, "rows": []}]}, b""),
        ({"pages": [page(end=10_000)]}, b""),
        ({"pages": [page(start=6, end=9), page()]}, b""),
        ({"pages": [page(doubts=[{"start": 0, "end": 9, "reason": "unsure"}])]}, b""),
        ({"pages": [page(words_at=(0, 10_000))]}, BOXES),
        ({"pages": [page(words_at=(-1, 3))]}, BOXES),
        ({"pages": [page(words_at=(0, 5))]}, BOXES),
        ({"pages": [page(words_at=(0, 41))]}, gzip.compress(b"[[1,2,3,4,0,30]]", mtime=0)),
        ({"pages": [page(words_at=(0, 41))]}, gzip.compress(b'[[1,2,3,"4",0,3]]', mtime=0)),
    ],
)
def test_a_document_that_could_not_be_cited_is_read_anew(laid, changes, words):
    made = laid.right.model_validate(laid.right.model_dump() | changes)
    pages = made.pages
    if words and pages[0].words_at == (0, 41):
        pages = (pages[0].model_copy(update={"words_at": (0, len(words))}),)
    assert laid(
        {
            "text": made.text,
            "media_type": made.media_type,
            "sections": made.sections,
            "tables": made.tables,
            "pages": pages,
        },
        words,
    )


def test_good_word_boxes_are_taken(laid):
    pages = laid.right.model_validate(
        laid.right.model_dump() | {"pages": [page(words_at=(0, len(BOXES)))]}
    ).pages
    assert not laid({"pages": pages}, BOXES)


def test_what_cannot_be_unpacked_or_is_too_long_is_read_anew(laid, monkeypatch):
    whole = dump_document(laid.right)
    assert laid({}, body=whole[:-4])
    assert laid({}, body=whole + b"more")
    assert laid({}, body=gzip.compress(b"{}"))
    assert laid({}, reader=b"{}")
    monkeypatch.setattr(carried, "MOST_BYTES", 100)
    assert laid({}, body=gzip.compress(laid.right.model_dump_json().encode() + b" " * 1_000))


# -- the edition of the parsers --------------------------------------------------------------------


def test_all_that_parsers_import_is_in_their_edition():
    seen, waiting = set(), {name for name in PATHS if name.startswith("footnote.ingest.parse")}
    while waiting:
        seen |= (module := {waiting.pop()})
        found = {name for each in module for name in imported(PATHS[each])}
        waiting |= (found & PATHS.keys()) - seen
    inside = {path.resolve() for path in edition.sources()}
    # these decide nothing that is read: errors, protocols, and values of other subjects
    others = ("footnote.errors", "footnote.ports", "footnote.model")
    left = {name for name in seen if PATHS[name].resolve() not in inside}
    assert [name for name in left if not name.startswith(others)] == []
    assert {name.partition("==")[0] for name in requirements()} == set(edition.LIBRARIES) | {
        "mdurl",
        "xlsxwriter",  # only imported by others, and reads nothing
    }


def requirements():
    lines = (PATHS["footnote.wire"].parents[2] / "layers/parsing/requirements.txt").read_text()
    return [line.split()[0] for line in lines.splitlines() if line and not line.startswith("#")]


def test_a_file_that_nothing_was_carried_for_costs_one_look(monkeypatch):
    """`docs/costs.md` counts it."""
    pipeline = small()
    asked, get = [], pipeline.artifacts.get

    def noting(key):
        asked.append(key)
        return get(key)

    monkeypatch.setattr(pipeline.artifacts, "get", noting)
    with connect(pipeline) as client:
        client.add_text("fees.md", f"# Fees\n\n{FEE}\n")
    looked = [key for key in asked if keys.is_carried(key.split("/")[2])]
    assert [key.rpartition("/")[2] for key in looked] == [keys.READER]
