"""Parses CSV and TSV into one table, a line per row, whatever the delimiter and encoding."""

import csv
import re
from collections.abc import Sequence
from io import StringIO
from itertools import islice
from pathlib import PurePosixPath

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode
from footnote.ingest.parse.formats import CSV, TSV
from footnote.ingest.parse.refusals import too_large, translate_errors
from footnote.model import ParsedDocument

MAX_CELLS = 2_000_000
_LONGEST_FIELD = 10_000_000
_SAMPLE = 64 << 10
_STATED = re.compile(r"\ufeff?\"?sep=([^\w\r\n\"])\"?\r?(?:\n|\Z)", re.IGNORECASE)
"""A first line that tells Excel the delimiter. Nobody is shown it."""
_NUMBER = frozenset("0123456789.,-+%$€£() /:")


def parse(body: bytes, name: str) -> ParsedDocument:
    decoded, warnings = decode(body, name)
    builder = DocumentBuilder()
    builder.warnings.extend(warnings)
    is_tsv = PurePosixPath(name.casefold()).suffix in {".tsv", ".tab"}
    text = decoded.replace("\x00", "")
    stated = _STATED.match(text)
    delimiter = stated[1] if stated else "\t" if is_tsv else ""
    with translate_errors(name, (csv.Error,)):
        rows = _rows(text[stated.end() if stated else 0 :], delimiter, name)
    builder.table(rows, header_rows=1 if _has_header(rows) else 0)
    return builder.to_parsed(TSV if is_tsv else CSV, name)


def _rows(text: str, delimiter: str, name: str) -> list[list[str]]:
    csv.field_size_limit(_LONGEST_FIELD)  # for the whole process; the default refuses a long cell
    rows: list[list[str]] = []
    room = MAX_CELLS
    for row in csv.reader(StringIO(text), delimiter=delimiter or _delimiter(text[:_SAMPLE])):
        rows.append(row)
        room -= len(row)
        if room < 0:
            raise too_large(name, f"more than {MAX_CELLS:,} cells")
    return rows


def _delimiter(sample: str) -> str:
    """Returns the delimiter for which most rows have the same number of cells, above one."""

    def fit(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in islice(csv.reader(StringIO(sample), delimiter=delimiter), 50)]
        usual = max(set(widths), key=lambda width: (width > 1, widths.count(width)), default=0)
        return (widths.count(usual) if usual > 1 else 0, usual)

    return max(",;\t|", key=fit)


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tells whether the first of several rows is a header: it is one unless it holds numbers."""
    first = [cell.strip() for cell in rows[0]] if rows else []
    return len(rows) > 1 and not any(cell and set(cell) <= _NUMBER for cell in first)
