"""Providers as settings choose them: the steps of adding and searching on servers of others."""

import pytest

from footnote.adapters.embedding.resilient import QUERY_SECONDS
from footnote.errors import ConfigurationError, UnavailableError
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.question_means import encoder_until
from footnote.wiring.services import Services
from tests.provider_servers import OpenAi, run_provider
from tests.unit.faces import Words

pytestmark = pytest.mark.slow

TEXT = b"The harbour fee is 84 crowns for a barge."


def settings_for(*servers, **more):
    return Settings(
        backend="memory",
        embedding_provider="openai",
        embedding_model="text-embedding-3-small",
        embedding_places=", ".join(f"{server.url}/v1" for server in servers),
        **more,
    )


@pytest.fixture
def server():
    with run_provider(OpenAi(key="")) as server:
        yield server


def test_a_document_is_embedded_found_and_paid_for(server):
    pipeline = Pipeline(settings_for(server, embedding_dimensions=512), tokenizer=Words())
    record = pipeline.upload("acme/default/a.txt", TEXT)
    assert (record.status, record.usd > 0) == ("READY", True)
    assert pipeline.index.marks["embedding"].startswith("text-embedding-3-small; ")
    service = Service(pipeline, "acme", ("@all",))
    [hit] = service.searches.search("What is the harbour fee?", "semantic")[0]
    assert "84 crowns" in hit.chunk.text
    assert {body["dimensions"] for body in server.requests} == {512}


def test_what_a_question_spends_on_its_vectors_is_in_its_usage(server):
    pipeline = Pipeline(settings_for(server), tokenizer=Words())
    pipeline.upload("acme/default/a.txt", TEXT)
    asked = Service(pipeline, "acme", ("@all",)).questions.ask(
        "What is the harbour fee for a barge?"
    )
    answer = pipeline.questions.get("acme", asked.question_id).answer
    assert answer.found
    assert answer.usage.by_step["retrieve"]["tokens"] > 0
    assert answer.usage.tokens == sum(one["tokens"] for one in answer.usage.by_step.values())


def test_the_next_place_stands_in_and_the_first_is_left_alone(server):
    with run_provider(OpenAi(key="needed")) as closed:
        encoder = Services(settings_for(closed, server)).encoder
        for text in ("one", "two"):
            assert len(encoder.embed([text], "query")[0]) == 1536
        assert (len(closed.requests), len(server.requests)) == (1, 2)


def test_a_question_goes_by_words_and_says_so_where_no_place_answers(server):
    pipeline = Pipeline(settings_for(server), tokenizer=Words())
    pipeline.upload("acme/default/a.txt", TEXT)
    server.script = [500] * 99
    pipeline.encoder._chain._sleep = lambda _: None
    asked = Service(pipeline, "acme", ("@all",)).questions.ask(
        "What is the harbour fee for a barge?"
    )
    answer = pipeline.questions.get("acme", asked.question_id).answer
    assert answer.found
    assert any("words" in told for told in answer.degraded)


def test_a_step_without_time_asks_nobody(server):
    services = Services(settings_for(server), clock=lambda: 1_000.0)
    with pytest.raises(UnavailableError, match="no time"):
        encoder_until(services, 1_000.0).embed(["text"], "query")
    assert server.requests == []
    assert encoder_until(services, 1_000.0 + QUERY_SECONDS).embed(["text"], "query")
    assert encoder_until(services, None).embed(["text"], "query")


def test_without_a_name_there_is_no_reranker_and_with_one_there_is():
    assert Services(Settings()).reranker is None
    assert Pipeline(Settings(backend="memory")).reranker is None
    two = "bedrock@eu-central-1,bedrock:amazon.rerank-v1:0@us-west-2"
    named = Services(Settings(rerankers=two))
    assert named.reranker.model == "bedrock:cohere.rerank-v3-5:0, bedrock:amazon.rerank-v1:0"


@pytest.mark.parametrize("name", ["cohere", "voyage"])
def test_a_provider_without_a_key_says_which_parameter_is_missing(name):
    with pytest.raises(ConfigurationError, match=f"provider is {name}, but no key") as told:
        _ = Services(Settings(rerankers=name)).reranker
    assert f"{name.capitalize()}KeyParameter" in told.value.action


def test_bedrock_embeds_in_the_regions_that_are_named():
    chosen = Settings(
        embedding_provider="bedrock",
        embedding_model="amazon.titan-embed-text-v2:0",
        embedding_places="eu-central-1,eu-west-1",
    )
    routes = Services(chosen).encoder._chain.routes
    called = [(one.name, one.provider._client.meta.region_name) for one in routes]
    assert called == [
        ("bedrock eu-central-1", "eu-central-1"),
        ("bedrock eu-west-1", "eu-west-1"),
    ]
