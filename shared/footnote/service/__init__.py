"""Defines the operations of a user once, grouped by subject: documents, questions, …

The REST API and other faces are thin layers over this. A `Service` belongs to one tenant and to the
caller's groups. Its face has verified both, and nothing in a request can change them. A caller does
not see what it may not read.
"""

from collections.abc import Sequence

from footnote.ask.question.sessions import Sessions
from footnote.ask.question.streams import Streams
from footnote.ask.question.usage_limits import Most, Used
from footnote.errors import ConflictError
from footnote.model import NOBODY, Caller, digest
from footnote.ports import Repeats
from footnote.reading.document_reader import Reader
from footnote.reading.pictures import Pictures
from footnote.service.batch_service import BatchService
from footnote.service.document_service import DocumentService
from footnote.service.erasure_service import ErasureService
from footnote.service.grid_service import GridService
from footnote.service.operating_service import OperatingService
from footnote.service.question_service import QuestionService, sessions_of
from footnote.service.retention_service import RetentionService
from footnote.service.retry_service import RetryService
from footnote.service.search_service import SearchService
from footnote.wiring.services import Services

MAX_WAIT = 20.0  # seconds, the most that a deployment may allow; API Gateway gives up after 29


class Service:
    """The operations of one caller in one tenant: one attribute per subject."""

    def __init__(
        self, services: Services, tenant: str, groups: Sequence[str] = (), person: str = ""
    ) -> None:
        if not tenant or tenant == NOBODY:
            raise ConflictError("a service needs a tenant", action="Give the API key a tenant tag.")
        who = Caller(tenant=tenant, groups=tuple(groups), person=person)
        self._services = services
        self._who = who
        self.documents = DocumentService(services, who)
        self.retries = RetryService(services, self.documents)
        self.batches = BatchService(services, who, self.documents)
        self.searches = SearchService(services, who, self.documents)
        self.questions = QuestionService(services, who)
        self.grids = GridService(services, who, self.documents, self.questions)
        self.erasures = ErasureService(services, who, self.documents)
        self.retention = RetentionService(services, who)
        self.operating = OperatingService(services, who)

    @property
    def sessions(self) -> Sessions:
        """Returns the sessions that this caller may read."""
        return sessions_of(self._services, self._who)

    @property
    def reader(self) -> Reader:
        """Returns the reader of documents for this caller: text, pages, contents, the file."""
        artifacts, uploads = self._services.artifacts, self._services.uploads
        return Reader(self.documents.present, self.questions.get, artifacts, uploads)

    @property
    def pictures(self) -> Pictures:
        """Returns the object that draws pages. It needs the parsing layer."""
        services, settings = self._services, self._services.settings
        return Pictures(
            services.artifacts,
            services.uploads,
            services.drawing.run,
            services.clock(),
            settings.max_upload_bytes,
        )

    @property
    def longest_wait(self) -> float:
        """Returns how many seconds a request may wait in this deployment."""
        return min(float(self._services.settings.wait_seconds), MAX_WAIT)

    @property
    def longest_reply(self) -> float:
        """Returns how many seconds a reply may last; 0 where this function sends replies whole."""
        return float(self._services.settings.stream_seconds)

    @property
    def streams(self) -> Streams:
        """Returns the count of the replies that last, of the whole deployment."""
        services = self._services
        return Streams(services.counters, services.settings.streams, services.clock)

    @property
    def repeats(self) -> Repeats:
        return self._services.repeats

    def name_of_request(self, route: str, key: str) -> str:
        """Returns the name of a request: this caller's idempotency key on a route.

        Two callers with the same key get different names.
        """
        return digest(self._who.tenant, *sorted(self._who.groups), route, key)

    def limits(self) -> tuple[Most, Used]:
        """Returns the caller's limits, and what the caller has used today. A limit of 0 is none."""
        limits = self._services.usage_limits
        return limits.of_person, limits.used(self._who.tenant, self._who.person)
