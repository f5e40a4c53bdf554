"""Reads what a citation points at in the file itself, by no code of footnote.

PDF pages by pymupdf, slides by python-pptx, sheets by openpyxl, DOCX by python-docx, HTML and mails
by the standard library; any other file is its own text. Text is compared by its letters and digits,
as spaces, ligatures and hyphens differ from one reader to another.
"""

import email
import email.policy
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cached_property
from html.parser import HTMLParser
from io import BytesIO
from typing import Literal

import docx
import openpyxl
import pptx
import pymupdf
from pptx.shapes.autoshape import Shape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide

from evals.metrics import Span
from footnote.wire import Json

type Resolved = Literal["verbatim", "words", "unread", "no"]
"""How a quote stands in the original: letter by letter, word by word in another order, on a page
that has no text of its own (a scan), or not."""


def letters(text: str) -> str:
    """Returns the letters and digits of a text, in one form."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


class Original:
    """One file. Its text is read by pages where it has some."""

    def __init__(self, name: str, body: bytes) -> None:
        self._kind = name.rpartition(".")[2].casefold()
        self._body = body

    @cached_property
    def pages(self) -> dict[int, str]:
        """The text of each page, slide or sheet; the text of other files is page 0."""
        match self._kind:
            case "pdf":
                with pymupdf.open(stream=self._body) as file:  # type: ignore[no-untyped-call]
                    return {n: str(page.get_text()) for n, page in enumerate(file, 1)}
            case "pptx":
                slides = pptx.Presentation(BytesIO(self._body)).slides
                return {n: "\n".join(_slide(slide)) for n, slide in enumerate(slides, 1)}
            case "xlsx":
                return dict(enumerate(_sheets(self._body), 1))
            case _:
                return {0: self._text()}

    def _text(self) -> str:
        match self._kind:
            case "docx":
                return "\n".join(_words(self._body))
            case "html":
                return _shown(self._body.decode(errors="replace"))
            case "eml":
                return "\n".join(_mail(self._body))
            case _:
                return self._body.decode(errors="replace")

    @cached_property
    def _flat(self) -> dict[int, str]:
        return {n: letters(text) for n, text in self.pages.items()}

    def resolve(self, citation: Json) -> Resolved:
        """Tells how the citation's quote stands on the pages that it names."""
        asked = citation["pages"] or [0]
        if any(page not in self.pages for page in asked):
            return "no"
        flat = "".join(self._flat[page] for page in asked)
        quote = letters(citation["quote"])
        if quote and quote in flat:
            return "verbatim"
        if not flat:
            return "unread"
        there = set(_tokens(" ".join(self.pages[page] for page in asked)))
        return "words" if quote and set(_tokens(citation["quote"])) <= there else "no"

    @cached_property
    def _places(self) -> tuple[str, list[int]]:
        """The letters of a text file, and where each stands in it."""
        text, flat, at = self.pages[0], [], []
        for offset, char in enumerate(text):
            for letter in letters(char):
                flat.append(letter)
                at.append(offset)
        return "".join(flat), at

    def spans_of(self, quote: str) -> list[Span]:
        """Returns all places of a quote in a text file."""
        flat, at = self._places
        wanted, found = letters(quote), []
        start = flat.find(wanted) if wanted else -1
        while start >= 0:
            found.append((at[start], at[start + len(wanted) - 1] + 1))
            start = flat.find(wanted, start + 1)
        return found


class Originals:
    """The files of an eval, by name, each read once."""

    def __init__(self, bodies: Mapping[str, bytes]) -> None:
        self._files = {name: Original(name, body) for name, body in bodies.items()}

    def __getitem__(self, name: str) -> Original:
        return self._files[name]

    def __contains__(self, name: str) -> bool:
        return name in self._files


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def _slide(slide: Slide) -> list[str]:
    found = []
    for shape in slide.shapes:
        if isinstance(shape, Shape):
            found.append(shape.text_frame.text)
        elif isinstance(shape, GraphicFrame) and shape.has_table:
            found += [cell.text for row in shape.table.rows for cell in row.cells]
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame):
        found.append(notes.text)
    return found


def _sheets(body: bytes) -> list[str]:
    book = openpyxl.load_workbook(BytesIO(body), data_only=True)
    return [
        "\n".join(
            " ".join(str(value) for value in row if value is not None)
            for row in sheet.iter_rows(values_only=True)
        )
        for sheet in book.worksheets
    ]


def _words(body: bytes) -> list[str]:
    file = docx.Document(BytesIO(body))
    tables = [cell.text for t in file.tables for row in t.rows for cell in row.cells]
    return [paragraph.text for paragraph in file.paragraphs] + tables


def _mail(body: bytes) -> Iterator[str]:
    """Yields the headers and the texts of a mail, as they are read and not as they are sent."""
    message = email.message_from_bytes(body, policy=email.policy.default)
    yield from (f"{name}: {value}" for name, value in message.items())
    for part in message.walk():
        if part.get_content_maintype() == "text":
            text = str(part.get_content())
            yield _shown(text) if part.get_content_subtype() == "html" else text


def _shown(markup: str) -> str:
    reader = _Text()
    reader.feed(markup)
    return " ".join(reader.found)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)
