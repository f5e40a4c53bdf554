"""In-memory adapters of the ports by which events leave."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Announcement, Measurement


class MemoryAnnouncer:
    """Keeps the announcements."""

    def __init__(self) -> None:
        self.announced: list[Announcement] = []

    def announce(self, announcements: Sequence[Announcement]) -> None:
        self.announced += announcements


class MemoryMetrics:
    """Keeps the latest measurements. A process that runs for long must not fill its memory."""

    def __init__(self) -> None:
        self.measured: deque[Measurement] = deque(maxlen=10_000)

    def put(self, measurements: Sequence[Measurement]) -> None:
        self.measured += measurements


class MemoryAudit:
    """Keeps the latest lines."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=10_000)

    def keep(self, line: str) -> None:
        self.lines.append(line)


class MemoryWebhook:
    """Keeps the posts. `answer` returns the status of each post."""

    def __init__(self, answer: Callable[[], int] = lambda: 204) -> None:
        self.posted: list[tuple[bytes, dict[str, str]]] = []
        self.answer = answer

    def post(self, body: bytes, headers: Mapping[str, str]) -> None:
        self.posted.append((body, dict(headers)))
        status = self.answer()
        if status in (408, 429) or status >= 500:
            raise UnavailableError(f"the webhook answered {status}")
        if not 200 <= status < 300:
            raise ConfigurationError(f"the webhook answered {status}", code="webhook_refused")


class MemoryDeliveries:
    """Keeps which messages are held, by receipt, and which are buried."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        self.buried: list[str] = []

    def hold(self, receipt: str, seconds: int) -> None:
        self.held[receipt] = seconds

    def bury(self, body: str) -> None:
        self.buried.append(body)
