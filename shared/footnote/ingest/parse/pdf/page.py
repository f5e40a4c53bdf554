"""Reads one PDF page with PyMuPDF: fragments of words with their type, without hidden text."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, Literal, NamedTuple

import pymupdf

from footnote.ingest.parse.characters import clean, unshape
from footnote.ingest.parse.ocr.legibility import is_garbled
from footnote.ingest.parse.pdf import leaders, orientation, scripts, vertical
from footnote.ingest.parse.pdf.page_items import Fragment, Turn, Word
from footnote.ingest.parse.pdf.superscripts import split_marks
from footnote.model import OcrLine

# expands ligatures; leaves out images and letters outside the page
TEXT_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_TURNED_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE
)  # not clipped: the page's box is not turned with the rest
# With a clip `extractDICT` leaves out lines of type without widths, such as vertical type. Its
# numbers of lines then differ from those of `extractWORDS`.
NO_CLIP = (-0x80000000, -0x80000000, 0x7FFFFF80, 0x7FFFFF80)  # MuPDF's infinite rectangle
_LIGHTEST = 0xF4  # of 255, in each colour: lighter type looks white
_DRAWN = pymupdf.mupdf.FZ_STEXT_FILLED | pymupdf.mupdf.FZ_STEXT_STROKED
_TINY = 1.0  # points: too small to read
_MOSTLY = 0.5  # of the page: where images cover more, its words may be in them


_DINGBATS = "ZapfDingbats"
_SIGNS = str.maketrans("345678lnuH", "✓✔✕✖✗✘●■◆★")
"""The signs of the font that marks boxes of forms. Its letters mean nothing else."""

type Visibility = Literal["plain", "light", "invisible"]


class Layer(NamedTuple):
    """A page's text layer: its visible fragments, and whether it has hidden text or is garbled.

    `turn` is the clockwise turn of the file's page before reading; `width` and `height` are those
    after the turn. `is_vertical`: its lines are columns that run downwards on the file's page.
    """

    fragments: list[Fragment]
    has_hidden: bool
    is_garbled: bool
    turn: Turn
    width: float
    height: float
    is_vertical: bool = False


class _Style(NamedTuple):
    size: float
    bold: bool
    upright: bool
    visibility: Visibility


def read_layer(page: Any) -> Layer:
    """Reads the text layer of a page: fragments in the file's order, without hidden ones."""
    box = page.cropbox
    text_page = page.get_textpage(clip=NO_CLIP, flags=TEXT_FLAGS)
    content = text_page.extractDICT()
    has_columns = vertical.mark_columns(content)
    turn = orientation.turn(content)
    width, height = orientation.size(turn, box.width, box.height)
    is_vertical = has_columns and turn == 270
    words = text_page.extractWORDS()
    if turn:
        turned = orientation.matrix(turn, box.width, box.height)
        if is_vertical:  # reading anew would lose columns of type without widths
            words = orientation.turn_read(content, words, turned)
        else:
            text_page = page.get_textpage(clip=NO_CLIP, flags=_TURNED_FLAGS, matrix=turned)
            content, words = text_page.extractDICT(), text_page.extractWORDS()
            vertical.mark_columns(content)
            words = [word for word in words if _is_inside(word, width, height)]
    plain, light, invisible = _fragments(content, words)
    visible = _on_dark(page, turn, light) if light else []
    # invisible text under a scan is OCR's reading of it
    visible += invisible if invisible and is_mostly_image(page) else []
    garbled = is_garbled([word[4] for word in words])
    has_hidden = len(visible) < len(light) + len(invisible) or _has_undrawn(content)
    return Layer(plain + visible, has_hidden, garbled, turn, width, height, is_vertical)


def to_fragments(lines: Iterable[OcrLine]) -> list[Fragment]:
    """Makes fragments of the lines that OCR read, as if they were in the file."""
    drawn: set[tuple[int, int, str]] = set()
    fragments = []
    for line in lines:
        words = (
            (word.x0, word.y0, word.x1, word.y1, word.text, word.confidence) for word in line.words
        )
        style = _Style(line.size, bold=False, upright=line.upright, visibility="plain")
        cells = leaders.split(_words(words, drawn))
        fragments += [_fragment(tuple(cell), style) for cell in cells]
    return fragments


def _fragments(
    content: Mapping[str, Any], words: Iterable[Sequence[Any]]
) -> tuple[list[Fragment], list[Fragment], list[Fragment]]:
    """Returns a page's fragments in three lists: plain, light and invisible ones.

    Light ones are visible if something dark lies under them. Invisible ones are drawn in no colour.
    """
    lines = _lines(content)
    by_visibility: dict[Visibility, list[Fragment]] = {"plain": [], "light": [], "invisible": []}
    drawn: set[tuple[int, int, str]] = set()
    column: tuple[Visibility, int] | None = None
    for key, group in groupby(words, key=lambda word: (word[5], word[6])):
        clean_words = _words((word[:5] for word in group), drawn)
        if not clean_words or key not in lines:
            continue
        line, style = lines[key]
        if all(_DINGBATS in span["font"] for span in line["spans"]):
            clean_words = [word._replace(text=word.text.translate(_SIGNS)) for word in clean_words]
        if len(line["spans"]) > 1 and style.upright and style.visibility != "invisible":
            clean_words = split_marks(clean_words, line, style.size)
        cells = leaders.split(clean_words)
        if any(scripts.is_rtl(word.text) for word in clean_words if not word.text.isascii()):
            led = [*chain(*cells)]
            cells = scripts.split_cells([_unshape(word) for word in scripts.mend_words(led)])
        if not cells:
            continue
        fragments = [_fragment(tuple(cell), style) for cell in cells]
        before, column = column, _column(line, style)
        if column and column == before:
            fragments[0] = vertical.join(by_visibility[style.visibility].pop(), fragments[0])
        by_visibility[style.visibility] += fragments
    return by_visibility["plain"], by_visibility["light"], by_visibility["invisible"]


def _column(line: Mapping[str, Any], style: _Style) -> tuple[Visibility, int] | None:
    return (style.visibility, line[vertical.COLUMN]) if vertical.COLUMN in line else None


def _unshape(word: Word) -> Word:
    """Returns the word in base letters. PyMuPDF gives the shaped ones of Arabic fonts."""
    return word._replace(text=unshape(word.text))


def _is_inside(word: Sequence[Any], width: float, height: float) -> bool:
    return bool(0 <= word[0] + word[2] <= 2 * width and 0 <= word[1] + word[3] <= 2 * height)


def is_mostly_image(page: Any) -> bool:
    whole = page.rect * page.derotation_matrix
    covered = 0.0
    for kind, (x0, y0, x1, y1) in page.get_bboxlog():
        if "image" in kind:
            width = min(x1, whole.x1) - max(x0, whole.x0)
            covered += max(width, 0.0) * max(min(y1, whole.y1) - max(y0, whole.y0), 0.0)
    return covered >= _MOSTLY * float(whole.width * whole.height)


def _words(group: Iterable[Sequence[Any]], drawn: set[tuple[int, int, str]]) -> list[Word]:
    """Returns clean words. A word drawn twice (to make it bold) counts once."""
    words: list[Word] = []
    for x0, y0, x1, y1, text, *others in group:
        cleaned = text if text.isascii() and text.isprintable() else _clean_word(text)
        place = (round(x0), round(y0), cleaned)
        if not cleaned or place in drawn:
            continue
        drawn.add(place)
        words.append(Word(x0, y0, x1, y1, cleaned, *others))
    return words


def _clean_word(text: str) -> str:
    """Removes invisible characters. A soft hyphen at a line's end becomes a hyphen."""
    is_broken = text.endswith("\u00ad")
    return "".join(clean(text).split()) + ("-" if is_broken else "")


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


def _has_undrawn(content: Mapping[str, Any]) -> bool:
    """Tells whether the file gives a picture's text (ActualText).

    Such a line has no drawn letters. The picture may show another text.
    """
    return any(not line["spans"] for block in content["blocks"] for line in block.get("lines", ()))


def _lines(content: Mapping[str, Any]) -> dict[tuple[int, int], tuple[Mapping[str, Any], _Style]]:
    """Maps (block, line) to the line and its style: that of most of its letters."""
    return {
        (number, i): (line, _style(line))
        for number, block in enumerate(content["blocks"])
        for i, line in enumerate(block.get("lines", ()))
        if line["spans"]
    }


def _style(line: Mapping[str, Any]) -> _Style:
    sizes: dict[float, int] = {}
    bold = visible = drawn = letters = 0
    for span in line["spans"]:
        length = len(span["text"].strip())
        letters += length
        sizes[round(span["size"] * 2) / 2] = sizes.get(round(span["size"] * 2) / 2, 0) + length
        is_bold = span["flags"] & pymupdf.TEXT_FONT_BOLD or _sounds_bold(span["font"])
        bold += length if is_bold else 0
        is_drawn = span["char_flags"] & _DRAWN and span["alpha"]
        drawn += length if is_drawn else 0
        visible += length if not _is_light(span["color"]) and span["size"] > _TINY else 0
    size = max(sizes, key=lambda size: sizes[size])
    visibility: Visibility = "plain" if visible or not letters else "light"
    if letters and not drawn:
        visibility = "invisible"
    return _Style(size, bold > 0.9 * letters, line["dir"][0] > 0.95, visibility)


def _is_light(color: int) -> bool:
    return min(color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF) >= _LIGHTEST


def _sounds_bold(font: str) -> bool:
    name = font.casefold()
    return "bold" in name or "black" in name or "heavy" in name


def _on_dark(page: Any, turn: Turn, light: Iterable[Fragment]) -> list[Fragment]:
    """Returns the readable light fragments: those with something darker drawn under them."""
    library: Any = pymupdf  # not typed
    turned = orientation.matrix(turn, page.cropbox.width, page.cropbox.height)
    fills = [
        library.Rect(drawing["rect"]) * turned
        for drawing in page.get_cdrawings()
        if drawing.get("fill") and min(drawing["fill"]) < 0.95
    ]
    readable = [fragment for fragment in light if fragment.size > _TINY]
    visible = [f for f in readable if any(_covers(area, f) for area in fills)]
    if len(visible) == len(readable):
        return visible
    infos = page.get_image_info()  # slow: it decodes each image
    images = [library.Rect(image["bbox"]) * turned for image in infos]
    return [f for f in readable if any(_covers(area, f) for area in (*fills, *images))]


def _covers(area: Sequence[float], fragment: Fragment) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]
