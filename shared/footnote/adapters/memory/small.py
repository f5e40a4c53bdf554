"""The small adapters in memory: queues, caches, OCR, tenants, counters, a re-ranker and the web.

Tests and evals use them. They pass the same suites as the real adapters.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from footnote.adapters.embedding.rerank_rules import check_texts
from footnote.adapters.memory.scores import words
from footnote.adapters.rules.limits import must_be_key, must_be_keys, must_fit_item
from footnote.adapters.rules.queues import checked_entry
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ForbiddenError,
    UnavailableError,
)
from footnote.model import (
    QUEUE_NAMES,
    Caller,
    Picture,
    Reading,
    Revision,
    ServerTool,
    Vector,
    WebPage,
    WebResult,
    is_tenant,
)


class MemoryQueues:
    """Keeps each queue's messages in `sent`, oldest first. Delays are noted but not waited for."""

    def __init__(self, queues: Sequence[str] = QUEUE_NAMES) -> None:
        self.sent: dict[str, list[Revision]] = {queue: [] for queue in queues}
        self.delays: list[int] = []
        self.held: list[tuple[str, int]] = []

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        waiting = self._known(queue)
        for message in messages:
            checked_entry(queue, message, delay)
        waiting.extend(messages)
        self.delays += [delay] * bool(delay)

    def waiting(self, queue: str) -> int:
        return len(self._known(queue))

    def hold(self, queue: str, receipts: Sequence[str], seconds: int) -> None:
        self._known(queue)
        self.held += [(receipt, seconds) for receipt in receipts]

    def _known(self, queue: str) -> list[Revision]:
        if queue not in self.sent:
            raise ConfigurationError(f"no queue {queue!r}; known: {', '.join(self.sent)}")
        return self.sent[queue]


class MemoryVectors:
    def __init__(self) -> None:
        self._vectors: dict[str, Vector] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        must_be_keys("get vectors", keys)
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        must_be_keys("put vectors", vectors)
        for key, vector in vectors.items():
            must_fit_item(key, {"key": key, "value": bytes(4 * len(vector))})
        self._vectors.update(vectors)

    def delete(self, keys: Sequence[str]) -> None:
        must_be_keys("delete vectors", keys)
        for key in keys:
            self._vectors.pop(key, None)


class MemoryReplies:
    def __init__(self) -> None:
        self._replies: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        must_be_keys("get replies", keys)
        return {key: self._replies[key] for key in keys if key in self._replies}

    def put(self, replies: Mapping[str, str]) -> None:
        must_be_keys("put replies", replies)
        self._replies.update(replies)


class MemoryReader:
    """Returns prepared readings, found by a picture's pixels. Any other picture reads as empty."""

    def __init__(
        self,
        readings: Mapping[bytes, Reading],
        languages: frozenset[str] = frozenset({"en"}),
        name: str = "memory",
    ) -> None:
        self._readings = readings
        self.name = name
        self.languages = languages

    def read(self, picture: Picture, likely: str = "") -> Reading:  # noqa: ARG002 - knows it all
        return self._readings.get(picture.pixels, Reading())


class MemoryTenants:
    """Maps API key ids to tenants, and to groups and ends for the keys that have any."""

    def __init__(
        self,
        tenants: Mapping[str, str],
        groups: Mapping[str, Sequence[str]] | None = None,
        expires: Mapping[str, float] | None = None,
    ) -> None:
        self._tenants = tenants
        self._groups = {} if groups is None else groups
        self._expires = {} if expires is None else expires

    def of(self, api_key_id: str) -> Caller:
        tenant = self._tenants.get(api_key_id, "")
        if not is_tenant(tenant):
            raise ForbiddenError(f"no tenant for API key {api_key_id or '(none)'}")
        return Caller(
            tenant=tenant,
            groups=tuple(self._groups.get(api_key_id, ())),
            person=api_key_id,
            expires=self._expires.get(api_key_id),
        )


class MemoryCounters:
    def __init__(self) -> None:
        self._sums: dict[str, int] = defaultdict(int)
        self._one = Lock()

    def add(self, name: str, amount: int, until: float, most: int | None = None) -> bool:  # noqa: ARG002  # it forgets nothing
        must_be_key("counter", name)
        with self._one:
            if most is not None and self._sums[name] + amount > most:
                return False
            self._sums[name] += amount
            return True

    def read(self, name: str) -> int:
        must_be_key("counter", name)
        return self._sums.get(name, 0)


class MemoryReranker:
    """Scores a text by the share of the query's words that it has; a short one is a little better.

    The same texts have the same scores, in whatever company.
    """

    model = "memory"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        query_words = set(words(query))
        return [self._score(query_words, words(text)) for text in texts]

    def _score(self, query_words: set[str], text_words: Sequence[str]) -> float:
        shared = len(query_words.intersection(text_words)) / (len(query_words) or 1)
        return round(shared + 0.01 / (1 + len(text_words)), 6)


class MemoryWeb:
    """Has pages by address: {address: (media type, body)}. Keeps what was asked for in `asked`."""

    def __init__(self, pages: Mapping[str, tuple[str, bytes]] | None = None) -> None:
        self.pages = dict(pages or {})
        self.asked: list[str] = []

    def fetch(self, address: str) -> WebPage:
        self.asked.append(address)
        if not address.startswith(("http://", "https://")):
            raise BadRequestError(f"{address[:100]} is no page of the web", code="page_refused")
        if address not in self.pages:
            raise UnavailableError(f"{address[:100]} answered 404", code="page_unavailable")
        return WebPage(address, *self.pages[address])


class MemoryWebSearch:
    """Finds those of its pages that have a word of the query. Keeps queries in `asked`."""

    def __init__(self, pages: Sequence[WebResult] = ()) -> None:
        self.pages = list(pages)
        self.asked: list[str] = []

    def find(self, query: str, most: int) -> tuple[WebResult, ...]:
        self.asked.append(query)
        wanted = set(words(query))
        fitting = (
            page for page in self.pages if wanted & set(words(f"{page.title} {page.snippet}"))
        )
        by_address: dict[str, WebResult] = {}
        for page in fitting:
            by_address.setdefault(page.url, page)
        return tuple(by_address.values())[:most]


class MemoryToolServers:
    """Has tools by server: {server: {tool: function of its arguments}}."""

    def __init__(
        self, servers: Mapping[str, Mapping[str, Callable[..., str]]] | None = None
    ) -> None:
        self.servers = servers or {}

    def describe(self, server: str, tool: str) -> ServerTool:
        told = self._tool(server, tool).__doc__ or ""
        return ServerTool(description=told, arguments={"type": "object"})

    def call(self, server: str, tool: str, arguments: Mapping[str, object]) -> str:
        return self._tool(server, tool)(**arguments)

    def _tool(self, server: str, tool: str) -> Callable[..., str]:
        if tool not in self.servers.get(server, {}):
            raise BadRequestError(f"there is no tool {tool!r} of {server!r}")
        return self.servers[server][tool]
