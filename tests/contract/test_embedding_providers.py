"""The embedding adapters on servers that take exactly what the providers document."""

import json
import math
from functools import cache

import boto3
import pytest
from botocore.config import Config

from footnote.adapters.calls.breaker import Breaker
from footnote.adapters.calls.chain import Chain, Route
from footnote.adapters.calls.http_json import HttpJson, retry_after
from footnote.adapters.calls.meter import Meter, Spent
from footnote.adapters.calls.quota import Quota
from footnote.adapters.embedding.bedrock import BedrockEmbedder
from footnote.adapters.embedding.models import MODELS, find_model, fingerprint_of
from footnote.adapters.embedding.openai import OpenAiEmbedder
from footnote.adapters.embedding.resilient import ResilientEmbedder
from footnote.adapters.embedding.voyage import VoyageEmbedder
from footnote.errors import ConfigurationError, UnavailableError
from tests.contract.suites.embedder import EmbedderSuite
from tests.provider_servers import KEY, Answer, Bedrock, OpenAi, Voyage, run_provider

pytestmark = pytest.mark.slow

TEXTS = ["The warranty lasts two years.", "Umsatz", ""]
OPEN = {"intfloat/multilingual-e5-small": 384, "bge-m3": 1024}


@cache
def session():
    """Returns a session that has read the services' models: each session reads them anew."""
    return boto3.Session()


def bedrock_client(server, service="bedrock-runtime"):
    return session().client(
        service,
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}),
    )


def make_voyage(server, model="voyage-3.5", wide=0, key=KEY, meter=None):
    made = fingerprint_of("voyage", model, wide), find_model("voyage", model, wide)
    return VoyageEmbedder(HttpJson("Voyage", f"{server.url}/v1", key).post, *made, meter or Meter())


def make_openai(server, model="text-embedding-3-small", wide=0, key=KEY, meter=None):
    made = fingerprint_of("openai", model, wide), find_model("openai", model, wide)
    post = HttpJson("the embedding server", f"{server.url}/v1/", key).post
    return OpenAiEmbedder(post, *made, meter or Meter())


def make_bedrock(server, model="amazon.titan-embed-text-v2:0", wide=0, meter=None):
    made = fingerprint_of("bedrock", model, wide), find_model("bedrock", model, wide)
    return BedrockEmbedder(bedrock_client(server), *made, meter or Meter())


ALL = [
    pytest.param(Voyage(), make_voyage, name, wide, id=f"{name}-{wide}")
    for name, wide in (("voyage-3.5", 0), ("voyage-3-large", 2048))
]
ALL += [
    pytest.param(OpenAi(), make_openai, name, wide, id=f"{name}-{wide}")
    for name, wide in (("text-embedding-3-small", 0), ("text-embedding-3-large", 256))
]
ALL += [
    pytest.param(OpenAi(OPEN, shortens=False, most_texts=32), make_openai, name, wide, id=name)
    for name, wide in OPEN.items()
]
ALL += [
    pytest.param(Bedrock(), make_bedrock, name, wide, id=f"{name}-{wide}")
    for name, wide in (
        ("amazon.titan-embed-text-v2:0", 256),
        ("cohere.embed-multilingual-v3", 0),
        ("eu.cohere.embed-v4:0", 512),
    )
]


def of(make):
    """Returns the cases of one adapter."""
    chosen = [one for one in ALL if one.values[1] is make and one.id != "voyage-3-large-2048"]
    ids = [one.id for one in chosen]
    return pytest.fixture(params=[one.values for one in chosen], ids=ids)(_served)


def _served(self, request):
    protocol, make, name, wide = request.param
    with run_provider(protocol) as server:
        yield make(server, name, wide)


class TestVoyageEmbedder(EmbedderSuite):
    embedder = of(make_voyage)


class TestOpenAiEmbedder(EmbedderSuite):
    embedder = of(make_openai)


class TestBedrockEmbedder(EmbedderSuite):
    embedder = of(make_bedrock)


def route(name, provider, weight=1, **limits):
    quota = Quota(limits.get("calls", 4))
    return Route(name, provider, quota, Breaker(), weight, retry_after)


class TestResilientEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self):
        with run_provider(Voyage()) as server:
            chain = Chain([route("one", make_voyage(server)), route("two", make_voyage(server))])
            yield ResilientEmbedder(chain, find_model("voyage", "voyage-3.5", 0))


@pytest.mark.parametrize(("protocol", "make", "name", "wide"), ALL)
def test_vectors_are_as_wide_as_the_settings_want_and_tokens_are_counted(
    protocol, make, name, wide
):
    meter = Meter()
    with run_provider(protocol) as server:
        embedder = make(server, name, wide, meter=meter)
        vectors = embedder.embed(TEXTS, "document")
        calls = len(server.requests)
    spent = meter.take()
    assert {len(vector) for vector in vectors} == {embedder.dimensions}
    assert (spent.calls, spent.tokens > 5, meter.take()) == (calls, True, Spent())
    known = make is not make_openai or name not in OPEN
    assert (spent.usd > 0) == known


def sent_by(protocol, make, name, wide=0):
    with run_provider(protocol) as server:
        embedder = make(server, name, wide)
        embedder.embed(TEXTS[:1], "document")
        embedder.embed(TEXTS[:1], "query")
        return server.requests


@pytest.mark.parametrize(
    ("protocol", "make", "name", "field", "told"),
    [
        (Voyage(), make_voyage, "voyage-3.5", "input_type", ["document", "query"]),
        (
            Bedrock(), make_bedrock, "cohere.embed-english-v3", "input_type",
            ["search_document", "search_query"],
        ),
        (
            Bedrock(), make_bedrock, "cohere.embed-v4:0", "input_type",
            ["search_document", "search_query"],
        ),
        (Bedrock(), make_bedrock, "amazon.titan-embed-text-v2:0", "inputText", TEXTS[:1] * 2),
        (
            OpenAi(OPEN, shortens=False), make_openai, "intfloat/multilingual-e5-small", "input",
            [[f"passage: {TEXTS[0]}"], [f"query: {TEXTS[0]}"]],
        ),
        (OpenAi(), make_openai, "text-embedding-3-small", "input", [TEXTS[:1]] * 2),
    ],
)  # fmt: skip
def test_a_model_is_told_whether_a_text_is_a_document_or_a_query(protocol, make, name, field, told):
    wide = OPEN.get(name, 0)
    assert [body[field] for body in sent_by(protocol, make, name, wide)] == told


def test_dimensions_are_sent_to_servers_of_openais_form_only_where_they_are_shortened():
    assert "dimensions" not in sent_by(OpenAi(), make_openai, "text-embedding-3-large")[0]
    [body, _] = sent_by(OpenAi(), make_openai, "text-embedding-3-large", 256)
    assert body["dimensions"] == 256


@pytest.mark.parametrize(
    ("protocol", "make", "name", "most"),
    [
        (Voyage(), make_voyage, "voyage-3.5", 1000),
        (OpenAi(), make_openai, "text-embedding-3-small", 2048),
        (OpenAi(OPEN, shortens=False, most_texts=32), make_openai, "bge-m3", 32),
        (Bedrock(), make_bedrock, "cohere.embed-english-v3", 96),
    ],
)
def test_a_request_has_as_many_texts_as_the_provider_takes(protocol, make, name, most):
    texts = [f"text {n}" for n in range(most + 1)]
    with run_provider(protocol) as server:
        vectors = make(server, name, OPEN.get(name, 0)).embed(texts, "document")
        sent = [len(body.get("input", body.get("texts"))) for body in server.requests]
    assert (len(vectors), sent) == (most + 1, [most, 1])


def test_requests_are_split_where_their_tokens_would_be_too_many():
    with run_provider(Voyage()) as server:
        make_voyage(server, "voyage-3-large").embed(["word " * 5_000] * 12, "document")
        sizes = [sum(len(text) for text in body["input"]) for body in server.requests]
    assert len(sizes) > 1
    assert max(sizes) <= 120_000


@pytest.mark.parametrize(("status", "kind"), [(401, ConfigurationError), (429, UnavailableError)])
@pytest.mark.parametrize(("protocol", "make"), [(Voyage(), make_voyage), (OpenAi(), make_openai)])
def test_a_refusal_says_what_the_provider_said_and_never_the_key(protocol, make, status, kind):
    with run_provider(protocol) as server:
        server.script = [status]
        with pytest.raises(kind, match=f"answered {status}: scripted") as refused:
            make(server, key="secret-key").embed(["text"], "query")
    assert "secret-key" not in repr(refused.value) + refused.value.message + refused.value.action


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ConfigurationError),
        (403, ConfigurationError),
        (429, UnavailableError),
        (500, UnavailableError),
        (503, UnavailableError),
    ],
)
def test_bedrocks_refusals_are_mapped(status, kind):
    with run_provider(Bedrock()) as server:
        server.script = [status]
        with pytest.raises(kind) as refused:
            make_bedrock(server).embed(["text"], "query")
    assert "scripted" in refused.value.detail
    assert len(server.requests) == 1  # the client has not tried again: the chain does


def test_coheres_vectors_are_read_by_type_and_bare():
    with run_provider(Bedrock()) as typed, run_provider(Bedrock(bare=True)) as bare:
        found = [
            make_bedrock(one, "cohere.embed-v4:0").embed(TEXTS, "query") for one in (typed, bare)
        ]
    assert found[0] == found[1]


def test_a_wrong_key_is_refused():
    with run_provider(Voyage()) as server, pytest.raises(ConfigurationError, match="401: Provided"):
        make_voyage(server, key="wrong").embed(["text"], "query")


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        [],
        {},
        {"data": [], "usage": {"total_tokens": 1}},
        {"data": [{"index": 0, "embedding": [0.0] * 1024}], "usage": {"total_tokens": 1}},
        {"data": [{"index": 0}], "usage": {"total_tokens": 1}},
    ],
    ids=["html", "list", "nothing", "no vectors", "no direction", "no embedding"],
)
def test_an_answer_of_another_form_is_an_answer_that_may_be_right_later(body):
    with run_provider(Voyage()) as server:
        server.script = [Answer(body)]
        with pytest.raises(UnavailableError):
            make_voyage(server).embed(["text"], "query")


def test_vectors_of_another_width_say_what_is_wanted():
    wide = {"data": [{"index": 0, "embedding": [1.0] * 8}], "usage": {"total_tokens": 1}}
    with run_provider(Voyage()) as server:
        server.script = [Answer(wide)]
        with pytest.raises(ConfigurationError, match="vectors of 8 dimensions; 1024 are wanted"):
            make_voyage(server).embed(["text"], "query")


def test_vectors_are_put_in_the_order_of_the_texts_whatever_the_order_of_the_answer():
    rows = [{"index": n, "embedding": [float(n == i) for i in range(1024)]} for n in (1, 0)]
    with run_provider(Voyage()) as server:
        server.script = [Answer({"data": rows, "usage": {"total_tokens": 2}})]
        first, second = make_voyage(server).embed(["a", "b"], "query")
    assert (first[0], second[1]) == (1.0, 1.0)


def test_a_server_that_is_not_there_is_unavailable():
    with run_provider(Voyage()) as server:
        pass
    with pytest.raises(UnavailableError, match="gave no answer"):
        make_voyage(server).embed(["text"], "query")


def test_many_documents_go_out_some_requests_at_a_time_and_come_back_in_order():
    texts = [f"document {n}" for n in range(30)]
    with run_provider(Bedrock()) as server:
        titan = make_bedrock(server, wide=256)
        chain = Chain([route("eu-central-1", titan, calls=4)])
        found = ResilientEmbedder(chain, find_model("bedrock", "amazon.titan-embed-text-v2:0", 0))
        vectors = found.embed(texts, "document")
        assert len(server.requests) == 30
        assert vectors == titan.embed(texts, "document")


def test_another_place_of_the_same_model_stands_in():
    with run_provider(Voyage()) as down, run_provider(Voyage()) as up:
        down.script = [401] * 9
        routes = [route("down", make_voyage(down), 2), route("up", make_voyage(up), 1)]
        embedder = ResilientEmbedder(Chain(routes), find_model("voyage", "voyage-3.5", 0))
        assert embedder.embed(["text"], "query") == make_voyage(up).embed(["text"], "query")
    assert len(down.requests) == 1


@pytest.mark.parametrize(("name", "wide"), [("voyage-3.5-lite", 0), ("voyage-3.5", 512)])
def test_an_embedder_goes_to_no_other_model(name, wide):
    with run_provider(Voyage()) as server:
        routes = [route("one", make_voyage(server)), route("two", make_voyage(server, name, wide))]
        with pytest.raises(
            ConfigurationError, match=r"cannot hold vectors of .* of one, .* of two"
        ):
            ResilientEmbedder(Chain(routes), find_model("voyage", "voyage-3.5", 0))


def test_every_known_model_has_a_price_and_its_own_width_first():
    for models in MODELS.values():
        for name, model in models.items():
            assert model.usd is not None, name
            assert math.isfinite(model.usd)
            assert len(set(model.dimensions)) == len(model.dimensions)


# -- the servers themselves: a wrong request must not pass -----------------------------------------


@pytest.mark.parametrize(
    ("protocol", "path", "body"),
    [
        (Voyage(), "/embeddings", {"input": ["a"], "model": "voyage-3.5", "dimensions": 256}),
        (Voyage(), "/embeddings", {"input": ["a"], "model": "voyage-3.5", "input_type": "text"}),
        (Voyage(), "/embeddings", {"input": ["a"] * 1001, "model": "voyage-3.5"}),
        (Voyage(), "/embeddings", {"input": [""], "model": "voyage-3.5"}),
        (Voyage(), "/embeddings", {"input": ["a"], "model": "voyage-9"}),
        (Voyage(), "/embeddings", {"input": ["word " * 20_000] * 6, "model": "voyage-3-large"}),
        (Voyage(), "/embed", {"input": ["a"], "model": "voyage-3.5"}),
        (OpenAi(), "/embeddings", {"input": ["a"], "model": "text-embedding-3-small", "x": 1}),
        (OpenAi(), "/embeddings", {"input": ["a"] * 2049, "model": "text-embedding-3-small"}),
        (OpenAi(), "/embeddings", {"input": ["a " * 20_000], "model": "text-embedding-3-small"}),
        (OpenAi(), "/embeddings", {"input": ["a"], "model": "text-embedding-9"}),
    ],
)  # fmt: skip
def test_the_server_refuses_what_the_provider_refuses(protocol, path, body):
    with run_provider(protocol) as server, pytest.raises(ConfigurationError):
        HttpJson("it", f"{server.url}/v1", KEY).post(path, body)


ASKED = {"texts": ["a"], "input_type": "search_query"}


@pytest.mark.parametrize(
    ("model", "body"),
    [
        ("amazon.titan-embed-text-v2:0", {"inputText": "a", "dimensions": 384}),
        ("amazon.titan-embed-text-v2:0", {"inputText": ""}),
        ("amazon.titan-embed-text-v2:0", {"texts": ["a"]}),
        ("cohere.embed-english-v3", {"texts": ["a"]}),
        ("cohere.embed-english-v3", {"texts": ["a"], "input_type": "query"}),
        ("cohere.embed-english-v3", {**ASKED, "truncate": "RIGHT"}),
        ("cohere.embed-english-v3", {**ASKED, "texts": ["a"] * 97}),
        ("cohere.embed-v4:0", {**ASKED, "output_dimension": 384}),
        ("cohere.embed-v9", ASKED),
    ],
)
def test_bedrocks_server_refuses_what_bedrock_refuses(model, body):
    with run_provider(Bedrock()) as server:
        sent = bedrock_client(server)
        raw = json.dumps(body)
        with pytest.raises(sent.exceptions.ValidationException):
            sent.invoke_model(modelId=model, body=raw, contentType="application/json")
