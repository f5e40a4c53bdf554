"""Configuration, read once from the environment. The template sets every field it lists.

Prices are not here: they come with the adapter that knows the model.
"""

import os
from collections.abc import Mapping
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from footnote.errors import ConfigurationError
from footnote.model import QUEUE_NAMES, Budget, Mode, Persona

PREFIX = "FOOTNOTE_"


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
    event_bus: str = ""  # name of the EventBridge bus that is told what happened
    webhook_url: str = ""  # where `deliver` posts what the bus is told
    webhook_secret_parameter: str = ""  # name of an SSM SecureString, which signs it
    ask_machine: str = ""
    reindex_machine: str = ""
    vouch_function: str = ""  # says whose an API key is

    opensearch_url: str = ""
    opensearch_auth: Literal["none", "aws"] = "none"
    opensearch_shards: int = 1
    opensearch_replicas: int = 0
    # Begins the names of all that this stack has in OpenSearch, where other stacks may be.
    index_prefix: str = "footnote"

    # Whose model embeds: the layer's, or one that is paid by the token (docs/deploying.md).
    embedding_provider: Literal["local", "bedrock", "voyage", "openai"] = "local"
    embedding_model: str = "all-MiniLM-L6-v2-s8"
    embedding_dimensions: int = 0  # 0 means the model's own
    # Places that serve this very model, with commas between them, the best first: regions of
    # Bedrock, base URLs of others. Empty means this region, or the provider's own URL.
    embedding_places: str = ""
    rerankers: str = ""  # `provider[:model][@region]`, with commas, the best first; empty: none
    cohere_key_parameter: str = ""  # names of SSM SecureStrings, as for Anthropic
    voyage_key_parameter: str = ""
    openai_key_parameter: str = ""
    provider_calls: int = 4  # at once, to each of these providers, from one process
    provider_tokens: int = 0  # a minute, likewise; 0 sets no limit

    ocr_provider: Literal["tesseract", "textract"] = "tesseract"

    # Whose models plan, grade and write, with commas between them, in the order in which they are
    # asked. Empty means all that are set up below, in their order.
    model_provider: str = ""
    anthropic_key_parameter: str = ""  # name of an SSM SecureString; empty means extractive
    anthropic_base_url: str = ""
    model_region: str = ""  # of Claude on Bedrock; empty means that it is not used
    bedrock_key_parameter: str = ""  # likewise; empty means to sign as the function's role
    chat_base_url: str = ""  # of a server with OpenAI's form of chat; empty means OpenAI's own
    chat_key_parameter: str = ""  # likewise of an SSM SecureString; empty means it asks for none
    # Models as `[provider:]model`, with commas between them; empty means the provider's default.
    planner_model: str = ""
    grader_model: str = ""  # grades and judges; empty means the planner
    writer_model: str = ""
    model_prices: str = ""  # `model=in/out` in dollars a million tokens, with commas
    contextual_lines: Literal["off", "on"] = "off"  # one sentence by a model for each chunk
    context_model: str = "claude-haiku-5-5"  # writes the contextual lines

    # Deliveries of a queue message. One more buries it in the dead-letter queue: the fifth, as AWS
    # asks for five, because a delivery that finds no place to run for long counts as well.
    max_receives: int = 4
    # The first delay of a message that is put off because a service is unavailable, or that failed.
    # It doubles each time, up to 15 minutes.
    retry_seconds: int = 5
    # How often a message may be put off, which is 80 minutes in all. After that its receives count.
    max_waits: int = 12
    max_upload_bytes: int = 250_000_000
    ocr_pages: int = 150  # pages that one invocation reads by OCR, if it has time
    pages_a_part: int = 100  # pages of a PDF in one part: one second of work where they have text
    # How long a document may be in a stage before `sweep` looks after it. This must exceed the time
    # of all deliveries of a message whose step is killed each time: the first hides it for the
    # queue's visibility timeout, later ones until a minute after the function's.
    parse_seconds: int = 3300
    chunk_seconds: int = 1500
    index_seconds: int = 3300
    backlog_seconds: int = 86_400  # replaces them while messages wait in the stage's queue
    # How long one invocation of `prepare`, `promote` or `rebuild` begins new work. What is left the
    # next one does; what was begun may take some 200 s more.
    reindex_seconds: int = 120
    sweep_items: int = 500  # items that each comparison of a sweep looks at in one run

    max_rounds: int = 2  # searches of one sub-question
    max_replans: int = 1  # times that a plan may get new sub-questions
    max_searches: int = 16  # of all sub-questions: eight, each searched for twice
    max_turns: int = (
        0  # of a model that looks for one sub-question; 0: the plan's searches are made
    )
    # Of one question, about four times what the longest takes: eight sub-questions, graded thrice.
    max_tokens: int = 400_000
    max_usd: float = 1.0  # likewise; 0 sets no cap, as do 0 tokens
    question_seconds: int = 120  # time in which a question should have its answer
    persona: Persona = "default"  # of answers for which neither a caller nor a planner chooses one
    # How long a request may wait for an answer or an event, below API Gateway's 29 s. Each request
    # that waits holds an execution of the account, so a deployment may allow less.
    wait_seconds: int = 20
    allowed_origin: str = "*"  # whose pages may call the API (CORS); a key is needed all the same
    upload_seconds: int = 900  # in which an upload must begin that was signed

    # Whose tokens count beside API keys: the `issuer` of an OpenID provider; empty: nobody's.
    oidc_issuer: str = ""
    oidc_audience: str = ""  # whom tokens are for, with commas; empty means the client id
    oidc_client_id: str = ""  # of the page, which signs people in
    oidc_origins: str = ""  # the page's own: where it may ask for tokens, with commas
    oidc_scope: str = "openid profile email"
    oidc_tenant_claim: str = "tenant"  # claims that name tenant, groups and person
    oidc_groups_claim: str = "groups"
    oidc_person_claim: str = "sub"
    # The API key under which API Gateway counts requests with a token. It opens nothing by itself.
    token_key: str = ""

    # Limits of one API key or person, and of a tenant; 0 sets none. A day is one of UTC.
    requests_per_second: int = 10  # for API keys it is the usage plan that counts
    tenant_requests_per_second: int = 0
    questions_per_day: int = 0
    tenant_questions_per_day: int = 0
    usd_per_day: float = 0.0
    tenant_usd_per_day: float = 0.0

    @field_validator("model_provider")
    @classmethod
    def _must_be_providers(cls, told: str) -> str:
        known = get_args(Mode.__value__)
        if wrong := [one for one in _listed(told) if one not in known]:
            raise ValueError(f"no model provider '{wrong[0]}'; known: {', '.join(known)}")
        return told

    @property
    def providers(self) -> tuple[Mode, ...]:
        """Whose models plan, grade and write, in the order in which they are asked."""
        set_up: dict[Mode, str] = {
            "anthropic": self.anthropic_key_parameter,
            "bedrock": self.model_region,
            "openai": self.chat_base_url or self.chat_key_parameter,
        }
        if told := _listed(self.model_provider):
            modes: tuple[Mode, ...] = get_args(Mode.__value__)
            chosen = [mode for one in told for mode in modes if mode == one]
            return () if chosen == ["extractive"] else tuple(chosen)
        return tuple(mode for mode, given in set_up.items() if given)

    @property
    def mode(self) -> Mode:
        """Whose models plan, grade and write, if they answer."""
        return next(iter(self.providers), "extractive")

    @property
    def budget(self) -> Budget:
        """What a question may spend at most."""
        return Budget(
            rounds=self.max_rounds,
            replans=self.max_replans,
            searches=self.max_searches,
            tokens=self.max_tokens,
            usd=self.max_usd,
            turns=self.max_turns if self.providers else 0,
        )

    @property
    def audiences(self) -> tuple[str, ...]:
        """Whom a token must be for, to count here."""
        return tuple(_listed(self.oidc_audience) or filter(None, [self.oidc_client_id]))

    @property
    def queues(self) -> dict[str, str]:
        """The URL of each queue, by name."""
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
        """Reads the settings. Raises ConfigurationError naming the variable that is wrong."""
        names = {PREFIX + field.upper(): field for field in cls.model_fields}
        given = {field: environ[name] for name, field in names.items() if name in environ}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            name = PREFIX + str(first["loc"][0]).upper()
            raise ConfigurationError(
                f"{name}: {first['msg']}",
                action=f"Correct {name} in template.yaml and deploy again.",
            ) from None


def _listed(told: str) -> list[str]:
    return [one.strip() for one in told.split(",") if one.strip()]
