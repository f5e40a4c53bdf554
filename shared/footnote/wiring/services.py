"""The services of a step: one cached property per port, whose adapter is imported on first use.

So `chunk` starts without anthropic installed, and a cold start pays only for what it uses.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from footnote.errors import ConfigurationError
from footnote.ports import (
    LLM,
    Announcer,
    AuditLog,
    BlobStore,
    Catalog,
    Counters,
    Deliveries,
    Embedder,
    Errands,
    Grids,
    Issuer,
    Metrics,
    PageReader,
    Questions,
    Queues,
    Repeats,
    ReplyCache,
    Reranker,
    SearchIndex,
    Tenants,
    Tokenizer,
    Tokens,
    ToolServers,
    Uploads,
    VectorCache,
    Web,
    Webhook,
    WebSearch,
    Workflow,
)
from footnote.settings import Settings
from footnote.wiring.local_models import load_encoder, load_reader, load_tokenizer
from footnote.wiring.provider_keys import ProviderKeys, read_secret

if TYPE_CHECKING:
    from opensearchpy import Urllib3AWSV4SignerAuth

    from footnote.adapters.calls.meter import Meter
    from footnote.adapters.dynamodb.cache import DynamoCache
    from footnote.adapters.llm.masking_llm import Masks, Tell
    from footnote.ask.question.usage_limits import UsageLimits
    from footnote.ingest.index.situate import ContextWriter
    from footnote.model import Fingerprint, Measurement
    from footnote.wiring.child import Child


FETCH_SECONDS, FETCH_BYTES = 10.0, 10_000_000  # of a page that a model wants


class Services:
    """The ports of a process, built from settings. Each is opened on first use."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.clock = clock

    @cached_property
    def uploads(self) -> Uploads:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.s3 import S3Uploads

        return S3Uploads(client("s3", None), self.settings.uploads_bucket)

    @cached_property
    def artifacts(self) -> BlobStore:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.s3 import S3BlobStore

        return S3BlobStore(client("s3", None), self.settings.artifacts_bucket)

    @cached_property
    def catalog(self) -> Catalog:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.catalog import DynamoCatalog

        return DynamoCatalog(client("dynamodb", None), self.settings.documents_table)

    @cached_property
    def questions(self) -> Questions:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.questions import DynamoQuestions

        return DynamoQuestions(client("dynamodb", None), self.settings.questions_table)

    @cached_property
    def grids(self) -> Grids:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.grids import DynamoGrids

        return DynamoGrids(client("dynamodb", None), self.settings.questions_table)

    @cached_property
    def repeats(self) -> Repeats:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.repeats import DynamoRepeats

        return DynamoRepeats(client("dynamodb", None), self.settings.questions_table)

    @cached_property
    def queues(self) -> Queues:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.sqs import SqsQueues

        return SqsQueues(client("sqs", None), self.settings.queues)

    @cached_property
    def index(self) -> SearchIndex:
        from footnote.adapters.opensearch.index import OpenSearchIndex

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
        """Returns the fingerprint of these settings' vectors. It needs no embedding layer."""
        from footnote.adapters.embedding.models import fingerprint_of

        settings = self.settings
        provider, model = settings.embedding_provider, settings.embedding_model
        return fingerprint_of(provider, model, settings.embedding_dimensions)

    def start_timer(self) -> Callable[[], bool]:
        """Returns a function that tells whether a resumable step has worked long enough."""
        until = self.clock() + self.settings.reindex_seconds
        return lambda: self.clock() > until

    def _opensearch_auth(self) -> "Urllib3AWSV4SignerAuth | None":
        if self.settings.opensearch_auth == "none":
            return None
        import boto3

        from footnote.adapters.opensearch.client import aws_auth

        session = boto3.Session()
        if (credentials := session.get_credentials()) is None:
            raise ConfigurationError("no AWS credentials to sign requests to OpenSearch with")
        return aws_auth(credentials, session.region_name)

    @cached_property
    def encoder(self) -> Embedder:
        """Returns the embedding model itself, for texts that are not worth caching."""
        if self.settings.embedding_provider != "local":
            from footnote.wiring.providers import make_embedder

            return make_embedder(
                *(self.settings, self.fingerprint, self.meter, self.put_metrics),
                *(self.keys.voyage, self.keys.openai),
            )
        encoder = load_encoder(self.settings.embedding_model)
        if encoder.model != self.fingerprint.name:  # vectors of different models cannot be compared
            raise ConfigurationError(
                f"the embedding layer holds the model '{encoder.model}', the settings name"
                f" '{self.settings.embedding_model}'",
                action="Run `make setup`, deploy again, then run `footnote reindex`.",
            )
        return encoder

    @cached_property
    def reader(self) -> Reranker | None:
        """Returns the model that judges lines; None where the embedding layer has none."""
        if self.settings.embedding_provider != "local":
            return None
        return load_reader(self.settings.embedding_model)

    @cached_property
    def reranker(self) -> Reranker | None:
        """Returns the re-ranking models of `Rerankers`, or None."""
        if not self.settings.rerankers:
            return None
        from footnote.wiring.providers import make_reranker

        keys = self.keys
        return make_reranker(self.settings, self.meter, self.put_metrics, keys.cohere, keys.voyage)

    @cached_property
    def meter(self) -> "Meter":
        """Counts what this process spends on embedding and re-ranking."""
        from footnote.adapters.calls.meter import Meter

        return Meter()

    @cached_property
    def embedder(self) -> Embedder:
        """Returns the embedding model behind its cache, for chunks and searches."""
        from footnote.ingest.index.embed import CachedEmbedder

        return CachedEmbedder(self.encoder, self.vector_cache, self.put_metrics)

    @cached_property
    def vector_cache(self) -> VectorCache:
        from footnote.adapters.dynamodb.cache import DynamoVectors

        return DynamoVectors(self._cache())

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.settings.embedding_model)

    @cached_property
    def replies(self) -> ReplyCache:
        from footnote.adapters.dynamodb.cache import DynamoReplies

        return DynamoReplies(self._cache())

    def _cache(self) -> "DynamoCache":
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.cache import DynamoCache

        return DynamoCache(client("dynamodb", None), self.settings.vectors_table)

    @cached_property
    def ocr_engines(self) -> Sequence[PageReader]:
        """Returns the OCR engines. The first one reads; others read the languages it lacks."""
        from footnote.ingest.parse.ocr.engines import installed_engines

        if self.settings.ocr_provider == "tesseract":
            return installed_engines()
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.textract import Textract
        from footnote.ingest.read.page_cache import CachedReader

        textract = CachedReader(Textract(client("textract", None)), self.replies)
        return [
            textract,
            *(engine for engine in installed_engines() if engine.languages - textract.languages),
        ]

    @cached_property
    def llm(self) -> LLM | None:
        """Returns the providers' models; None where rules plan, grade and write."""
        if not self.settings.providers:
            return None
        from footnote.wiring.models import ASKING, make_models

        return make_models(self.settings, ASKING, self.keys, self.clock, self.put_metrics)

    @cached_property
    def masks(self) -> "Masks | None":
        """Returns what no model and nobody outside is told; None where that is nothing."""
        from footnote.adapters.llm.masking_llm import Masks
        from footnote.text.personal import names_pattern

        masks = Masks(self.settings.masked_kinds, names_pattern(self.settings.masked_names))
        return masks if any(masks) else None

    @cached_property
    def context_llm(self) -> LLM:
        """Returns the model that writes contextual lines.

        No model replaces it when it fails, because a chunk can do without a line.
        """
        if not self.settings.providers:
            raise ConfigurationError(
                "contextual lines are on, but no language model is configured to write them",
                action="Set AnthropicKeyParameter, or ContextualLines=off, and deploy again.",
            )
        from footnote.ingest.index.situate import CALL_SECONDS
        from footnote.wiring.models import LINES, make_models

        llm = make_models(
            self.settings,
            LINES,
            self.keys,
            self.clock,
            self.put_metrics,
            seconds=CALL_SECONDS,
        )
        return self.masked(llm, secrets.token_hex())

    def masked(
        self,
        llm: LLM,
        key: str,
        tell: "Tell" = lambda *_: None,
    ) -> LLM:
        """Returns a model that is given placeholders for what the settings mask, under this key."""
        if (masks := self.masks) is None:
            return llm
        from footnote.adapters.llm.masking_llm import MaskingLLM

        return MaskingLLM(llm, masks, key, tell)

    @property
    def keys(self) -> ProviderKeys:
        """Returns the reader of providers' keys. It reads each when its provider is made."""
        return ProviderKeys(self.settings)

    @cached_property
    def context_writer(self) -> "ContextWriter":
        from footnote.ingest.index.situate import ContextWriter

        model, count = self.settings.context_model, self.tokenizer.count
        return ContextWriter(lambda: self.context_llm, model, self.replies, count)

    @cached_property
    def workflow(self) -> Workflow:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.stepfunctions import StepFunctionsWorkflow

        return StepFunctionsWorkflow(
            client("stepfunctions", None),
            self.settings.ask_machine,
            self.settings.reindex_machine,
            self.settings.grid_machine,
        )

    @cached_property
    def announcer(self) -> Announcer:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.eventbridge import EventBridgeAnnouncer
        from footnote.announcements import SOURCE

        return EventBridgeAnnouncer(client("events", None), self.settings.event_bus, SOURCE)

    @cached_property
    def metrics(self) -> Metrics:
        from footnote.adapters.aws.emf import EmfMetrics
        from footnote.wiring.logs import logger

        return EmfMetrics(logger.get_current_keys)

    def put_metrics(self, measurements: Sequence["Measurement"]) -> None:
        """Passes measurements on; their adapter is imported for the first one."""
        self.metrics.put(measurements)

    @cached_property
    def audit_log(self) -> AuditLog:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.cloudwatch_audit import CloudwatchAudit

        return CloudwatchAudit(client("logs", None), self.settings.audit_group)

    @cached_property
    def webhook(self) -> Webhook:
        from footnote.adapters.http_webhook import HttpWebhook

        return HttpWebhook(self.settings.webhook_url)

    @cached_property
    def deliveries(self) -> Deliveries:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.sqs import SqsDeliveries

        settings = self.settings
        return SqsDeliveries(
            client("sqs", None), settings.deliver_queue, settings.deliver_dead_letters
        )

    def webhook_secret(self) -> str:
        """Returns the secret that signs deliveries to the webhook."""
        return read_secret(self.settings.webhook_secret_parameter)

    @cached_property
    def tenants(self) -> Tenants:
        """Returns the adapter that the API asks for a key's tenant.

        It calls the function `vouch`, as only that may read keys.
        """
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.lambda_tenants import LambdaTenants
        from footnote.adapters.aws.remembered_tenants import RememberedTenants

        vouch = LambdaTenants(client("lambda", None), self.settings.vouch_function)
        return RememberedTenants(vouch, seconds=60, refused=30)

    @cached_property
    def key_tags(self) -> Tenants:
        """Returns the adapter that `vouch` asks.

        It remembers for four minutes and the API for one, so an answer is five minutes old at most.
        """
        from footnote.adapters.aws.apigateway_tenants import ApiGatewayTenants
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.remembered_tenants import RememberedTenants

        return RememberedTenants(
            ApiGatewayTenants(client("apigateway", None)), seconds=240, refused=30
        )

    @cached_property
    def errands(self) -> Errands:
        """Returns the adapter that has the function `fetch` go outside."""
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.lambda_errands import LambdaErrands

        return LambdaErrands(client("lambda", None), self.settings.fetch_function)

    @cached_property
    def web(self) -> Web:
        """Returns the web as `fetch` sees it: pages of the hosts that the settings name."""
        from footnote.outside.hosts import may_ask, parse_hosts
        from footnote.outside.pages import WebFetcher

        hosts = parse_hosts(self.settings.fetch_hosts)
        return WebFetcher(
            seconds=FETCH_SECONDS,
            max_bytes=FETCH_BYTES,
            is_named=lambda host: may_ask(host, hosts),
        )

    @cached_property
    def web_search(self) -> WebSearch:
        """Returns the searcher of the web that the settings name."""
        from footnote.adapters.searxng import Searxng

        return Searxng(self.settings.web_search_url)

    @cached_property
    def tool_servers(self) -> ToolServers:
        """Returns the MCP servers that the settings name."""
        from footnote.adapters.mcp_servers import McpServers
        from footnote.outside.tool_servers import parse_servers

        return McpServers(parse_servers(self.settings.tool_servers))

    def pause(self, seconds: float) -> None:
        """Waits for what other functions do meanwhile."""
        time.sleep(seconds)

    @cached_property
    def drawing(self) -> "Child":
        """Returns the process that draws pages. API Gateway waits for 29 s."""
        from footnote.wiring.child import child_for

        return child_for("footnote.ingest.draw.packed", seconds=25.0, megabytes=1_000)

    @cached_property
    def issuer(self) -> Issuer | None:
        """Returns the OpenID provider whose tokens count, or None for API keys only."""
        if not self.settings.oidc_issuer:
            return None
        from footnote.adapters.oidc.issuer import HttpIssuer

        return HttpIssuer(self.settings.oidc_issuer)

    @cached_property
    def tokens(self) -> Tokens | None:
        """Returns the check of bearer tokens, or None for API keys only."""
        if (issuer := self.issuer) is None:
            return None
        from footnote.adapters.oidc.claims import ClaimNames
        from footnote.adapters.oidc.tokens import OidcTokens

        settings = self.settings
        if not settings.audiences:
            raise ConfigurationError(
                "OidcIssuer is set, but not whom its tokens must be for",
                action="Set OidcAudience or OidcClientId, and deploy again.",
            )
        names = ClaimNames(
            settings.oidc_tenant_claim, settings.oidc_groups_claim, settings.oidc_person_claim
        )
        return OidcTokens(issuer, settings.oidc_issuer, settings.audiences, names)

    @cached_property
    def counters(self) -> Counters:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.dynamodb.counters import DynamoCounters

        return DynamoCounters(client("dynamodb", None), self.settings.counters_table)

    @cached_property
    def usage_limits(self) -> "UsageLimits":
        """Returns the settings' limits of a person and of a tenant."""
        from footnote.ask.question.usage_limits import Most, UsageLimits

        settings = self.settings
        person = Most(
            settings.requests_per_second, settings.questions_per_day, settings.usd_per_day
        )
        tenant = Most(
            settings.tenant_requests_per_second,
            settings.tenant_questions_per_day,
            settings.tenant_usd_per_day,
        )
        return UsageLimits(self.counters, person, tenant, self.clock)
