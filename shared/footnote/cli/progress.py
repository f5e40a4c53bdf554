"""Shows the progress of adding files: a bar and a line for each, or counts for many."""

from collections import Counter
from typing import Self

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from footnote.cli.document_lines import document_line, print_unchanged
from footnote.cli.plain_text import plain
from footnote.cli.terminal import err
from footnote.model import TERMINAL
from footnote.wire import Json

MAX_BARS = 20  # up to this many files have a line each
STATUS_WORDS = {
    "READY": "ready",
    "FAILED": "failed",
    "UNSUPPORTED": "unsupported",
    "DELETED": "deleted",
}
STATUS_PROGRESS = {
    "UPLOADING": 0,
    "RECEIVED": 1,
    "PARSING": 2,
    "CHUNKING": 4,
    "INDEXING": 5,
    "READY": 10,
    "FAILED": 10,
    "UNSUPPORTED": 10,
    "DELETED": 10,
}
"""A document's progress on a scale of 10. The parts of INDEXING fill the range from 5 to 10."""


def add_progress(files: int) -> "AddProgress | AddTotals":
    return AddProgress() if files <= MAX_BARS else AddTotals(files)


class AddProgress:
    """Shows a bar for each file in work, and a line once it has ended."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.fields[status]:<11}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[name]}", markup=False),
            TimeElapsedColumn(),
            console=err,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._skipped: set[str] = set()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, document_id: str, name: str) -> None:
        name = plain(name)
        short = name if len(name) <= 60 else f"…{name[-59:]}"
        self._tasks[document_id] = self._progress.add_task(
            "", total=10, name=short, status="UPLOADING"
        )

    def skip(self, document_id: str, name: str) -> None:
        """Prints that a file was not sent: the document was made of it."""
        self._skipped.add(document_id)
        print_unchanged(name)

    def move_bar(self, record: Json) -> None:
        task = self._tasks.get(record["id"])
        if task is None:
            return
        status = record["status"]
        parts = record["parts"]
        within = 5 * parts["done"] / parts["of"] if status == "INDEXING" and parts["of"] else 0
        self._progress.update(task, completed=STATUS_PROGRESS[status] + within, status=status)

    def note(self, record: Json) -> None:
        """Moves the bar of a file that has changed. Its last change ends the bar."""
        if record["id"] in self._skipped:
            return
        if record["status"] in TERMINAL:
            self.end(record)
        else:
            self.move_bar(record)

    def end(self, record: Json) -> None:
        """Replaces the bar of an ended file by a line."""
        if (task := self._tasks.pop(record["id"], None)) is not None:
            self._progress.remove_task(task)
        err.print(document_line(record))


class AddTotals:
    """Shows progress as counts instead of names. Callers use it like `AddProgress`."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._uploaded = 0
        self._skipped: set[str] = set()
        self._last: dict[str, str] = {}  # document id → its last status
        self._counts: Counter[str] = Counter()  # status → number of documents
        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=err,
            transient=True,
        )
        self._task = self._progress.add_task(self.describe(), total=2 * files)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        err.print(self.describe())

    def begin(self, document_id: str, name: str) -> None:  # noqa: ARG002 - as AddProgress
        """Counts an uploaded file."""
        self._uploaded += 1
        self._show()

    def skip(self, document_id: str, name: str) -> None:  # noqa: ARG002 - as AddProgress
        """Counts a file that was not sent: the document was made of it."""
        self._skipped.add(document_id)
        self._show()

    def note(self, record: Json) -> None:
        """Counts a document's change of status. Prints a line if it has ended but is not READY."""
        if record["id"] in self._skipped:
            return
        status, before = record["status"], self._last.get(record["id"])
        if status in TERMINAL and status not in {before, "READY"}:
            err.print(document_line(record))
        self._last[record["id"]] = status
        self._counts[status] += 1
        if before:
            self._counts[before] -= 1
        self._show()

    def describe(self) -> str:
        """Describes progress: `50 files: 49 uploaded, 1 unchanged, 12 ready, 37 at work`."""
        counts = self._counts
        parts = [
            f"{counts[status]} {word}" for status, word in STATUS_WORDS.items() if counts[status]
        ]
        if at_work := counts.total() - self._ended():
            parts.append(f"{at_work} at work")
        if self._skipped:
            parts.insert(0, f"{len(self._skipped)} unchanged")
        return ", ".join([f"{self._files} files: {self._uploaded} uploaded", *parts])

    def _ended(self) -> int:
        return sum(self._counts[status] for status in STATUS_WORDS)

    def _show(self) -> None:
        done = self._uploaded + self._ended() + 2 * len(self._skipped)
        self._progress.update(self._task, completed=done, description=self.describe())
