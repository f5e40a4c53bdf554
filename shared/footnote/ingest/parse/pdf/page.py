"""Reads one page with PyMuPDF: fragments of words with their font, hidden text left out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pymupdf

from footnote.ingest.parse.characters import clean
from footnote.ingest.parse.pdf.marks import Fragment, Word

# ligatures come expanded, images stay behind, letters outside the page too
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_IMAGE_FILTERS = ("JBIG2Decode", "JPXDecode", "CCITTFaxDecode", "DCTDecode")
_WHITE = 0xFFFFFF
_TINY = 1.0  # points: nobody can read it
_LEADER = re.compile(r"[.\u00b7\u2026_]{4,}|[\u2026_]{2,}")  # dots between an entry and its page
_DOT = frozenset({".", "\u00b7", "\u2026"})


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


def fragments(page: Any) -> tuple[list[Fragment], bool]:
    """The page's fragments in the file's order, and whether hidden text was left out."""
    text_page = page.get_textpage(flags=_FLAGS)
    lines = _styles(text_page.extractDICT())
    found: list[Fragment] = []
    hidden: list[Fragment] = []
    drawn: set[tuple[int, int, str]] = set()
    for key, group in groupby(text_page.extractWORDS(), key=lambda word: (word[5], word[6])):
        words = tuple(_words(group, drawn))
        style = lines.get(key)
        if words and style is not None:
            (hidden if style.hidden else found).append(_fragment(words, style))
    covered = _on_dark(page, hidden) if hidden else []
    return found + covered, len(covered) < len(hidden)


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
