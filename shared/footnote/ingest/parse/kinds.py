"""What every parser takes and makes, and the errors they share."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from footnote.errors import BadDocumentError, UnsupportedError
from footnote.ingest.parse.sight import Sight
from footnote.model import Document


class WordBox(NamedTuple):
    """A word on a page, in points from its top left corner, and its span in `Document.text`."""

    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    end: int


class Parsed(NamedTuple):
    """A document and, for formats with a layout, the word boxes of its pages by page number."""

    document: Document
    words: Mapping[int, list[WordBox]]


FORMATS = (
    "PDF, DOCX, PPTX, XLSX, XLS, ODT, ODS, ODP, EPUB, RTF, HTML, Markdown, text, CSV, TSV, JSON, "
    "XML, e-mail (EML, MBOX, MSG), images and ZIP of these"
)

MAX_FILES = 500
MAX_OCR_PAGES = 150
MAX_BYTES = 200 << 20
MAX_DEPTH = 2  # an attachment of a message in an archive is read, a file in that one is not


class Room:
    """What the files inside a file may take, all of them together, however deep they lie; and who
    reads the pictures in them, `ocr_pages` at most of one file in one invocation.
    """

    def __init__(
        self,
        files: int = MAX_FILES,
        size: int = MAX_BYTES,
        sight: Sight | None = None,
        ocr_pages: int = MAX_OCR_PAGES,
    ) -> None:
        self.sight = sight or Sight()
        self.ocr_pages = ocr_pages
        self._files = files
        self._bytes = size
        self._depth = 0

    @contextmanager
    def entered(self, size: int, name: str) -> Iterator[None]:
        """While a file inside is read. Raises BadDocumentError where there is no room for it."""
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


type Parser = Callable[[bytes, str, Room], Parsed]


def corrupt(name: str, why: str) -> BadDocumentError:
    return BadDocumentError(
        f"{name} is damaged: {why}.",
        code="corrupt",
        action="Open it in its own application, save it again and upload the copy.",
    )


def encrypted(name: str) -> BadDocumentError:
    return BadDocumentError(
        f"{name} is protected by a password.",
        code="encrypted",
        action="Save a copy without the password and upload that.",
    )


def too_large(name: str, why: str) -> BadDocumentError:
    return BadDocumentError(
        f"{name} is too large to read: {why}.",
        code="too_large",
        action="Split it into smaller files and upload those.",
    )


def no_text(name: str, what: str, action: str) -> BadDocumentError:
    return BadDocumentError(f"{name}: {what}", code="no_text", action=action)


def unsupported(name: str, what: str, action: str = "") -> UnsupportedError:
    return UnsupportedError(
        f"{name} is {what}; footnote reads {FORMATS}.",
        action=action or "Convert it to one of these, for example PDF, and upload that.",
    )


@contextmanager
def reading(name: str, errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """A library's border: its `errors` become "corrupt", and its words are not passed on."""
    try:
        yield
    except errors as error:
        raise corrupt(name, f"it could not be read ({type(error).__name__})") from error
