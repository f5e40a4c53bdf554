"""The re-ranking adapters on servers that take exactly what the providers document."""

import pytest

from footnote.adapters.calls.chain import Chain
from footnote.adapters.calls.http_json import HttpJson
from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.bedrock_rerank import BedrockReranker
from footnote.adapters.embedding.cohere import CohereReranker
from footnote.adapters.embedding.rerank_rules import MODELS, parse_choices
from footnote.adapters.embedding.resilient import ResilientReranker
from footnote.adapters.embedding.voyage import VoyageReranker
from footnote.adapters.memory.small import MemoryReranker
from footnote.errors import ConfigurationError, UnavailableError
from tests.contract.suites.reranker import QUERY, TEXTS, RerankerSuite
from tests.contract.test_embedding_providers import bedrock_client, route
from tests.provider_servers import KEY, Answer, Bedrock, Cohere, Voyage, run_provider

pytestmark = pytest.mark.slow


def make_cohere(server, model=MODELS["cohere"][0], meter=None):
    return CohereReranker(HttpJson("Cohere", f"{server.url}/v2", KEY).post, model, meter or Meter())


def make_voyage(server, model=MODELS["voyage"][0], meter=None):
    return VoyageReranker(HttpJson("Voyage", f"{server.url}/v1", KEY).post, model, meter or Meter())


def make_bedrock(server, model=MODELS["bedrock"][0], meter=None):
    agent = bedrock_client(server, "bedrock-agent-runtime")
    return BedrockReranker(agent, model, meter or Meter())


class TestMemoryReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self):
        return MemoryReranker()


class TestCohereReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self):
        with run_provider(Cohere()) as server:
            yield make_cohere(server)


class TestVoyageReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self):
        with run_provider(Voyage()) as server:
            yield make_voyage(server)


class TestBedrockReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self):
        with run_provider(Bedrock()) as server:
            yield make_bedrock(server)


class TestResilientReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self):
        with run_provider(Cohere()) as server:
            yield ResilientReranker(Chain([route("cohere", make_cohere(server))], keep=5))


@pytest.mark.parametrize(
    ("protocol", "make", "model"),
    [
        (protocol, make, model)
        for protocol, make, maker in (
            (Cohere(), make_cohere, "cohere"),
            (Voyage(), make_voyage, "voyage"),
            (Bedrock(), make_bedrock, "bedrock"),
        )
        for model in MODELS[maker]
    ],
)
def test_every_model_that_is_known_is_one_of_its_provider(protocol, make, model):
    with run_provider(protocol) as server:
        assert len(make(server, model).rerank(QUERY, TEXTS)) == len(TEXTS)


def test_scores_that_come_in_pages_are_put_together():
    with run_provider(Bedrock(page=3)) as paged, run_provider(Bedrock()) as whole:
        found = make_bedrock(paged).rerank(QUERY, TEXTS * 2)
        assert found == make_bedrock(whole).rerank(QUERY, TEXTS * 2)
    assert len(paged.requests) == 3


@pytest.mark.parametrize(
    ("protocol", "make"),
    [(Cohere(), make_cohere), (Voyage(), make_voyage), (Bedrock(), make_bedrock)],
)
def test_what_a_call_costs_is_counted(protocol, make):
    meter = Meter()
    with run_provider(protocol) as server:
        make(server, meter=meter).rerank(QUERY, TEXTS)
    spent = meter.take()
    assert spent.calls == 1
    assert 0 < spent.usd <= 0.002


@pytest.mark.parametrize(
    ("count", "usd"), [(100, 0.002), (101, 0.004), (1000, 0.02)], ids=["100", "101", "1000"]
)
@pytest.mark.parametrize(("protocol", "make"), [(Cohere(), make_cohere), (Bedrock(), make_bedrock)])
def test_a_search_is_a_hundred_texts(protocol, make, count, usd):
    meter = Meter()
    with run_provider(protocol) as server:
        make(server, meter=meter).rerank(QUERY, [f"text {n}" for n in range(count)])
    assert meter.take().usd == pytest.approx(usd)


@pytest.mark.parametrize(
    "rows",
    [
        [{"index": 0, "relevance_score": 1.0}],
        [{"index": 0, "relevance_score": 1.0}] * 4,
        [{"index": n, "relevance_score": float("nan")} for n in range(4)],
        [{"index": n + 1, "relevance_score": 1.0} for n in range(4)],
        [{"index": n} for n in range(4)],
    ],
    ids=["too few", "one twice", "no numbers", "beyond the end", "no scores"],
)
def test_scores_that_do_not_fit_the_texts_are_no_scores(rows):
    told = {"results": rows, "meta": {"billed_units": {"search_units": 1}}}
    with run_provider(Cohere()) as server:
        server.script = [Answer(told)]
        with pytest.raises(UnavailableError):
            make_cohere(server).rerank(QUERY, TEXTS)


@pytest.mark.parametrize("status", [401, 429])
def test_another_model_stands_in_and_all_scores_are_its_own(status):
    with run_provider(Cohere()) as down, run_provider(Voyage()) as up:
        down.script = [status] * 9
        routes = [route("cohere", make_cohere(down), 2), route("voyage", make_voyage(up), 1)]
        waits = []
        reranker = ResilientReranker(Chain(routes, sleep=waits.append, jitter=lambda _, most: most))
        assert reranker.rerank(QUERY, TEXTS) == make_voyage(up).rerank(QUERY, TEXTS)
    assert waits == ([] if status == 401 else [1.0, 2.0])  # 4 more is past its half of the time


def test_where_none_answers_the_error_says_what_each_said():
    with run_provider(Cohere()) as one, run_provider(Voyage()) as two:
        one.script, two.script = [401] * 9, [403] * 9
        routes = [route("cohere", make_cohere(one), 2), route("voyage", make_voyage(two), 1)]
        told = r"cohere: Cohere answered 401: scripted; voyage: Voyage answered 403: scripted"
        with pytest.raises(ConfigurationError, match=told):
            ResilientReranker(Chain(routes)).rerank(QUERY, TEXTS)


def test_an_equal_question_is_not_paid_twice():
    with run_provider(Cohere()) as server:
        reranker = ResilientReranker(Chain([route("cohere", make_cohere(server))], keep=5))
        first = reranker.rerank(QUERY, TEXTS)
        assert reranker.rerank(QUERY, TEXTS) == first
        reranker.rerank(QUERY, TEXTS[:2])
    assert len(server.requests) == 2


def test_choices_are_read_from_a_setting_and_what_is_wrong_is_named():
    told = "bedrock:amazon.rerank-v1:0@eu-central-1, cohere, voyage:rerank-2.5-lite"
    found = [(one.maker, one.model.name, one.region) for one in parse_choices(told)]
    assert found == [
        ("bedrock", "amazon.rerank-v1:0", "eu-central-1"),
        ("cohere", "rerank-v3.5", ""),
        ("voyage", "rerank-2.5-lite", ""),
    ]
    for wrong in ("jina", "cohere@eu-central-1", "voyage:rerank-9"):
        with pytest.raises(ConfigurationError, match=wrong.split(":")[-1]):
            parse_choices(wrong)


# -- the servers themselves: a wrong request must not pass -----------------------------------------


@pytest.mark.parametrize(
    ("protocol", "root", "body"),
    [
        (Voyage(), "v1", {"query": "a", "documents": ["b"], "model": "rerank-2.5", "top_n": 1}),
        (Voyage(), "v1", {"query": "a", "documents": ["b"] * 1001, "model": "rerank-2.5"}),
        (Voyage(), "v1", {"query": "", "documents": ["b"], "model": "rerank-2.5"}),
        (Voyage(), "v1", {"query": "a", "documents": ["b" * 4000] * 700, "model": "rerank-2.5"}),
        (Cohere(), "v2", {"query": "a", "documents": ["b"], "model": "rerank-v3.5", "top_k": 1}),
        (Cohere(), "v2", {"query": "a", "documents": [], "model": "rerank-v3.5"}),
        (Cohere(), "v2", {"query": "a", "documents": ["b"], "model": "rerank-2.5"}),
        (Cohere(), "v1", {"query": "a", "documents": ["b"], "model": "rerank-v3.5"}),
    ],
)
def test_the_server_refuses_what_the_provider_refuses(protocol, root, body):
    with run_provider(protocol) as server, pytest.raises(ConfigurationError):
        HttpJson("it", f"{server.url}/{root}", KEY).post("/rerank", body)


def test_bedrocks_server_refuses_what_bedrock_refuses():
    right = {
        "queries": [{"type": "TEXT", "textQuery": {"text": "a"}}],
        "sources": [
            {
                "type": "INLINE",
                "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": "b"}},
            }
        ],
        "rerankingConfiguration": {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": 1,
                "modelConfiguration": {
                    "modelArn": "arn:aws:bedrock:eu-central-1::foundation-model/amazon.rerank-v1:0"
                },
            },
        },
    }
    signed = {"authorization": "AWS4-HMAC-SHA256 Credential=a/b/c/bedrock/aws4_request"}
    wrong = [
        {**right, "top_n": 1},
        {**right, "queries": []},
        {key: value for key, value in right.items() if key != "sources"},
        {**right, "sources": right["sources"] * 1001},
    ]
    assert Bedrock().answer("/rerank", signed, right).status == 200
    assert Bedrock().answer("/rerank", {}, right).status == 403
    assert [Bedrock().answer("/rerank", signed, body).status for body in wrong] == [400] * 4
