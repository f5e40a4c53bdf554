"""Configuration, read once from the environment. The template sets every field that it lists.

Prices are not here: they come with the adapter that knows the model.
"""

import os
from collections.abc import Mapping
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from footnote.errors import ConfigurationError
from footnote.model import QUEUE_NAMES, Budget, Mode, Persona
from footnote.text.personal import PERSONAL_KINDS, PersonalKind

PREFIX = "FOOTNOTE_"
SMALL_EVIDENCE = 1_200  # tokens; with the prompt and an answer they fit a window of 4,096


class Settings(BaseModel):
    """The configuration of a process. `FOOTNOTE_<FIELD>` in the environment sets a field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["aws", "memory"] = "aws"

    uploads_bucket: str = ""
    artifacts_bucket: str = ""
    documents_table: str = ""
    questions_table: str = ""
    vectors_table: str = ""
    counters_table: str = ""
    admit_queue: str = ""
    parse_queue: str = ""
    chunk_queue: str = ""
    index_queue: str = ""
    remove_queue: str = ""
    annotate_queue: str = ""
    deliver_queue: str = ""
    deliver_dead_letters: str = ""
    stack_name: str = ""  # tells its events from those of another stack on the same bus
    event_bus: str = ""  # name of the EventBridge bus for announcements
    audit_group: str = ""  # CloudWatch log group of the audit log; "" is the function's own log
    webhook_url: str = ""  # where `deliver` posts announcements
    webhook_secret_parameter: str = ""  # name of the SSM SecureString that signs them
    ask_machine: str = ""
    reindex_machine: str = ""
    grid_machine: str = ""
    vouch_function: str = ""  # tells whose an API key is
    fetch_function: str = ""  # goes outside for models that look

    opensearch_url: str = ""
    opensearch_auth: Literal["none", "aws"] = "none"
    opensearch_shards: int = 1
    opensearch_replicas: int = 0
    # The prefix of this stack's names in OpenSearch, which it may share with other stacks.
    index_prefix: str = "footnote"

    # The provider of embeddings: the layer, or one that is paid by the token (docs/deploying.md).
    embedding_provider: Literal["local", "bedrock", "voyage", "openai"] = "local"
    embedding_model: str = "all-MiniLM-L6-v2-s8"
    embedding_dimensions: int = 0  # 0 means the model's own
    # Places that serve this model, with commas between them, the best first: regions of Bedrock,
    # base URLs of other providers. Empty means this region, or the provider's own URL.
    embedding_places: str = ""
    rerankers: str = ""  # `provider[:model][@region]`, with commas, the best first; empty: none
    cohere_key_parameter: str = ""  # this and the next two name SSM SecureStrings
    voyage_key_parameter: str = ""
    openai_key_parameter: str = ""
    provider_calls: int = 4  # parallel calls of one process to each of these providers
    provider_tokens: int = 0  # tokens a minute to each of them; 0 sets no limit

    ocr_provider: Literal["tesseract", "textract"] = "tesseract"

    # The providers of models that plan, grade and write, with commas between them, in the order of
    # their use. Empty means all that are set up below, in their order.
    model_provider: str = ""
    anthropic_key_parameter: str = ""  # name of an SSM SecureString; empty means extractive
    anthropic_base_url: str = ""
    model_region: str = ""  # of Claude on Bedrock; empty: Bedrock is not used
    bedrock_key_parameter: str = ""  # name of an SSM SecureString; empty: the function's role signs
    chat_base_url: str = ""  # of a server with OpenAI's form of chat; empty means OpenAI's own
    chat_key_parameter: str = ""  # name of an SSM SecureString; empty: the server needs no key
    # Models as `[provider:]model`, with commas between them; empty means the provider's default.
    planner_model: str = ""
    grader_model: str = ""  # grades and judges; empty means the planner
    writer_model: str = ""
    # small: the model only writes, from little evidence, and rules do all else (docs/models.md)
    model_profile: Literal["full", "small"] = "full"
    model_prices: str = ""  # `model=in/out` in dollars a million tokens, with commas
    # Kinds of personal data that models are given placeholders for, with commas (`all`: every one),
    # and names, likewise. Empty: models read what is there.
    mask: str = ""
    mask_names: str = ""
    contextual_lines: Literal["off", "on"] = "off"  # one sentence by a model for each chunk
    context_model: str = "claude-haiku-5-5"  # writes the contextual lines

    # Deliveries of a queue message; one more buries it in the dead-letter queue. AWS asks for five,
    # because a delivery that waits long for a place to run counts as well.
    max_receives: int = 4
    # The first delay, in seconds, of a message that failed or whose service is unavailable. It
    # doubles each time, up to 15 minutes.
    retry_seconds: int = 5
    # How often a message may be delayed: 80 minutes in all. After that its receives count.
    max_waits: int = 12
    max_upload_bytes: int = 250_000_000
    ocr_pages: int = 150  # pages that one invocation reads by OCR, if it has time
    pages_a_part: int = 100  # one part of a PDF; it takes one second if the pages have text
    # Whether the parse step takes messages; `sweep` gives up no file that waits for it.
    parse_state: Literal["ENABLED", "DISABLED"] = "ENABLED"
    # Seconds that a document may be in a stage before `sweep` looks after it. They must exceed the
    # time of all deliveries of a message whose step is killed each time: the first hides it for the
    # queue's visibility timeout, later ones until a minute after the function's.
    parse_seconds: int = 3300
    chunk_seconds: int = 1500
    index_seconds: int = 3300
    backlog_seconds: int = 86_400  # replaces them while messages wait in the stage's queue
    # Seconds in which one invocation of `prepare`, `promote` or `rebuild` begins new work; work
    # that has begun may take some 200 s more. The next invocation does the rest.
    reindex_seconds: int = 120
    # The share of sample questions that a new generation may lose against the one that queries go
    # to; 1: any. Reasoned, not measured: of 50 questions two may be lost by chance, as scores that
    # are nearly equal come in another order, and the third counts.
    reindex_may_lose: float = 0.05
    # Hours that the generation which queries have left is kept, for a roll-back; 0: not at all. It
    # receives all writes meanwhile, and takes its space.
    keep_generation_hours: int = 24
    sweep_items: int = 500  # items that each comparison of a sweep looks at in one run

    max_rounds: int = 2  # searches of one sub-question
    max_replans: int = 1  # times that a plan may get new sub-questions
    max_searches: int = 16  # of all sub-questions: eight, each searched for twice
    max_turns: int = 0  # of a model that searches for one sub-question; 0: the plan's searches run
    # Hosts whose pages a model that looks may fetch, with commas; `*`: those that it was shown
    # addresses of. Empty: none.
    fetch_hosts: str = ""
    web_search_url: str = ""  # of a SearXNG whose results a model that looks may see; empty: none
    # MCP servers whose tools a model that looks may call, as JSON (`outside/tool_servers.py`).
    tool_servers: str = ""
    fetch_readers: Literal["asker", "tenant"] = "asker"  # who may read what was fetched
    max_fetches: int = 3  # looks outside of one question
    # Caps of one question: about four times the longest one, which has eight
    # sub-questions graded three times.
    max_tokens: int = 400_000
    max_usd: float = 1.0  # 0 sets no cap, for tokens too
    question_seconds: int = 120  # time in which a question should have its answer
    persona: Persona = "default"  # of answers where neither caller nor planner chooses one
    # Whether answers leave out what nothing confirms, where the caller does not say.
    strict: Literal["off", "on"] = "off"
    # Whether findings of all questions of a tenant, not of a session alone, lead to passages.
    shared_findings: Literal["off", "on"] = "off"
    # Seconds that a request may wait for an answer or event, below API Gateway's 29 s. Each waiting
    # request holds an execution of the account, so a deployment may allow less.
    wait_seconds: int = 20
    stream_seconds: int = 0  # that a reply of the function that streams may last; 0: any other
    streams: int = 2  # replies that may last at once
    allowed_origin: str = "*"  # whose pages may call the API (CORS); they need a key, too
    upload_seconds: int = 900  # time in which a signed upload must begin

    # The OpenID provider whose tokens count beside API keys: its `issuer`. Empty: none.
    oidc_issuer: str = ""
    oidc_audience: str = ""  # accepted audiences of tokens, with commas; empty means the client id
    oidc_client_id: str = ""  # of the page, which signs people in
    oidc_origins: str = ""  # the page's own: where it may ask for tokens, with commas
    oidc_scope: str = "openid profile email"
    public_url: str = ""  # the API's address, for clients of MCP; empty: what API Gateway says
    oidc_tenant_claim: str = "tenant"  # claims that name tenant, groups and person
    oidc_groups_claim: str = "groups"
    oidc_person_claim: str = "sub"
    # The API key under which API Gateway counts requests with a token. It grants nothing by itself.
    token_key: str = ""

    # Limits of one API key or person, and of a tenant; 0 sets none. A day is one of UTC.
    requests_per_second: int = 10  # the usage plan counts those of API keys
    tenant_requests_per_second: int = 0
    questions_per_day: int = 0
    tenant_questions_per_day: int = 0
    usd_per_day: float = 0.0
    tenant_usd_per_day: float = 0.0

    @field_validator("model_provider")
    @classmethod
    def _must_be_providers(cls, names: str) -> str:
        modes = get_args(Mode.__value__)
        if wrong := [name for name in _listed(names) if name not in modes]:
            raise ValueError(f"no model provider '{wrong[0]}'; known: {', '.join(modes)}")
        return names

    @field_validator("mask")
    @classmethod
    def _must_be_kinds(cls, kinds: str) -> str:
        if wrong := [kind for kind in _listed(kinds) if kind not in {*PERSONAL_KINDS, "all"}]:
            known = ", ".join(("all", *PERSONAL_KINDS))
            raise ValueError(f"no kind of personal data '{wrong[0]}'; known: {known}")
        return kinds

    @property
    def masked_kinds(self) -> tuple[PersonalKind, ...]:
        """Returns the kinds of personal data that models do not read."""
        named = _listed(self.mask)
        return tuple(kind for kind in PERSONAL_KINDS if {kind, "all"} & set(named))

    @property
    def masked_names(self) -> tuple[str, ...]:
        """Returns the names that models do not read."""
        return tuple(_listed(self.mask_names))

    @property
    def providers(self) -> tuple[Mode, ...]:
        """Returns the providers that plan, grade and write, in the order of their use."""
        set_up: dict[Mode, str] = {
            "anthropic": self.anthropic_key_parameter,
            "bedrock": self.model_region,
            "openai": self.chat_base_url or self.chat_key_parameter,
        }
        if names := _listed(self.model_provider):
            modes: tuple[Mode, ...] = get_args(Mode.__value__)
            chosen = [mode for name in names for mode in modes if mode == name]
            return () if chosen == ["extractive"] else tuple(chosen)
        return tuple(mode for mode, value in set_up.items() if value)

    @property
    def mode(self) -> Mode:
        """Returns the first provider that plans, grades and writes."""
        return next(iter(self.providers), "extractive")

    @property
    def budget(self) -> Budget:
        """Returns the caps of a question."""
        return Budget(
            rounds=self.max_rounds,
            replans=self.max_replans,
            searches=self.max_searches,
            tokens=self.max_tokens,
            usd=self.max_usd,
            turns=self.max_turns if self.providers else 0,
        )

    @property
    def keep_generation_seconds(self) -> int:
        return 3600 * self.keep_generation_hours

    @property
    def evidence_tokens(self) -> int:
        """Returns how many tokens of evidence a writer reads; 0 means all that was found."""
        return SMALL_EVIDENCE if self.model_profile == "small" else 0

    @property
    def audiences(self) -> tuple[str, ...]:
        """Returns the audiences of the tokens that count here."""
        return tuple(_listed(self.oidc_audience) or filter(None, [self.oidc_client_id]))

    @property
    def queues(self) -> dict[str, str]:
        """Returns the URL of each queue, by name."""
        fields = self.model_dump()
        return {name: fields[f"{name}_queue"] for name in QUEUE_NAMES}

    @property
    def bounds(self) -> dict[str, int]:
        """Returns the seconds that all deliveries of a message may take, by queue."""
        return {
            "parse": self.parse_seconds,
            "chunk": self.chunk_seconds,
            "index": self.index_seconds,
        }

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Reads the settings. Raises ConfigurationError naming the wrong variable."""
        names = {PREFIX + field.upper(): field for field in cls.model_fields}
        values = {field: environ[name] for name, field in names.items() if name in environ}
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            name = PREFIX + str(first["loc"][0]).upper()
            raise ConfigurationError(
                f"{name}: {first['msg']}",
                action=f"Correct {name} in template.yaml and deploy again.",
            ) from None


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
