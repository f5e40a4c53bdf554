"""What is read off a PDF page on the way to text: words, fragments, rows and sheets."""

from typing import Literal, NamedTuple

from footnote.model import CELL, HowRead

type Turn = Literal[0, 90, 180, 270]


class Word(NamedTuple):
    """A word and its box.

    `confidence` is that of the OCR engine that read it. `other` is the figure that stands there in
    the page's rejected text layer, where it differs.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    confidence: float | None = None
    other: str = ""


class Fragment(NamedTuple):
    """Words that the file writes in one go: a line of a paragraph, or a cell of a table."""

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
"""Those of a row, from left to right. A cell of several lines has them one after the other."""


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
    """A page: its size and its rows in reading order, in the frame that it is read in.

    `turn`: how far clockwise that frame is turned to be shown, after `mirrored` is undone.
    `label`: the page's number as it is printed ("iv"), where the file gives one. `read`: whether
    OCR read it.
    """

    number: int
    width: float
    height: float
    rows: tuple[Row, ...]
    turn: Turn = 0
    mirrored: bool = False
    label: str = ""
    read: HowRead = "text"


def span(cell: tuple[Fragment, ...]) -> tuple[float, float]:
    """Returns where a cell begins and ends; it may have several lines."""
    if len(cell) == 1:
        return cell[0].x0, cell[0].x1
    return min(one.x0 for one in cell), max(one.x1 for one in cell)


def cell_text(cell: tuple[Fragment, ...]) -> str:
    return cell[0].text if len(cell) == 1 else " ".join([fragment.text for fragment in cell])
