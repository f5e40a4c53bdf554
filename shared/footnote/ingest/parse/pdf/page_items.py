"""The values between a PDF page and its text: words, fragments, rows and sheets."""

from typing import Literal, NamedTuple

from footnote.model import CELL, HowRead

type Turn = Literal[0, 90, 180, 270]


class Word(NamedTuple):
    """A word and its box.

    `confidence` is that of the OCR engine. `other` is the figure in its place in the page's
    rejected text layer, if it differs.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    confidence: float | None = None
    other: str = ""


class Fragment(NamedTuple):
    """Words that the file writes at once: a line of a paragraph, or a cell of a table."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...]
    size: float
    bold: bool
    upright: bool

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])


type Cells = tuple[tuple[Fragment, ...], ...]
"""The cells of a row, from left to right. A cell's lines follow each other."""


class Row(NamedTuple):
    """Fragments that are read as one line, in cells.

    `column` counts the areas of the page (columns, bands, turned lines) in reading order.
    """

    cells: Cells
    column: int
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool

    @property
    def text(self) -> str:
        return CELL.join([cell_text(cell) for cell in self.cells])


class Sheet(NamedTuple):
    """A page: its size and its rows in reading order, in the frame in which it is read.

    `turn` is the clockwise turn that shows this frame, after `mirrored` is undone. `label` is the
    page's printed number ("iv"), if the file gives one. `read` tells whether OCR read it. `notes`
    are paragraphs that follow the rows: comments and the states of form fields.
    """

    number: int
    width: float
    height: float
    rows: tuple[Row, ...]
    turn: Turn = 0
    mirrored: bool = False
    label: str = ""
    read: HowRead = "text"
    notes: tuple[str, ...] = ()


def span(cell: tuple[Fragment, ...]) -> tuple[float, float]:
    """Returns the left and right edge of a cell, which may have several lines."""
    if len(cell) == 1:
        return cell[0].x0, cell[0].x1
    return min(fragment.x0 for fragment in cell), max(fragment.x1 for fragment in cell)


def cell_text(cell: tuple[Fragment, ...]) -> str:
    return cell[0].text if len(cell) == 1 else " ".join([fragment.text for fragment in cell])
