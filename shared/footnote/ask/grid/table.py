"""The table of a grid: its rows as one caller sees them, their counts, and each cell in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.ask.grid.summary import NO_PASSAGE
from footnote.model import Cell, Grid, Record
from footnote.text.fates import FATES
from footnote.text.part_names import name_parts

type GridStatus = Literal["RUNNING", "STOPPED", "DONE"]

NO_ANSWER = "no answer, nearest"  # nobody claims that it is there, or that it is not
COUNTED = ("waiting", "running", "answered", "nearest", "none", "other", "failed", "stale")


class Row(NamedTuple):
    """A document of a grid, and its cell in each column. A cell that is not there yet is None."""

    record: Record
    cells: tuple[Cell | None, ...]

    def is_stale(self, cell: Cell) -> bool:
        """Tells whether the document was replaced since the cell was asked."""
        return cell.has_ended and cell.version not in {"", self.record.live_version}


def rows_of(grid: Grid, cells: Sequence[Cell], records: Sequence[Record]) -> list[Row]:
    """Returns the rows of these documents by collection and path."""
    by_place = {cell.place: cell for cell in cells}
    columns = range(len(grid.questions))
    rows = [
        Row(record, tuple(by_place.get((record.document_id, n)) for n in columns))
        for record in records
    ]
    return sorted(rows, key=lambda row: row.record.key)


def status_of(grid: Grid, rows: Sequence[Row], now: float) -> GridStatus:
    """Returns DONE once all cells have ended, else whether somebody works on the grid."""
    if all(cell is None or cell.has_ended for row in rows for cell in row.cells):
        return "DONE"
    return "RUNNING" if grid.driven > now else "STOPPED"


def count_cells(rows: Sequence[Row]) -> Mapping[str, int]:
    """Counts the cells by what became of them. A stale one counts twice: as that, too."""
    counts = Counter[str]()
    for row in rows:
        for cell in row.cells:
            if cell is not None:
                counts[_word(cell)] += 1
                counts["stale"] += row.is_stale(cell)
    return {name: counts[name] for name in COUNTED}


def _word(cell: Cell) -> str:
    if cell.status != "DONE":
        return cell.status.lower()
    words = {"answer": "answered", "nearest": "nearest", "none": "none"}
    return words.get(cell.outcome or "", "other")


def say_cell(cell: Cell | None, document: str, *, stale: bool = False) -> str:
    """Returns a cell of a document in words: what it says, its fate if not plain, its page."""
    if cell is None or not cell.has_ended:
        return ""
    if cell.error:
        return f"failed: {cell.error.code}"
    if cell.outcome == "nearest":
        words = f"{NO_ANSWER}: {cell.text}"
    elif cell.outcome == "none" or not cell.text:
        words = cell.text or NO_PASSAGE
    else:
        words = cell.text if cell.outcome else f"asked back: {cell.text}"
    return " ".join(filter(None, (words, _notes(cell, document, stale=stale))))


def say_pages(cell: Cell, document: str) -> str:
    """Returns the pages of a cell's source, "" where it has none: "pages 3, 4", "sheet 1"."""
    source = cell.source
    if source is None or not source.pages:
        return ""
    return name_parts(document, source.labels or source.pages)


def _notes(cell: Cell, document: str, *, stale: bool) -> str:
    fate = ""
    if cell.outcome == "answer" and cell.checked in {"unconfirmed", "ocr"}:
        fate = FATES[cell.checked].short
    notes = [say_pages(cell, document), fate, "an earlier version of the document" if stale else ""]
    return f"[{', '.join(filter(None, notes))}]" if any(notes) else ""
