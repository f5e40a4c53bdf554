"""Cuts a passage into units that a claim may rest on: sentences, and table rows with labels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from footnote.ask.check.context import Context
from footnote.ask.check.figures import CURRENCIES, SCALES
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.table_labels import cells_of, columns_of
from footnote.model import CELL, Passage, Table
from footnote.text.sentences import sentences

_SCALE = re.compile(
    r"(?:\bin|([$\u20ac\u00a3]))\s*+(?:us\s*+)?(?:([$\u20ac\u00a3]|dollars|euros?|eur|usd)\s*+)?"
    r"(thousands?|millions?|billions?|mio|mrd|tausend|millionen|milliarden|mn?|bn|k|'?000s?)\b"
    r"(?:\s+of\s+(?:us\s+)?(dollars|euros|pounds|yen))?"
    r"|\b(thousands?|millions?|billions?)\s+of\s+(?:us\s+)?(dollars|euros|pounds|yen)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_STOP = re.compile(r"(?<=[a-z]{4})[.!?]\s+(?=[a-z])")
_BEFORE_CAPITAL = re.compile(r"(?<!\s)\s++(?=[^\W\d_a-z])")
MOST_BEGINNINGS = 6  # of one text, the last ones: this bounds the work
_RESPECTIVELY = re.compile(r"(?:,|(?<!\s))\s++respectively\b", re.IGNORECASE)


type Scale = tuple[int, str]


class Grid(NamedTuple):
    """A table of the document, read once for all its rows that stand in a passage.

    `rows`: the cells of a row that are not empty → all its cells; of two equal rows the first.
    """

    start: int
    end: int
    columns: Sequence[str]
    rows: Mapping[tuple[str, ...], Sequence[str]]


class Row(NamedTuple):
    """A row of a table.

    `cells`: (label of the column, text) of each cell after the row's label. `scale`: the power of
    ten by which the table multiplies its figures. `currency`: its sign, if the table says one.
    """

    label: str
    cells: tuple[tuple[str, str], ...]
    scale: int = 0
    currency: str = ""


class Unit(NamedTuple):
    """A sentence or a row: its span in the document's text, its parts, what stands around it.

    `zipped`: whether it has lists that a "respectively" puts in order.
    """

    start: int
    end: int
    text: str
    parts: tuple[Part, ...]
    context: Context
    row: Row | None = None
    zipped: bool = False

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(part.key for part in self.parts)


def units_of(passage: Passage, tables: Sequence[Table], language: str) -> list[Unit]:
    """Returns the units of a passage in order; `tables` of its document label their rows."""
    around = " ".join((passage.document, passage.title, *passage.section)).replace("_", " ")
    labels = _keys(around.replace("-", " "), language)
    everything = f"{around}\n{passage.text}".casefold()
    made: list[Unit] = []
    before = caption = frozenset[str]()
    headers, grids = _headers(passage, tables), [_grid(table) for table in tables]
    said = (text for _, text in reversed(passage.parts()))
    around_rows = " ".join((*passage.section, *said)) if CELL in passage.text else ""
    scale = scale_of(around_rows)
    for start, end in sentence_spans(passage.text):
        text = passage.text[start:end]
        place = passage.start + start, passage.start + end
        row = None
        if CELL in text:
            grid = next((g for g in grids if g.start < place[1] and place[0] < g.end), None)
            row = _row(text, headers.get(start), grid, scale)
        context = Context(labels, before | caption if row else before, everything)
        if row:
            read = f"{row.label} {' '.join(f'{label} {cell}' for label, cell in row.cells)}"
            made.append(Unit(*place, text, parts_of(read, language), context, row))
            continue
        for first in beginnings(text):
            made += _of_sentence(text[first:], place[0] + first, context, language)
        read_text = parts_of(text, language)
        if CELL not in text:
            caption = frozenset() if text.rstrip().endswith(".") else _keys(text, language)
        before = frozenset(part.key for part in read_text if part.kind == "period")
        before |= _only_name(read_text)
    known = frozenset(key for unit in made for key in unit.keys)
    return [unit._replace(context=unit.context._replace(known=known)) for unit in made]


def _of_sentence(text: str, start: int, context: Context, language: str) -> Iterator[Unit]:
    """Yields a sentence as it stands, then what it says of each thing that it lists in order."""
    end = start + len(text)
    in_order = bool(_RESPECTIVELY.search(text))
    yield Unit(start, end, text, parts_of(text, language), context, zipped=in_order)
    for said in unzip(text):
        yield Unit(start, end, text, parts_of(said, language), context)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of a passage's sentences, also in texts that write no capitals."""
    for start, end in sentences(text):
        stops = [found.end() for found in _STOP.finditer(text, start, end)]
        yield from zip([start, *stops], [*stops, end], strict=True)


def beginnings(text: str) -> list[int]:
    """Returns where a sentence may begin: at the start, and at each line with a capital.

    Such a line may follow a heading or a table's rows, which have no full stop.
    """
    blanks = (found for found in _BEFORE_CAPITAL.finditer(text) if "\n" in found[0])
    return [0, *(found.end() for found in blanks)][-MOST_BEGINNINGS:]


def _only_name(parts: Sequence[Part]) -> frozenset[str]:
    """Returns the keys of the one name among parts; of two, "it" may mean either."""
    places = [n for n, p in enumerate(parts) if p.kind == "name" or p.text[:1].isupper()]
    is_run = all(b == a + 1 for a, b in pairwise(places))
    return frozenset(parts[n].key for n in places) if is_run else frozenset()


def _keys(text: str, language: str) -> frozenset[str]:
    return frozenset(part.key for part in parts_of(text, language))


# -- rows ------------------------------------------------------------------------------------------


def _headers(passage: Passage, tables: Sequence[Table]) -> Mapping[int, str]:
    """Maps the start of each row in the passage to its table's first row; {} with `tables`."""
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


def _row(text: str, header: str | None, grid: Grid | None, scale: Scale) -> Row | None:
    cells = cells_of(text)
    labels: Sequence[str] = cells_of(header) if header else ()
    if grid:
        cells = list(grid.rows.get(tuple(filter(None, cells)), cells))
        labels = grid.columns
    elif not header:
        return None
    if not labels or len(cells) < 2:
        return None
    columns = tuple(
        (labels[n] if n < len(labels) else "", cell) for n, cell in enumerate(cells) if n and cell
    )
    own = scale_of(" ".join((text, *labels)))
    return Row(cells[0], columns, *(own if own[0] else scale))


def _grid(table: Table) -> Grid:
    rows = {tuple(filter(None, row)): row for row in reversed(table.rows[table.header_rows :])}
    return Grid(table.start, table.end, columns_of(table), rows)


def scale_of(text: str) -> Scale:
    """Returns the scale that a table says, and the sign of the currency that it says with it.

    The scale is 3 for "in thousands", 6 for "in millions", 9 for "in billions" and 0 for none.
    """
    found = _SCALE.search(text)
    if found is None:
        return 0, ""
    currency = (found[1] or found[2] or found[4] or found[6] or "").casefold()
    scale = (found[3] or found[5]).casefold()
    power = 3 if "000" in scale else SCALES.get(scale, 0)
    return power, CURRENCIES.get(currency, "")


def scale_words(text: str) -> str:
    """Returns the words by which a text says its scale ("in thousands"), or ""."""
    found = _SCALE.search(text)
    return " ".join(found[0].split()) if found else ""


# -- "respectively" --------------------------------------------------------------------------------

_AND = r"(?<!\s)(?:\s*+,\s*+(?:and\s++)?|\s++and\s++)"
_SUFFIX = r"(?:\s?%|\s(?:percent|thousand|million|billion|basis points))?"
_MONEY = rf"(?:[$\u20ac\u00a3]\s?)?\(?(?<![\d,.])\d[\d,.]*\)?{_SUFFIX}"
_LIST = re.compile(rf"{_MONEY}(?:{_AND}{_MONEY})+", re.IGNORECASE)
_YEARS = re.compile(rf"{_YEAR.pattern}(?:{_AND}(?:fiscal\s+)?{_YEAR.pattern})+", re.IGNORECASE)


@lru_cache(maxsize=512)
def unzip(text: str) -> tuple[str, ...]:
    """Returns the statements in "5 and 3 in 2024 and 2023, respectively"; () without that word."""
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
    return tuple(
        _replace_spans(text, (figures, a), (years, b)) for a, b in zip(one, other, strict=True)
    )


def _replace_spans(text: str, *changes: tuple[re.Match[str], str]) -> str:
    for found, instead in sorted(changes, key=lambda change: -change[0].start()):
        text = text[: found.start()] + instead + text[found.end() :]
    return _RESPECTIVELY.sub("", text)


def nearest_units(units: Sequence[Unit], keys: frozenset[str], most: int = 4) -> Iterator[Unit]:
    """Yields the `most` units that share most with a claim, best first."""
    yield from sorted(units, key=lambda u: (-len(keys & u.keys), len(u.parts)))[:most]
