"""The limits for files inside a file, and the type of every parser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.ingest.parse.refusals import too_large
from footnote.model import ParsedDocument

MAX_FILES = 500
MAX_OCR_PAGES = 150
MAX_BYTES = 200 << 20
MAX_DEPTH = 2  # an attachment of a message in an archive is read, but no file inside it


class Allowance:
    """Limits all files inside one file together, at any depth.

    The OCR `engines` read their pictures: at most `ocr_pages` pages of one file in one invocation.
    """

    def __init__(
        self,
        files: int = MAX_FILES,
        size: int = MAX_BYTES,
        engines: OcrEngines | None = None,
        ocr_pages: int = MAX_OCR_PAGES,
    ) -> None:
        self.engines = engines or OcrEngines()
        self.ocr_pages = ocr_pages
        self._files = files
        self._bytes = size
        self._depth = 0

    @contextmanager
    def reserve(self, size: int, name: str) -> Iterator[None]:
        """Counts a nested file of `size` bytes against the limits while it is read.

        Raises BadDocumentError where a limit is reached.
        """
        if self._depth == MAX_DEPTH:
            raise too_large(name, f"it lies in files in files, and {MAX_DEPTH} deep is the limit")
        if not self._files:
            raise too_large(name, "too many files came before it")
        if size > self._bytes:
            raise too_large(name, "the files before it took the room that there is")
        self._files -= 1
        self._bytes -= size
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def read(self, body: bytes, name: str, parse: "Parser") -> ParsedDocument:
        """Reads a nested file with `parse`, after `reserve`."""
        return parse(body, name, self)


type Parser = Callable[[bytes, str, Allowance], ParsedDocument]
