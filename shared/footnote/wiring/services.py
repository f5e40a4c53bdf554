"""The services of a step: one cached property per port, whose adapter is imported on first use.

So `chunk` starts without anthropic installed, and a cold start pays only for what it uses.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from footnote.ask.deadline import Step, check_deadline, has_time, model_deadline
from footnote.ask.next_wave import Limits
from footnote.errors import ConfigurationError
from footnote.ports import (
    LLM,
    BlobStore,
    Catalog,
    Embedder,
    PageReader,
    Questions,
    Queues,
    ReplyCache,
    Reranker,
    SearchIndex,
    Tenants,
    Tokenizer,
    Uploads,
    Workflow,
)
from footnote.settings import Settings
from footnote.wiring.local_models import load_encoder, load_tokenizer

if TYPE_CHECKING:
    from opensearchpy import Urllib3AWSV4SignerAuth

    from footnote.adapters.dynamodb_cache import DynamoCache
    from footnote.adapters.meter import Meter
    from footnote.ask.tools import Bench
    from footnote.ingest.index.situate import Situator
    from footnote.model import Budget, Fingerprint, Ledger, QuestionRecord
    from footnote.wiring.models import Keys


class Services:
    """The ports of a process, built from settings. Nothing is opened before it is asked for."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.clock = clock

    @cached_property
    def uploads(self) -> Uploads:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.s3 import S3Uploads

        return S3Uploads(client("s3", None), self.settings.uploads_bucket)

    @cached_property
    def artifacts(self) -> BlobStore:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.s3 import S3BlobStore

        return S3BlobStore(client("s3", None), self.settings.artifacts_bucket)

    @cached_property
    def catalog(self) -> Catalog:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.dynamodb_catalog import DynamoCatalog

        return DynamoCatalog(client("dynamodb", None), self.settings.documents_table)

    @cached_property
    def questions(self) -> Questions:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.dynamodb_questions import DynamoQuestions

        return DynamoQuestions(client("dynamodb", None), self.settings.questions_table)

    @cached_property
    def queues(self) -> Queues:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.sqs import SqsQueues

        return SqsQueues(client("sqs", None), self.settings.queues)

    @cached_property
    def index(self) -> SearchIndex:
        from footnote.adapters.opensearch import OpenSearchIndex

        index = OpenSearchIndex(
            self.settings.opensearch_url,
            self.fingerprint.name,
            self.fingerprint.dimensions,
            prefix=self.settings.index_prefix,
            owner=self.settings.uploads_bucket,  # no other stack on AWS has a bucket of this name
            auth=self._opensearch_auth(),
            shards=self.settings.opensearch_shards,
            replicas=self.settings.opensearch_replicas,
            marks=self._marks,
        )
        index.ensure()
        return index

    def _marks(self) -> Mapping[str, str]:
        from footnote.ingest.upkeep.marks import chunk_marks, embedding_mark

        with_lines = self.settings.contextual_lines == "on"
        of_chunks = chunk_marks(with_lines=with_lines, context_model=self.settings.context_model)
        return {**of_chunks, **embedding_mark(self.fingerprint)}

    @cached_property
    def fingerprint(self) -> "Fingerprint":
        """Returns what vectors are made with by these settings. It needs no embedding layer."""
        from footnote.adapters.embedding_models import fingerprint_of

        settings = self.settings
        provider, model = settings.embedding_provider, settings.embedding_model
        return fingerprint_of(provider, model, settings.embedding_dimensions)

    def start_timer(self) -> Callable[[], bool]:
        """Returns what tells whether a step that can be resumed has worked long enough."""
        until = self.clock() + self.settings.reindex_seconds
        return lambda: self.clock() > until

    def _opensearch_auth(self) -> "Urllib3AWSV4SignerAuth | None":
        if self.settings.opensearch_auth == "none":
            return None
        import boto3

        from footnote.adapters.opensearch_client import aws_auth

        session = boto3.Session()
        if (credentials := session.get_credentials()) is None:
            raise ConfigurationError("no AWS credentials to sign requests to OpenSearch with")
        return aws_auth(credentials, session.region_name)

    @cached_property
    def encoder(self) -> Embedder:
        """Returns the embedding model itself, for texts that are not worth keeping in a cache."""
        if self.settings.embedding_provider != "local":
            from footnote.wiring.providers import make_embedder

            return make_embedder(
                self.settings, self.fingerprint, self.meter, self._voyage_key, self._openai_key
            )
        found = load_encoder(self.settings.embedding_model)
        if found.model != self.fingerprint.name:  # its vectors are no others' neighbours
            raise ConfigurationError(
                f"the embedding layer holds the model '{found.model}', the settings name"
                f" '{self.settings.embedding_model}'",
                action="Run `make setup`, deploy again, then run `footnote reindex`.",
            )
        return found

    def reranker_until(self, deadline: float | None) -> Reranker | None:
        """Returns `reranker`, if there is one, with the time that a question's step has left."""
        if not (found := self.reranker):
            return None
        from footnote.adapters.resilient import ResilientReranker

        if isinstance(found, ResilientReranker):
            return found.until(deadline, self.clock)
        return found

    def encoder_until(self, deadline: float | None) -> Embedder:
        """Returns `encoder` with the time that a question's step has left."""
        if self.settings.embedding_provider == "local":
            return self.encoder
        from footnote.adapters.resilient import ResilientEmbedder

        found = self.encoder
        if isinstance(found, ResilientEmbedder):
            return found.until(deadline, self.clock)
        return found

    @cached_property
    def reranker(self) -> Reranker | None:
        """Returns the re-ranking models of `Rerankers`; None where it names none."""
        if not self.settings.rerankers:
            return None
        from footnote.wiring.providers import make_reranker

        return make_reranker(self.settings, self.meter, self._cohere_key, self._voyage_key)

    @cached_property
    def meter(self) -> "Meter":
        """Counts what this process spends on embedding and re-ranking."""
        from footnote.adapters.meter import Meter

        return Meter()

    @cached_property
    def embedder(self) -> Embedder:
        """Returns the embedding model behind its cache, for chunks and searches."""
        from footnote.adapters.dynamodb_vectors import DynamoVectors
        from footnote.ingest.index.embed import CachedEmbedder

        return CachedEmbedder(self.encoder, DynamoVectors(self._cache()))

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.settings.embedding_model)

    @cached_property
    def replies(self) -> ReplyCache:
        from footnote.adapters.dynamodb_replies import DynamoReplies

        return DynamoReplies(self._cache())

    def _cache(self) -> "DynamoCache":
        from footnote.adapters.aws_clients import client
        from footnote.adapters.dynamodb_cache import DynamoCache

        return DynamoCache(client("dynamodb", None), self.settings.vectors_table)

    @cached_property
    def readers(self) -> Sequence[PageReader]:
        """Returns the OCR engines. The first one reads; others read the languages it lacks."""
        from footnote.ingest.parse.ocr_engines import installed_engines

        if self.settings.ocr_provider == "tesseract":
            return installed_engines()
        from footnote.adapters.aws_clients import client
        from footnote.adapters.textract import Textract
        from footnote.ingest.read.page_cache import CachedReader

        textract = CachedReader(Textract(client("textract", None)), self.replies)
        return [
            textract,
            *(one for one in installed_engines() if one.languages - textract.languages),
        ]

    @cached_property
    def llm(self) -> LLM:
        """The providers' models; where they are of no use, the documents' own sentences."""
        from footnote.adapters.extractive import Extractive

        if not self.settings.providers:
            return Extractive()
        from footnote.adapters.fallback import Fallback
        from footnote.adapters.timed_llm import PunctualLLM
        from footnote.wiring.models import ASKING, make_models

        made = make_models(self.settings, ASKING, self._model_keys(), self.clock)
        return Fallback(PunctualLLM(made, self.clock), Extractive())

    def llm_until(self, step: Step, deadline: float | None) -> LLM:
        """Returns `llm` with the time that a question's step may spend on its model.

        Raises DeadlineError when it is too late to begin this step.
        """
        from footnote.adapters.timed_llm import DeadlineLLM

        check_deadline(step, deadline, self.clock())
        return DeadlineLLM(self.llm, model_deadline(step, deadline, self.clock()))

    def llm_within(self, step: Step, record: "QuestionRecord", ledger: "Ledger") -> LLM:
        """Returns `llm` with the time, tokens and dollars that a question has left for a step.

        `ledger` is what it has spent. Raises DeadlineError when it is too late to begin this step.
        """
        from footnote.adapters.extractive import Extractive
        from footnote.adapters.thrifty_llm import ThriftyLLM

        timed = self.llm_until(step, record.deadline)
        if isinstance(self.llm, Extractive):
            return timed
        return ThriftyLLM(timed, Extractive(), self.budget_of(record), ledger)

    def budget_of(self, record: "QuestionRecord") -> "Budget":
        """Returns the caps of a question: those of the settings, as its request lowered them."""
        return self.settings.budget.lowered(record.budget)

    def bench_of(self, record: "QuestionRecord") -> "Bench":
        """Returns what a search for evidence works with, inside the question's scope.

        Raises DeadlineError when it is too late to begin one.
        """
        from footnote.ask.tools import Bench
        from footnote.store.stored_documents import StoredDocuments

        check_deadline("retrieve", record.deadline, self.clock())
        stored = StoredDocuments(self.artifacts, self.catalog, record.scope.groups)
        return Bench(
            scope=record.scope,
            index=self.index,
            embedder=self.encoder_until(record.deadline),
            catalog=self.catalog,
            reranker=self.reranker_until(record.deadline),
            document=stored.document,
            searches=self.budget_of(record).searches,
            by_sentence=self.settings.mode == "extractive",
        )

    def limits_of(self, record: "QuestionRecord") -> Limits:
        """Returns what bounds the searches of a question."""
        return Limits(self.budget_of(record), in_time=has_time(record.deadline, self.clock()))

    @cached_property
    def context_llm(self) -> LLM:
        """Returns the model that writes contextual lines.

        No other model stands in when it fails, because a chunk can do without a line.
        """
        if not self.settings.providers:
            from footnote.adapters.extractive import Extractive

            return Extractive()
        from footnote.ingest.index.situate import CALL_SECONDS
        from footnote.wiring.models import LINES, make_models

        return make_models(
            self.settings,
            LINES,
            self._model_keys(),
            self.clock,
            seconds=CALL_SECONDS,
        )

    def _model_keys(self) -> "Keys":
        from footnote.wiring.models import Keys

        return Keys(self._anthropic_key, self._bedrock_key, self._chat_key)

    @cached_property
    def situator(self) -> "Situator":
        from footnote.ingest.index.situate import Situator

        model, count = self.settings.context_model, self.tokenizer.count
        return Situator(lambda: self.context_llm, model, self.replies, count)

    def _anthropic_key(self) -> str:
        return self._read_key("anthropic", self.settings.anthropic_key_parameter)

    def _cohere_key(self) -> str:
        return self._read_key("cohere", self.settings.cohere_key_parameter)

    def _voyage_key(self) -> str:
        return self._read_key("voyage", self.settings.voyage_key_parameter)

    def _openai_key(self) -> str:
        """Returns the key, or "": a server of one's own may ask for none."""
        name = self.settings.openai_key_parameter
        return self._read_key("openai", name) if name else ""

    def _bedrock_key(self) -> str:
        """Returns a Bedrock API key, or "": requests are then signed as the function's role."""
        name = self.settings.bedrock_key_parameter
        return self._read_key("bedrock", name) if name else ""

    def _chat_key(self) -> str:
        """Returns the key, or "": a server of one's own may ask for none."""
        name = self.settings.chat_key_parameter
        return self._read_key("chat", name) if name else ""

    def _read_key(self, provider: str, name: str) -> str:
        from aws_lambda_powertools.utilities.parameters import get_parameter
        from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

        parameter = f"{provider.capitalize()}KeyParameter"
        if not name:
            raise ConfigurationError(
                f"the model provider is {provider}, but no key is named",
                action=f"Set {parameter}, or choose another provider, and deploy again.",
            )
        try:
            return str(get_parameter(name, decrypt=True, max_age=300))
        except GetParameterError as error:
            raise ConfigurationError(
                f"the parameter {name!r} with the model's key cannot be read: {error}",
                action="Store the key under that name (docs/deploying.md), or empty the parameter.",
            ) from error

    @cached_property
    def workflow(self) -> Workflow:
        from footnote.adapters.aws_clients import client
        from footnote.adapters.stepfunctions import StepFunctionsWorkflow

        return StepFunctionsWorkflow(
            client("stepfunctions", None),
            self.settings.ask_machine,
            self.settings.reindex_machine,
        )

    @cached_property
    def tenants(self) -> Tenants:
        from footnote.adapters.apigateway_tenants import ApiGatewayTenants
        from footnote.adapters.aws_clients import client

        return ApiGatewayTenants(client("apigateway", None))
