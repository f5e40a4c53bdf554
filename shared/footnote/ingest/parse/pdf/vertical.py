"""Vertical writing on PDF pages: columns of upright characters, read downwards.

A file writes a column as lines of vertical type, often one per character. Or it places upright
characters of horizontal type one below the other, as browsers do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from footnote.ingest.parse.pdf.page_items import Fragment, Word
from footnote.ingest.parse.pdf.scripts import are_unspaced

type Line = dict[str, Any]  # a line of PyMuPDF's `extractDICT`

COLUMN = "column"  # the key of the column's number in a line
_FEWEST = 3  # the least characters of horizontal type in a column
_SHORT = 4  # characters: "12" may lie across a column
_ASIDE = 0.5  # of the type's size: the middles of a column's characters are no further apart
# Of the usual distance. Rows of a table are further apart than the characters of a column.
_CLOSEST, _WIDEST, _WIDEST_VERTICAL = 0.6, 1.3, 2.0


def mark_columns(content: Mapping[str, Any]) -> bool:
    """Marks the lines of columns with the column's number and direction.

    Changes `content`, which comes from PyMuPDF's `extractDICT`. Returns whether there are columns.
    """
    lines = [line for block in content["blocks"] for line in block.get("lines", ())]
    number = 0
    for column in _columns(lines):
        number += 1
        for line in column:
            line["dir"], line["wmode"] = _down(column[0]), 1
            line[COLUMN] = number
    return number > 0


def _columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yields the runs of lines that stand below each other as one column, in the file's order."""
    column: list[Line] = []
    for line in lines:
        if column and _goes_on(column[-1], line):
            column.append(line)
            continue
        if _is_column(column):
            yield column
        column = [line] if line["wmode"] or _is_unspaced(_text(line)) else []
    if _is_column(column):
        yield column


def _is_column(column: Sequence[Line]) -> bool:
    if not column or all(line["wmode"] for line in column):
        return bool(column)
    unspaced = sum(_is_unspaced(_text(line)) for line in column)
    return len(column) >= _FEWEST and 3 * unspaced >= 2 * len(column)


def _goes_on(above: Line, line: Line) -> bool:
    """Tells whether a line stands right below another one, as the next character of a column."""
    across, along = _step(above, line)
    if not line["wmode"] and len(_text(line)) > _SHORT:
        return False
    if _down(line) != _down(above) or abs(across) > _ASIDE * _size(line):
        return False
    is_vertical = above["wmode"] and line["wmode"]
    usual = (_length(above) + _length(line)) / 2
    return _CLOSEST * usual < along < (_WIDEST_VERTICAL if is_vertical else _WIDEST) * usual


def _step(above: Line, line: Line) -> tuple[float, float]:
    """Returns the distance of the middles of two lines, across their column and along it."""
    x, y = _down(above)
    right, down = (
        (line["bbox"][i] + line["bbox"][i + 2] - above["bbox"][i] - above["bbox"][i + 2]) / 2
        for i in (0, 1)
    )
    return x * down - y * right, x * right + y * down


def _down(line: Line) -> tuple[int, int]:
    """Returns the direction of a line's column, along an axis of the page."""
    x, y = map(round, line["dir"])
    return (x, y) if line["wmode"] else (-y, x)


def _length(line: Line) -> float:
    """Returns a line's length along its column."""
    return _size(line) * (len(_text(line)) if line["wmode"] else 1)


def _size(line: Line) -> float:
    return float(line["spans"][0]["size"]) if line["spans"] else 0.0


def _text(line: Line) -> str:
    return "".join(span["text"] for span in line["spans"]).strip()


def _is_unspaced(text: str) -> bool:
    return len(text) == 1 and are_unspaced(text, text)


def join(above: Fragment, below: Fragment) -> Fragment:
    """Joins two pieces of a column into one fragment of one word."""
    texts = (word.text for part in (above, below) for word in part.words)
    box = (
        min(above.x0, below.x0),
        min(above.y0, below.y0),
        max(above.x1, below.x1),
        max(above.y1, below.y1),
    )
    return above._replace(
        x0=box[0], y0=box[1], x1=box[2], y1=box[3], words=(Word(*box, "".join(texts)),)
    )


def split_before(
    upright: Sequence[Fragment], turned: Sequence[Fragment]
) -> tuple[list[Fragment], list[Fragment]]:
    """Splits the text across a page of columns: the part above all columns, and the rest."""
    top = min((fragment.x0 for fragment in upright), default=0.0)
    above = [fragment for fragment in turned if fragment.x1 <= top]
    return above, [fragment for fragment in turned if fragment.x1 > top]
