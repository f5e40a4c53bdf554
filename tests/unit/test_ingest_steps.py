"""What the steps of adding share: acceptance, cached embedding, keys, the live version."""

import pytest

from footnote.adapters.memory import MemoryBlobStore, MemoryVectors
from footnote.adapters.memory_catalog import MemoryCatalog
from footnote.errors import BadDocumentError, NotFoundError
from footnote.ingest.index import embed
from footnote.ingest.index.embed import CachedEmbedder, cache_key, embed_chunks
from footnote.ingest.read.accept import accept
from footnote.model import Annotation, Chunk, Facts, IndexedChunk, Page, Revision
from footnote.store import keys
from footnote.store.artifacts import dump_chunks
from footnote.store.stored_documents import StoredDocuments, live_revision, stored_chunks
from footnote.store.visibility import is_live
from tests.contract.suites.embedder import EmbedderSuite
from tests.corpus import HashEmbedder
from tests.unit.faces import small


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
    made = embed_chunks([plain, titled], revision(), model, Annotation())
    assert model.asked == [("document", ["Ten bikes.", "[Report > Sales]\nTen bikes."])]
    vectors = HashEmbedder().embed(["Ten bikes.", "[Report > Sales]\nTen bikes."], "document")
    assert made == [
        IndexedChunk(revision=revision(), chunk=plain, vector=vectors[0]),
        IndexedChunk(revision=revision(), chunk=titled, vector=vectors[1]),
    ]


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
    assert [one.text for one in stored_chunks(artifacts, live)] == ["One.", "Two."]


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
