"""Shows the progress of adding many files: one line for all, a line for each that failed."""

from collections import Counter
from typing import Self

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from footnote.cli.terminal import AddProgress, document_line, err
from footnote.model import TERMINAL, Json

MAX_BARS = 20  # up to this many files have a line each
STATUS_WORDS = {
    "READY": "ready",
    "FAILED": "failed",
    "UNSUPPORTED": "unsupported",
    "DELETED": "deleted",
}


def add_progress(files: int) -> "AddProgress | AddTotals":
    return AddProgress() if files <= MAX_BARS else AddTotals(files)


class AddTotals:
    """Progress as counts instead of names. It takes the same calls as `AddProgress`."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._uploaded = 0
        self._last: dict[str, str] = {}  # document id → status
        self._counts: Counter[str] = Counter()  # documents by status
        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=err,
            transient=True,
        )
        self._task = self._progress.add_task(self.told(), total=2 * files)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        err.print(self.told())

    def begin(self, document_id: str, name: str) -> None:  # noqa: ARG002 - as AddProgress
        """Counts an uploaded file."""
        self._uploaded += 1
        self._show()

    def note(self, record: Json) -> None:
        """Counts a document's change of status, and prints a line for one that failed."""
        status, before = record["status"], self._last.get(record["id"])
        if status in TERMINAL and status not in {before, "READY"}:
            err.print(document_line(record))
        self._last[record["id"]] = status
        self._counts[status] += 1
        if before:
            self._counts[before] -= 1
        self._show()

    def told(self) -> str:
        """Describes progress: `5000 files: 5000 uploaded, 1200 ready, 3 failed, 40 at work`."""
        counts = self._counts
        parts = [
            f"{counts[status]} {word}" for status, word in STATUS_WORDS.items() if counts[status]
        ]
        if at_work := counts.total() - self._ended():
            parts.append(f"{at_work} at work")
        return ", ".join([f"{self._files} files: {self._uploaded} uploaded", *parts])

    def _ended(self) -> int:
        return sum(self._counts[status] for status in STATUS_WORDS)

    def _show(self) -> None:
        done = self._uploaded + self._ended()
        self._progress.update(self._task, completed=done, description=self.told())
