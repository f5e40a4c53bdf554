"""Which adapters a process gets: its settings choose them, the first use makes them."""

import time
from functools import cached_property
from typing import get_args

import pytest
from aws_lambda_powertools.utilities import parameters
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.errors import ConfigurationError
from footnote.ingest.parse.ocr import engines as ocr_engines
from footnote.model import Mode
from footnote.settings import Settings
from footnote.wiring import bootstrap
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.provider_keys import ProviderKeys
from footnote.wiring.services import Services

PORTS = [name for name, made in vars(Services).items() if isinstance(made, cached_property)]
LAZY = {
    "uploads": "S3Uploads",
    "artifacts": "S3BlobStore",
    "catalog": "DynamoCatalog",
    "questions": "DynamoQuestions",
    "queues": "SqsQueues",
    "workflow": "StepFunctionsWorkflow",
    "tenants": "RememberedTenants",
    "key_tags": "RememberedTenants",
    "replies": "DynamoReplies",
}


@pytest.fixture
def aws(monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.delenv("AWS_PROFILE", raising=False)


def test_the_memory_backend_is_a_pipeline():
    assert type(bootstrap.services()) is Pipeline
    assert bootstrap.services() is bootstrap.services()


def test_the_aws_backend_is_the_default_and_opens_nothing(monkeypatch):
    monkeypatch.delenv("FOOTNOTE_BACKEND")
    services = bootstrap.services()
    assert type(services) is Services
    assert vars(services) == {"settings": Settings(), "clock": time.time}


def test_a_provider_without_its_key_says_what_to_set(aws):
    with pytest.raises(ConfigurationError, match="no key is named") as refused:
        _ = Services(Settings(model_provider="anthropic")).llm
    assert "AnthropicKeyParameter" in refused.value.action


@pytest.mark.parametrize("mode", get_args(Mode.__value__))
def test_every_provider_can_be_chosen_and_without_one_there_is_no_model(aws, monkeypatch, mode):
    monkeypatch.setattr(ProviderKeys, "anthropic", lambda _: "key")
    named = {"model_region": "eu-central-1", "planner_model": "one", "writer_model": "two"}
    llm = Services(Settings(model_provider=mode, **named)).llm
    assert (llm is None) == (mode == "extractive")


@pytest.mark.parametrize(("port", "adapter"), LAZY.items())
def test_each_port_has_its_adapter_made_once_and_without_a_connection(aws, port, adapter):
    services = Services(Settings())
    made = getattr(services, port)
    assert type(made).__name__ == adapter
    assert getattr(services, port) is made


def test_every_port_is_made_of_memory_in_a_pipeline():
    pipeline = Pipeline(llm=ScriptedLLM([]))
    model = {"encoder", "embedder", "tokenizer", "reader", "index"}  # these open the model's files
    model |= {"ocr_engines", "context_writer"}  # a list, and what is made of other ports
    model |= {"fingerprint", "meter", "reranker"}  # two are values, and nobody re-ranks by default
    model |= {"masks"}  # by default nothing is masked
    model |= {"drawing"}  # a process that needs the parsing layer
    model |= {"issuer", "tokens", "usage_limits"}  # only keys count; limits are made of counters
    for port in set(PORTS) - model:
        assert type(getattr(pipeline, port)).__module__ in {
            "footnote.adapters.memory.small",
            "footnote.adapters.memory.buckets",
            "footnote.adapters.memory.grids",
            "footnote.adapters.memory.questions",
            "footnote.adapters.memory.catalog",
            "footnote.adapters.memory.outgoing",
            "footnote.adapters.memory.repeats",
            "footnote.adapters.memory.scripted",
            "footnote.wiring.errands",
            "footnote.wiring.local_workflow",
        }, port


def test_opensearch_is_asked_without_signing_unless_the_settings_say_so(aws):
    assert Services(Settings())._opensearch_auth() is None
    signed = Services(Settings(opensearch_auth="aws"))._opensearch_auth()
    assert type(signed).__name__ == "Urllib3AWSV4SignerAuth"


def test_a_model_that_is_not_there_is_a_matter_of_set_up(tmp_path):
    with pytest.raises(ConfigurationError):
        MiniLMTokenizer(tmp_path)


class Eyes:
    """Stands for an OCR engine that is installed here."""

    def __init__(self, *languages):
        self.name, self.languages = "-".join(languages), frozenset(languages)


@pytest.mark.parametrize(
    ("provider", "here", "engines"),
    [
        ("tesseract", [Eyes("en", "de")], ["en-de"]),
        ("tesseract", [], []),
        ("textract", [Eyes("en", "de")], ["textract-2"]),  # Textract reads both languages
        ("textract", [Eyes("en", "ru")], ["textract-2", "en-ru"]),
        ("textract", [], ["textract-2"]),
    ],
)
def test_the_engine_that_is_chosen_reads_and_one_with_more_languages_helps(
    aws, monkeypatch, provider, here, engines
):
    monkeypatch.setattr(ocr_engines, "installed_engines", lambda: here)
    chosen = Services(Settings(ocr_provider=provider)).ocr_engines
    assert [engine.name for engine in chosen] == engines


def test_a_key_that_cannot_be_read_is_a_matter_of_set_up(aws, monkeypatch):
    def refused(*_, **__):
        raise GetParameterError("not allowed")

    monkeypatch.setattr(parameters, "get_parameter", refused)
    services = Services(Settings(anthropic_key_parameter="a-key"))
    for port in ("llm", "context_llm"):
        with pytest.raises(ConfigurationError, match="cannot be read") as told:
            getattr(services, port)
        assert "'a-key'" in told.value.reason
        assert not any(word in str(told.value.problem) for word in ("a-key", "not allowed"))
