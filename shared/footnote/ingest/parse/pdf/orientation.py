"""The frame in which a PDF page is read, and the way back to the page as it is shown.

A page is turned until its lines run from left to right, and mirrored where its words run from right
to left. Word boxes are moved back to the page that a reader sees.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pymupdf

from footnote.ingest.parse.pdf.page_items import Fragment, Sheet, Turn, Word
from footnote.ingest.parse.pdf.scripts import is_ltr, is_rtl, logical_order

# of a line's unit direction, along an axis: a line more askew is read without a turn
_STRAIGHT = 0.95


def turn(content: Mapping[str, Any]) -> Turn:
    """Returns the clockwise turn after which most letters of a page run to the right.

    `content` comes from PyMuPDF's `extractDICT`.
    """
    lines = [line for block in content["blocks"] for line in block.get("lines", ())]
    turns = [_turn(line["dir"]) for line in lines]
    letters = Counter(turns)
    if len(letters) > 1:  # rules and leaders have no direction
        letters = Counter(dict.fromkeys(letters, 0))
        for each, line in zip(turns, lines, strict=True):
            letters[each] += sum(sum(map(str.isalnum, span["text"])) for span in line["spans"])
    return max(letters, key=lambda each: letters[each]) if letters else 0


def _turn(direction: tuple[float, float]) -> Turn:
    x, y = direction
    if y < -_STRAIGHT:
        return 90
    if x < -_STRAIGHT:
        return 180
    return 270 if y > _STRAIGHT else 0


def turn_back(turn: Turn, rotation: int) -> Turn:
    """Returns the clockwise turn that shows a page which was turned by `turn`.

    `rotation` is the file's own, in degrees clockwise.
    """
    turns: tuple[Turn, ...] = (0, 90, 180, 270)
    return turns[(rotation - turn) // 90 % 4]


def matrix(turn: Turn, width: float, height: float) -> Any:
    """Returns a matrix that turns a page clockwise, with its new top left corner at the origin."""
    library: Any = pymupdf  # not typed
    turned = library.Matrix(turn)
    corner = library.Rect(0, 0, width, height) * turned
    return turned * library.Matrix(1, 0, 0, 1, -corner.x0, -corner.y0)


def turn_read(
    content: Mapping[str, Any], words: Iterable[Sequence[Any]], turned: Any
) -> list[Sequence[Any]]:
    """Turns the content of a page by the matrix `turned`: lines and spans in place.

    Returns the words, turned. `content` and `words` come from `extractDICT` and `extractWORDS`.
    """
    library: Any = pymupdf  # not typed
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            x, y = line["dir"]
            line["dir"] = (x * turned.a + y * turned.c, x * turned.b + y * turned.d)
            for part in (line, *line["spans"]):
                part["bbox"] = tuple(library.Rect(part["bbox"]) * turned)
            for span in line["spans"]:
                span["origin"] = tuple(library.Point(span["origin"]) * turned)
    return [(*(library.Rect(word[:4]) * turned), *word[4:]) for word in words]


def size(turn: Turn, width: float, height: float) -> tuple[float, float]:
    return (height, width) if turn in {90, 270} else (width, height)


def mirror_if_rtl(sheet: Sheet, fragments: Sequence[Fragment]) -> tuple[Sheet, list[Fragment]]:
    """Mirrors a page if most of its words are Hebrew, Arabic or the like.

    Its columns, indents and cells then have the order of other pages.
    """
    words = [word.text for fragment in fragments for word in fragment.words]
    leftward = sum(is_rtl(word) for word in words if not word.isascii())
    if not leftward or leftward <= sum(map(is_ltr, words)):
        return sheet, list(fragments)
    return sheet._replace(mirrored=True), [_mirror(part, sheet.width) for part in fragments]


def _mirror(fragment: Fragment, width: float) -> Fragment:
    words = (word._replace(x0=width - word.x1, x1=width - word.x0) for word in fragment.words)
    return fragment._replace(
        x0=width - fragment.x1, x1=width - fragment.x0, words=tuple(logical_order(words))
    )


def shown_size(sheet: Sheet) -> tuple[float, float]:
    """Returns the width and height of the page as a reader sees it."""
    return size(sheet.turn, sheet.width, sheet.height)


def to_shown(sheet: Sheet, words: Sequence[Word]) -> Sequence[Word]:
    """Moves words to their places on the page as a reader sees it."""
    if not (sheet.mirrored or sheet.turn):
        return words
    if sheet.mirrored:
        words = [w._replace(x0=sheet.width - w.x1, x1=sheet.width - w.x0) for w in words]
    return [_turn_word(word, sheet) for word in words]


def _turn_word(word: Word, sheet: Sheet) -> Word:
    x0, y0, x1, y1 = word.x0, word.y0, word.x1, word.y1
    width, height = sheet.width, sheet.height
    if sheet.turn == 90:
        return word._replace(x0=height - y1, y0=x0, x1=height - y0, y1=x1)
    if sheet.turn == 180:
        return word._replace(x0=width - x1, y0=height - y1, x1=width - x0, y1=height - y0)
    if sheet.turn == 270:
        return word._replace(x0=y0, y0=width - x1, x1=y1, y1=width - x0)
    return word
