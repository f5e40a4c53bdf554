"""Reads the pages of a PDF one by one: by text layer, or by OCR where that is missing or junk."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import pymupdf

from footnote.ingest.parse.ocr.legibility import count_letters, is_garbled
from footnote.ingest.parse.pdf import (
    annotations,
    ocr,
    orientation,
    other_figures,
    page,
    page_bounds,
    reading_order,
    ruled,
)
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.page_items import Fragment, Sheet
from footnote.ingest.parse.pdf.page_labels import label
from footnote.ingest.parse.pdf.page_list import name_pages

PDF_ERRORS: tuple[type[Exception], ...] = (
    pymupdf.FileDataError,
    pymupdf.EmptyFileError,
    pymupdf.mupdf.FzErrorBase,
    RuntimeError,  # PyMuPDF's own: "document closed", "cycle in resources"
    ValueError,  # "page not in document"
    IndexError,
    KeyError,  # a dictionary lacks a required entry
    TypeError,  # a value of another type than the standard says, deep in PyMuPDF
    AttributeError,  # the same
    AssertionError,
    OverflowError,
)
_FEW = 200  # letters: fewer are a stamp or a page number on a scan
# If OCR reads no better than the layer on so many pages, the layer is taken as it is: it is in a
# language that footnote does not know.
_MAX_VAIN = 3

type Outcome = Literal[
    "text", "ocr", "empty", "oversized", "skipped", "garbled", "damaged", "stopped"
]
_NOTES: dict[Outcome, str] = {
    "ocr": "text that was read by OCR: check what matters on the page itself.",
    "empty": "no text: blank or an image.",
    "oversized": "no text but images too large for OCR: scan with fewer dots per inch.",
    "skipped": "no text layer and will not be read, as OCR reads only so much of one file:"
    " split it to have all of it.",
    "garbled": "a text layer that may not say what the page shows.",
    "damaged": "damage and could not be read.",
    "stopped": "more in it than there is time or memory for, and was left out.",
}
_FOREIGN = "text in a language that OCR does not read: letters may be wrong or missing."


class PageResult(NamedTuple):
    """A page as it was read, and the outcome of reading it."""

    sheet: Sheet
    outcome: Outcome
    has_hidden: bool = False
    is_foreign: bool = False  # OCR read it and does not know its language
    has_more_notes: bool = False


class Reader:
    """Reads the pages of one document, with OCR as far as its limits go."""

    def __init__(self, reader: Ocr) -> None:
        self._ocr = reader
        self._vain = 0
        self._text: Sequence[Fragment] = ()  # of the last page whose layer was taken

    def read(self, file: Any, number: int) -> PageResult:
        try:
            leaf = file[number - 1]
            if page_bounds.is_bomb(leaf):
                return unread_page(number, "damaged")
            if page_bounds.is_endless(leaf):
                return unread_page(number, "stopped")
            layer = page.read_layer(leaf)
            fragments, outcome = self._best(leaf, layer)
            if outcome == "text":
                self._text = fragments
            blank = Sheet(number, layer.width, layer.height, ())
            blank = blank._replace(turn=orientation.turn_back(layer.turn, leaf.rotation))
            if outcome == "ocr":  # OCR sees the page as it is shown
                fragments = other_figures.mark(fragments, layer, blank)
                blank = Sheet(number, leaf.rect.width, leaf.rect.height, (), read="ocr")
            sheet, fragments = orientation.mirror_if_rtl(blank, fragments)
            is_vertical = layer.is_vertical and outcome != "ocr"
            is_as_it_lies = outcome == "text" and not layer.turn
            bands = ruled.bands(ruled.drawings(leaf)) if is_as_it_lies else []
            if sheet.mirrored:
                bands = ruled.mirror(bands, sheet.width)
            fragments, whole = ruled.join_rows(fragments, bands)
            rows = tuple(reading_order.rows(fragments, whole, is_vertical=is_vertical))
            remarks, has_more = _remarks(leaf, set(_words(fragments)))
            sheet = sheet._replace(rows=rows, label=_label(file, number), notes=remarks)
            foreign = outcome == "ocr" and self._ocr.is_foreign
            return PageResult(sheet, outcome, layer.has_hidden, foreign, has_more)
        except PDF_ERRORS:
            return unread_page(number, "damaged")

    def _best(self, leaf: Any, layer: page.Layer) -> tuple[list[Fragment], Outcome]:
        """Returns the text layer, or OCR's fragments where they are better, and the outcome."""
        garbled = layer.is_garbled and self._vain < _MAX_VAIN
        of_layer: Outcome = "text" if layer.fragments else "empty"
        if not garbled and _letters(layer.fragments) >= _FEW:
            return layer.fragments, of_layer
        if not garbled and layer.fragments and not page.is_mostly_image(leaf):
            return layer.fragments, of_layer
        by_ocr, why = self._seen(leaf)
        if _is_better(by_ocr, layer.fragments, garbled=garbled):
            return by_ocr, "ocr"
        self._vain += garbled and why is None
        if of_layer == "empty" and why:
            return [], why
        return layer.fragments, "garbled" if garbled and why else of_layer

    def _seen(self, leaf: Any) -> tuple[list[Fragment], Outcome | None]:
        """Returns OCR's fragments, or the reason why it did not read."""
        if not self._ocr.is_available:
            return [], "empty"
        if self._ocr.is_used_up:
            return [], "skipped"
        picture = ocr.draw_page(leaf)
        if picture is None:
            return [], "oversized"
        self._ocr.expect(_words(self._text))
        return self._ocr.read(picture), None


def _is_better(by_ocr: Sequence[Fragment], layer: Sequence[Fragment], *, garbled: bool) -> bool:
    if garbled:
        return bool(by_ocr) and not is_garbled(_words(by_ocr))
    return _letters(by_ocr) > 2 * _letters(layer)


def notes(results: Sequence[PageResult]) -> list[str]:
    """Returns warnings that name the pages of each outcome except plain text."""
    warnings = []
    for outcome, note in _NOTES.items():
        numbers = [result.sheet.number for result in results if result.outcome == outcome]
        warnings += [f"{name_pages(numbers)} {note}"] if numbers else []
    if foreign := [result.sheet.number for result in results if result.is_foreign]:
        warnings.append(f"{name_pages(foreign)} {_FOREIGN}")
    if hidden := [result.sheet.number for result in results if result.has_hidden]:
        warnings.append(f"{name_pages(hidden)} hidden text, which is left out.")
    if rich := [result.sheet.number for result in results if result.has_more_notes]:
        warnings.append(f"{name_pages(rich)} more comments or form fields than are read.")
    return warnings


def _remarks(leaf: Any, words: set[str]) -> tuple[tuple[str, ...], bool]:
    """Returns the notes of a page, and whether there are more. A broken one does not stop it."""
    try:
        return annotations.read(leaf, words)
    except PDF_ERRORS:
        return (), True


def _label(file: Any, number: int) -> str:
    """Returns the page's printed label. A file with broken labels has none."""
    try:
        return label(file, number)
    except PDF_ERRORS:
        return ""


def unread_page(number: int, outcome: Outcome) -> PageResult:
    """Returns the empty result of a page that was not read."""
    return PageResult(Sheet(number, 0.0, 0.0, ()), outcome)


def _words(fragments: Sequence[Fragment]) -> list[str]:
    return [word.text for fragment in fragments for word in fragment.words]


def _letters(fragments: Sequence[Fragment]) -> int:
    return count_letters(_words(fragments))
