"""Cuts a passage into what a claim may rest on: a sentence, or a row of a table with its labels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from footnote.ask.check.differences import Context
from footnote.ask.check.figures import SCALES
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.tables import cells_of, columns_of
from footnote.language import detect, sentences
from footnote.model import Passage, Table

CELL = " | "  # between the cells of a row, see Table in footnote.model
DECIMAL_COMMA = frozenset({"de", "fr", "es", "it", "pt", "nl", "da", "sv", "no", "fi", "pl", "cs"})
_SCALE = re.compile(
    r"\b(?:in|\$|us\$|\u20ac|\u00a3)\s*(?:us\s*)?(?:[$\u20ac\u00a3]|dollars|euros?|eur|usd)?\s*"
    r"(thousands?|millions?|billions?|mio|mrd|tausend|millionen|milliarden)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_RESPECTIVELY = re.compile(r",?\s+respectively\b", re.IGNORECASE)


class Row(NamedTuple):
    """A row of a table. `cells`: (label of the column, text) of each cell after the row's label.

    `scale`: by what the table multiplies its figures, as a power of ten.
    """

    label: str
    cells: tuple[tuple[str, str], ...]
    scale: int = 0


class Unit(NamedTuple):
    """A sentence or a row: its span in the document's text, its parts, what stands around it."""

    start: int
    end: int
    text: str
    parts: tuple[Part, ...]
    context: Context
    row: Row | None = None

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(part.key for part in self.parts)


def units_of(passage: Passage, tables: Sequence[Table] = ()) -> list[Unit]:
    """The units of a passage in order. `tables` of its document say what its rows' labels are."""
    comma = detect(passage.text) in DECIMAL_COMMA
    around = " ".join((passage.document, passage.title, *passage.section)).replace("_", " ")
    labels = _keys(around.replace("-", " "), comma=comma)
    everything = f"{around}\n{passage.text}".casefold()
    made: list[Unit] = []
    before: frozenset[str] = frozenset()
    headers = _headers(passage, tables)
    for start, end in sentences(passage.text):
        text = passage.text[start:end]
        place = passage.start + start, passage.start + end
        row = _row(text, headers.get(start), passage, place, tables) if CELL in text else None
        context = Context(labels, before, everything)
        if row:
            read = f"{row.label} {' '.join(f'{label} {cell}' for label, cell in row.cells)}"
            made.append(Unit(*place, text, parts_of(read, comma=comma), context, row))
            continue
        made.extend(
            Unit(*place, text, parts_of(said, comma=comma), context)
            for said in (text, *unzipped(text))
        )
        before = frozenset(
            part.key
            for part in parts_of(text, comma=comma)
            if part.kind in {"name", "period"} or part.text[:1].isupper()
        )
    return made


def _keys(text: str, *, comma: bool) -> frozenset[str]:
    return frozenset(part.key for part in parts_of(text, comma=comma))


# -- rows ------------------------------------------------------------------------------------------


def _headers(passage: Passage, tables: Sequence[Table]) -> Mapping[int, str]:
    """Start of a row in the passage → the first row of its table, where no Table tells."""
    found: dict[int, str] = {}
    header = ""
    for start, end in sentences(passage.text):
        text = passage.text[start:end]
        if CELL not in text:
            header = ""
        elif not header:
            header = text
        else:
            found[start] = header
    return {} if tables else found


def _row(
    text: str, header: str | None, passage: Passage, place: tuple[int, int], tables: Sequence[Table]
) -> Row | None:
    table = next((t for t in tables if t.start < place[1] and place[0] < t.end), None)
    cells = cells_of(text)
    labels: Sequence[str] = cells_of(header) if header else ()
    if table:
        full, labels = _of_table(table, cells)
        cells = list(full)
    elif not header:
        return None
    if not labels or len(cells) < 2:
        return None
    columns = tuple(
        (labels[n] if n < len(labels) else "", cell) for n, cell in enumerate(cells) if n and cell
    )
    return Row(
        cells[0], columns, scale_of(" ".join((text, *labels, *passage.section, passage.text)))
    )


def _of_table(table: Table, cells: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The row with all its cells, and the labels of its columns."""
    wanted = [cell for cell in cells if cell]
    rows = table.rows[table.header_rows :]
    full = next((row for row in rows if [cell for cell in row if cell] == wanted), cells)
    return full, columns_of(table)


def scale_of(text: str) -> int:
    """3, 6 or 9 where a table says "in thousands", "in millions" or "in billions"; else 0."""
    found = _SCALE.search(text)
    return SCALES.get(found[1].casefold(), 0) if found else 0


# -- "respectively" --------------------------------------------------------------------------------

_AND = r"\s*(?:,\s*(?:and\s+)?|\s+and\s+)"
_SUFFIX = r"(?:\s?%|\s(?:percent|thousand|million|billion|basis points))?"
_MONEY = rf"(?:[$\u20ac\u00a3]\s?)?\(?\d[\d,.]*\)?{_SUFFIX}"
_LIST = re.compile(rf"{_MONEY}(?:{_AND}{_MONEY})+", re.IGNORECASE)
_YEARS = re.compile(rf"{_YEAR.pattern}(?:{_AND}(?:fiscal\s+)?{_YEAR.pattern})+", re.IGNORECASE)


@lru_cache(maxsize=512)
def unzipped(text: str) -> tuple[str, ...]:
    """The statements in "5 and 3 in 2024 and 2023, respectively"; () without such a word."""
    if not _RESPECTIVELY.search(text):
        return ()
    figures = next((m for m in _LIST.finditer(text) if not _YEARS.fullmatch(m[0])), None)
    years = _YEARS.search(text)
    if figures is None or years is None or figures.start() == years.start():
        return ()
    one = re.split(_AND, figures[0])
    other = re.split(_AND, years[0])
    if len(one) != len(other):
        return ()
    return tuple(_with(text, (figures, a), (years, b)) for a, b in zip(one, other, strict=True))


def _with(text: str, *changes: tuple[re.Match[str], str]) -> str:
    for found, instead in sorted(changes, key=lambda change: -change[0].start()):
        text = text[: found.start()] + instead + text[found.end() :]
    return _RESPECTIVELY.sub("", text)


def best_of(units: Sequence[Unit], keys: frozenset[str], most: int = 4) -> Iterator[Unit]:
    """The units that share most with a claim, those that share more first."""
    yield from sorted(units, key=lambda unit: -len(keys & unit.keys))[:most]
