"""Reads one page with PyMuPDF: fragments of words with their font, hidden text left out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pymupdf

from footnote.ingest.parse.characters import clean
from footnote.ingest.parse.legibility import is_garbled
from footnote.ingest.parse.pdf.marks import Fragment, Word
from footnote.model import SeenLine

# ligatures come expanded, images stay behind, letters outside the page too
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_IMAGE_FILTERS = ("JBIG2Decode", "JPXDecode", "CCITTFaxDecode", "DCTDecode")
_WHITE = 0xFFFFFF
_TINY = 1.0  # points: nobody can read it
_MOSTLY = 0.5  # of the page is covered by images: its words may be in them
_LEADER = re.compile(r"[.\u00b7\u2026_]{4,}|[\u2026_]{2,}")  # dots between an entry and its page
_DOT = frozenset({".", "\u00b7", "\u2026"})


class Layer(NamedTuple):
    """A page's text layer: what can be seen of it, whether more is hidden, whether it is text."""

    fragments: list[Fragment]
    has_hidden: bool
    is_garbled: bool


class _Style(NamedTuple):
    size: float
    bold: bool
    upright: bool
    hidden: bool


def is_bomb(page: Any) -> bool:
    """Whether an image's filter stands where text should: it can unpack to gigabytes."""
    file = page.parent
    filters = (file.xref_get_key(xref, "Filter")[1] for xref in page.get_contents())
    return any(name in found for found in filters for name in _IMAGE_FILTERS)


def layer(page: Any) -> Layer:
    """The page's fragments in the file's order, hidden ones left out."""
    text_page = page.get_textpage(flags=FLAGS)
    words = text_page.extractWORDS()
    found, hidden = _fragments(text_page, words)
    covered = _on_dark(page, hidden) if hidden else []
    garbled = is_garbled([word[4] for word in words])
    return Layer(found + covered, len(covered) < len(hidden), garbled)


def visible(text_page: Any) -> list[Fragment]:
    return _fragments(text_page, text_page.extractWORDS())[0]


def seen(lines: Iterable[SeenLine]) -> list[Fragment]:
    """What OCR read, as if it had stood in the file."""
    drawn: set[tuple[int, int, str]] = set()
    found = []
    for line in lines:
        boxes = ((word.x0, word.y0, word.x1, word.y1, word.text) for word in line.words)
        if words := tuple(_words(boxes, drawn)):
            found.append(
                Fragment(
                    min(word.x0 for word in words),
                    min(word.y0 for word in words),
                    max(word.x1 for word in words),
                    max(word.y1 for word in words),
                    words,
                    line.size,
                    bold=False,
                    upright=line.upright,
                )
            )
    return found


def _fragments(
    text_page: Any, words: Iterable[Sequence[Any]]
) -> tuple[list[Fragment], list[Fragment]]:
    """Those that can be seen, and those that cannot unless something dark lies under them."""
    lines = _styles(text_page.extractDICT())
    found: list[Fragment] = []
    hidden: list[Fragment] = []
    drawn: set[tuple[int, int, str]] = set()
    for key, group in groupby(words, key=lambda word: (word[5], word[6])):
        clean_words = tuple(_words(group, drawn))
        style = lines.get(key)
        if clean_words and style is not None:
            (hidden if style.hidden else found).append(_fragment(clean_words, style))
    return found, hidden


def is_mostly_image(page: Any) -> bool:
    whole = page.rect
    covered = 0.0
    for kind, (x0, y0, x1, y1) in page.get_bboxlog():
        if "image" in kind:
            width = min(x1, whole.x1) - max(x0, whole.x0)
            covered += max(width, 0.0) * max(min(y1, whole.y1) - max(y0, whole.y0), 0.0)
    return covered >= _MOSTLY * float(whole.width * whole.height)


def _words(group: Iterable[Sequence[Any]], drawn: set[tuple[int, int, str]]) -> list[Word]:
    """Clean words; one drawn twice (a way to make it bold) counts once, leaders do not."""
    words: list[Word] = []
    dots = 0
    for x0, y0, x1, y1, text, *_ in group:
        cleaned = text if text.isascii() and text.isprintable() else "".join(clean(text).split())
        place = (round(x0), round(y0), cleaned)
        dots = dots + 1 if cleaned in _DOT else 0
        if not cleaned or place in drawn or dots > 2 or _LEADER.fullmatch(cleaned):
            continue
        drawn.add(place)
        words.append(Word(x0, y0, x1, y1, cleaned))
    return words


def _fragment(words: tuple[Word, ...], style: _Style) -> Fragment:
    return Fragment(
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        words,
        style.size,
        style.bold,
        style.upright,
    )


def _styles(content: Mapping[str, Any]) -> dict[tuple[int, int], _Style]:
    """(block, line) → how it is set: the size and weight of most of its letters."""
    return {
        (number, i): _style(line)
        for number, block in enumerate(content["blocks"])
        for i, line in enumerate(block.get("lines", ()))
    }


def _style(line: Mapping[str, Any]) -> _Style:
    sizes: dict[float, int] = {}
    bold = seen = letters = 0
    for span in line["spans"]:
        length = len(span["text"].strip())
        letters += length
        sizes[round(span["size"] * 2) / 2] = sizes.get(round(span["size"] * 2) / 2, 0) + length
        is_bold = span["flags"] & pymupdf.TEXT_FONT_BOLD or _sounds_bold(span["font"])
        bold += length if is_bold else 0
        seen += length if span["color"] != _WHITE and span["size"] > _TINY else 0
    size = max(sizes, key=lambda size: sizes[size])
    return _Style(size, bold > 0.9 * letters, line["dir"][0] > 0.95, letters > 0 and not seen)


def _sounds_bold(font: str) -> bool:
    name = font.casefold()
    return "bold" in name or "black" in name or "heavy" in name


def _on_dark(page: Any, white: Iterable[Fragment]) -> list[Fragment]:
    """White fragments that can be read because something darker is drawn under them."""
    fills = [
        drawing["rect"]
        for drawing in page.get_cdrawings()
        if drawing.get("fill") and min(drawing["fill"]) < 0.95
    ]
    readable = [fragment for fragment in white if fragment.size > _TINY]
    shown = [f for f in readable if any(_covers(area, f) for area in fills)]
    if len(shown) == len(readable):
        return shown
    images = [image["bbox"] for image in page.get_image_info()]  # slow: it looks into each
    return [f for f in readable if any(_covers(area, f) for area in (*fills, *images))]


def _covers(area: Sequence[float], fragment: Fragment) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]
