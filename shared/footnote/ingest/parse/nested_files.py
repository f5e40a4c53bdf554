"""Reads files inside files: attachments, and members of archives.

Each is parsed as if it had come alone. It becomes a section of the outer document, with its name.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from footnote.errors import BadDocumentError, UnsupportedError
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder

_LONGEST_NAME = 120
_LONGEST_WARNING = 250


class NestedFiles:
    """Reads the files in one file. Counts them and stores the refusals.

    `keeps_pages` is False where the outer file has pages of its own.
    """

    def __init__(
        self, builder: DocumentBuilder, allowance: Allowance, *, keeps_pages: bool = True
    ) -> None:
        self._builder = builder
        self._keeps_pages = keeps_pages
        self._allowance = allowance
        self.read = 0
        self.refusals: list[BadDocumentError] = []

    def add(self, body: bytes, path: str, level: int = 1) -> None:
        """Adds the file at `path` as a section. One that cannot be read becomes a warning."""
        with self.skip_refused():
            with self._allowance.reserve(len(body), shorten(path)):
                parsed = self._allowance.read(body, shorten(path), parse)
            self._builder.heading(shorten(path), level)
            if self._keeps_pages:
                self._builder.embed_file(parsed, level, shorten(path))
            else:
                self._builder.embed(parsed.document, level, shorten(path))
            self.read += 1

    def insert(self, body: bytes, name: str) -> None:
        """Adds a file's text in this place, as a part of the outer document."""
        with self.skip_refused():
            with self._allowance.reserve(len(body), shorten(name)):
                parsed = self._allowance.read(body, shorten(name), parse)
            self._builder.embed(parsed.document, 0)
            self.read += 1

    @contextmanager
    def skip_refused(self) -> Iterator[None]:
        """Turns a refusal in the `with` block into a warning."""
        try:
            yield
        except BadDocumentError as refused:
            self.refusals.append(refused)
            what = refused.message.partition("; footnote reads")[0].rstrip(".")
            self._builder.warnings.append(f"Left out: {what[:_LONGEST_WARNING]}.")

    @property
    def has_only_unsupported(self) -> bool:
        """Tells whether no file could be read, and each was refused for its format."""
        kinds = [isinstance(refused, UnsupportedError) for refused in self.refusals]
        return not self.read and bool(kinds) and all(kinds)


def shorten(path: str) -> str:
    """Shortens a path for headings and messages. The result never opens a file."""
    return path if len(path) <= _LONGEST_NAME else f"…{path[-_LONGEST_NAME:]}"
