"""What the steps of adding share: acceptance, cached embedding, keys, the live version."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.memory.small import MemoryVectors
from footnote.errors import BadDocumentError, NotFoundError
from footnote.ingest.index import embed
from footnote.ingest.index.embed import CachedEmbedder, cache_key, part_vectors, to_indexed
from footnote.ingest.read.accept import accept
from footnote.model import Annotation, Chunk, Facts, IndexedChunk, Page, Revision, document_id
from footnote.store import keys
from footnote.store.artifacts import dump_chunks
from footnote.store.vectors import dump_vectors, load_vectors
from footnote.store.visibility import StoredDocuments, is_live, live_revision
from footnote.wiring.pipeline import Pipeline
from tests.contract.suites.embedder import EmbedderSuite
from tests.corpus import HashEmbedder
from tests.unit.faces import Words, small


def revision(sequencer="0A", version="v1", key="acme/default/a.md"):
    return Revision(key=key, version=version, sequencer=sequencer)


def chunk(text, ordinal=0, context=""):
    return Chunk(
        id=f"c{ordinal}", ordinal=ordinal, text=text, start=0, end=len(text), context=context
    )


# -- accepting -----------------------------------------------------------------------------------


def test_a_file_within_the_limit_is_accepted():
    assert accept(revision(), 10, 10) is None


@pytest.mark.parametrize("key", ["a.md", "acme/a.md", "/acme/a.md", "acme//a.md", "_/_/a.md"])
def test_a_key_without_tenant_collection_and_path_is_refused(key):
    with pytest.raises(BadDocumentError) as error:
        accept(revision(key=key), 1, 10)
    assert error.value.code == "bad_key"
    assert key in error.value.message


def test_a_file_over_the_limit_is_refused_with_both_figures():
    with pytest.raises(BadDocumentError) as error:
        accept(revision(), 60_000_000, 50_000_000)
    assert (error.value.code, error.value.message) == (
        "too_large",
        "a.md has 60,000,000 bytes; the limit is 50,000,000",
    )


# -- embedding -----------------------------------------------------------------------------------


class Counting(HashEmbedder):
    """Records what it is asked to embed."""

    def __init__(self):
        self.asked = []

    def embed(self, texts, kind):
        self.asked.append((kind, list(texts)))
        return super().embed(texts, kind)


class TestCachedEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self):
        return CachedEmbedder(HashEmbedder(), MemoryVectors())


def test_a_text_is_embedded_once_and_comes_back_in_order():
    model = Counting()
    embedder = CachedEmbedder(model, MemoryVectors())
    assert embedder.embed(["a", "b", "a"], "document") == model.embed(["a", "b", "a"], "document")
    assert embedder.embed(["b", "c"], "document") == model.embed(["b", "c"], "document")
    asked = [texts for _, texts in model.asked]
    assert asked == [["a", "b"], ["a", "b", "a"], ["c"], ["b", "c"]]
    assert (embedder.model, embedder.dimensions) == ("hash", 64)


def test_what_another_process_embedded_is_taken_from_the_cache():
    cache, model = MemoryVectors(), Counting()
    first = CachedEmbedder(HashEmbedder(), cache).embed(["a"], "document")
    assert CachedEmbedder(model, cache).embed(["a"], "document") == first
    assert model.asked == []


def test_a_query_is_remembered_by_the_process_and_never_looked_up():
    model = Counting()
    embedder = CachedEmbedder(model, None)
    assert embedder.embed(["a"], "query") == embedder.embed(["a"], "query")
    assert model.asked == [("query", ["a"])]


def test_a_question_and_a_document_of_the_same_words_are_embedded_each():
    model = Counting()
    embedder = CachedEmbedder(model, MemoryVectors())
    embedder.embed(["a"], "document")
    embedder.embed(["a"], "query")
    assert model.asked == [("document", ["a"]), ("query", ["a"])]
    assert len({cache_key(m, k, "a") for m in ("m1", "m2") for k in ("query", "document")}) == 4


def test_memory_keeps_so_many_vectors_and_no_more():
    embedder = CachedEmbedder(HashEmbedder(), MemoryVectors())
    texts = [f"text {n}" for n in range(embed.MAX_IN_MEMORY + 10)]
    assert len(embedder.embed(texts, "document")) == len(texts)
    assert len(embedder._memory) == embed.MAX_IN_MEMORY


def test_a_chunk_is_embedded_with_its_context():
    model = Counting()
    plain, titled = chunk("Ten bikes."), chunk("Ten bikes.", 1, "[Report > Sales]")
    vectors = vectors_of([plain, titled], MemoryBlobStore(), model)
    assert model.asked == [("document", ["Ten bikes.", "[Report > Sales]\nTen bikes."])]
    wanted = HashEmbedder().embed(["Ten bikes.", "[Report > Sales]\nTen bikes."], "document")
    assert [pack(one) for one in vectors] == [pack(one) for one in wanted]
    assert to_indexed([plain, titled], vectors, revision(), Annotation()) == [
        IndexedChunk(revision=revision(), chunk=plain, vector=vectors[0]),
        IndexedChunk(revision=revision(), chunk=titled, vector=vectors[1]),
    ]


def vectors_of(chunks, artifacts, model):
    return part_vectors(chunks, keys.chunks_key(revision(), 0), artifacts, "hash", lambda: model)


def pack(vector):
    return struct.pack(f"<{len(vector)}f", *vector)


def test_vectors_are_kept_beside_their_chunks_and_come_back_number_for_number():
    artifacts, model = MemoryBlobStore(), Counting()
    chunks = [chunk("Ten bikes."), chunk("Nine barges and a boat.", 1)]
    made = vectors_of(chunks, artifacts, model)
    assert artifacts.keys("") == [keys.vectors_key(keys.chunks_key(revision(), 0))]
    assert vectors_of(chunks, artifacts, Unable()) == made
    assert len(model.asked) == 1


class Unable:
    """Implements Embedder: nobody may ask it anything."""

    model = "hash"

    def embed(self, _texts, _kind):
        raise AssertionError


@pytest.mark.parametrize("damage", ["text", "count", "model", "cut", "longer", "empty"])
def test_vectors_of_something_else_are_made_anew_and_kept(damage):
    artifacts, model = MemoryBlobStore(), Counting()
    before, [key] = vectors_of([chunk("Ten bikes.")], artifacts, model), artifacts.keys("")
    body = artifacts.get(key)
    chunks = [chunk("Ten bikes.")]
    match damage:
        case "text":
            chunks = [chunk("Ten barges.")]
        case "count":
            chunks = [chunk("Ten bikes."), chunk("Ten bikes.", 1)]
        case "model":
            artifacts.put(key, body.replace(b'"hash"', b'"other"'))
        case "cut":
            artifacts.put(key, body[:-4])
        case "longer":
            artifacts.put(key, body + b"\0\0\0\0")
        case "empty":
            artifacts.put(key, b"")
    made = vectors_of(chunks, artifacts, model)
    assert len(model.asked) == 2
    assert (made == before) == (damage not in {"text", "count"})
    assert vectors_of(chunks, artifacts, Unable()) == made


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=9))
def test_a_vector_is_as_short_as_it_can_be_and_says_exactly_the_same(numbers):
    rounded = [round(number, 6) for number in numbers]
    for vector in (numbers, rounded):
        body = dump_vectors([vector], "m", ["text"])
        [found] = load_vectors(body, "m", ["text"])
        assert pack(found) == pack(vector)
        assert vector is numbers or found == rounded


# -- keys ----------------------------------------------------------------------------------------


def test_the_artifacts_of_a_document_are_in_the_order_of_its_events():
    events = [revision("9", "v3"), revision("0A1", "v1"), revision("0A1F", "v2")]
    stored = sorted(keys.document_key(event) for event in events)
    assert stored == [keys.document_key(event) for event in (events[1], events[2], events[0])]


def test_each_kind_of_artifact_has_its_key():
    one = revision()
    folder = keys.document_key(one).removesuffix("/document.json.gz")
    assert folder.startswith(f"parsed/{one.document_id}/0A000000000000000000000000000000-")
    assert keys.words_key(one) == f"{folder}/words.bin"
    chunks = folder.replace("parsed/", "chunks/")
    assert (keys.chunks_folder(one), keys.chunks_key(one, 7)) == (
        f"{chunks}/",
        f"{chunks}/00007.jsonl.gz",
    )


def test_only_what_is_older_is_removed():
    artifacts = MemoryBlobStore()
    versions = [revision("0A", "v1"), revision("0B", "v2"), revision("0C", "v3")]
    for one in (*versions, revision("01", "v1", "acme/default/other.md")):
        artifacts.put(keys.document_key(one), b"d")
        artifacts.put(keys.chunks_key(one, 0), b"c")
    assert keys.remove_older(artifacts, versions[1]) == 2
    left = artifacts.keys(f"parsed/{versions[0].document_id}/")
    assert left == [keys.document_key(versions[1]), keys.document_key(versions[2])]
    assert len(artifacts.keys("parsed/")) == len(artifacts.keys("chunks/")) == 3


def test_the_sequencer_of_a_version_is_read_from_its_key():
    artifacts = MemoryBlobStore()
    one = revision("0A", "v1")
    artifacts.put(keys.document_key(one), b"d")
    padded = keys.sequencer_of(artifacts, one.document_id, "v1")
    assert keys.document_key(revision(padded)) == keys.document_key(one)
    with pytest.raises(NotFoundError, match="v2"):
        keys.sequencer_of(artifacts, one.document_id, "v2")


# -- what is live --------------------------------------------------------------------------------


def test_a_version_is_live_once_published_and_until_replaced_or_removed():
    catalog = MemoryCatalog()
    first, second = revision("0A", "v1"), revision("0B", "v2")
    seen = [is_live(catalog, first)]
    catalog.receive(first, 1)
    seen.append(is_live(catalog, first))
    catalog.publish(first)
    seen.append(is_live(catalog, first))
    catalog.receive(second, 1)
    seen.append(is_live(catalog, first))
    catalog.publish(second)
    seen.extend([is_live(catalog, first), is_live(catalog, second)])
    catalog.remove(revision("0C", "v3"))
    seen.append(is_live(catalog, second))
    assert seen == [False, False, True, True, False, True, False]


def test_the_live_revision_is_the_one_that_a_newer_upload_has_not_replaced_yet():
    artifacts, catalog = MemoryBlobStore(), MemoryCatalog()
    first, second = revision("0A", "v1"), revision("0B", "v2")
    artifacts.put(keys.document_key(first), b"d")
    artifacts.put(keys.chunks_key(first, 1), dump_chunks([chunk("Two.", 1)]))
    artifacts.put(keys.chunks_key(first, 0), dump_chunks([chunk("One.", 0)]))
    catalog.receive(first, 1)
    record = catalog.publish(first)
    assert live_revision(artifacts, record) == first
    catalog.receive(second, 1)
    live = live_revision(artifacts, catalog.advance(second, "PARSING", Facts()))
    assert (live.version, keys.document_key(live)) == ("v1", keys.document_key(first))
    assert keys.chunks_keys(artifacts, live) == [keys.chunks_key(first, n) for n in (0, 1)]


# -- stored documents ----------------------------------------------------------------------------


def test_a_stored_document_is_the_live_one_and_no_other():
    pipeline = small()
    record = pipeline.upload("acme/default/a.md", b"# Fees\n\nTen crowns.\n")
    stored = StoredDocuments(pipeline.artifacts, pipeline.catalog, ())
    document = stored.document(record.document_id, "v1")
    assert document.text == "# Fees\n\nTen crowns.\n"
    assert stored.document(record.document_id, "v1") is document
    with pytest.raises(NotFoundError, match=r"version v0 of a\.md is not live"):
        stored.document(record.document_id, "v0")


def test_the_words_of_a_page_have_boxes_and_flowing_text_has_none(root):
    pipeline = small()
    pdf = root / "samples" / "documents" / "annual-report-2025.pdf"
    record = pipeline.upload("acme/default/report.pdf", pdf.read_bytes())
    stored = StoredDocuments(pipeline.artifacts, pipeline.catalog, ())
    document = stored.document(record.document_id, "v1")
    page = document.pages[0]
    words = stored.words(record.document_id, "v1", page)
    assert [document.text[w.start : w.end] for w in words] == (
        document.text[page.start : page.end].split()
    )
    assert all(0 <= w.x0 < w.x1 <= page.width and 0 <= w.y0 < w.y1 <= page.height for w in words)
    assert stored.words(record.document_id, "v1", Page(number=1, start=0, end=5)) == ()


# -- a part that is written for nothing -----------------------------------------------------------


class Overtaken(MemorySearchIndex):
    """Lets something happen once, just before the first part is written."""

    meanwhile = None

    def write(self, entries, generation=None):
        if happens := self.meanwhile:
            self.meanwhile = None
            happens()
        super().write(entries, generation)


def test_chunks_that_a_newer_version_overtook_while_they_were_written_are_removed():
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    pipeline.index = Overtaken(pipeline.embedder.model, pipeline.embedder.dimensions)

    def overtake():
        pipeline.upload("acme/default/a.md", b"# Second\n\nThe fee is 97 crowns.\n")

    pipeline.index.meanwhile = overtake
    pipeline.upload("acme/default/a.md", b"# First\n\nThe fee is 84 crowns.\n")
    live = pipeline.catalog.get(document_id("acme/default/a.md"))
    assert live.status == "READY"
    generation = pipeline.index.ensure()
    assert set(pipeline.index.counts(generation)) == {(live.document_id, live.live_version)}
