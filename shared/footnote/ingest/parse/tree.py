"""Writes nested values (JSON, XML): keys become headings, lists of objects become tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeIs

from footnote.ingest.parse.builder import MAX_LEVEL, DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.refusals import too_large

type Scalar = str | bool | None
type Value = Scalar | Sequence["Value"] | Mapping[str, "Value"]
type Fields = Mapping[str, Value]

MAX_DEPTH = 100
_MAX_COLUMNS = 30
_LONGEST_CELL = 200  # characters; longer text reads better under a heading than in a table
_LONGEST_NAME = 120
_SHORT = 40  # characters of a value in a list that is written on one line
_NAMES = ("title", "name", "subject", "headline", "question", "label", "id", "key")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def write(builder: DocumentBuilder, value: Value, name: str) -> None:
    """Adds a value to the document. `name` is the file's, for the error.

    Raises BadDocumentError for values nested more than `MAX_DEPTH` deep.
    """
    if _is_deep(value):
        raise too_large(name, f"values nested more than {MAX_DEPTH} deep")
    _write(builder, value, "", 0)


def title_candidates(value: Value) -> list[str]:
    """Returns the fields of a value that may be its title, best first."""
    fields = value if isinstance(value, Mapping) else {}
    named = {key.casefold(): _to_text(field) for key, field in fields.items() if _is_scalar(field)}
    candidates = [squeeze(named.get(key, "")) for key in _NAMES]
    return [name for name in candidates if 0 < len(name) <= _LONGEST_NAME]


def _is_deep(value: Value) -> bool:
    layer = [value]
    for _ in range(MAX_DEPTH):
        layer = [inner for outer in layer for _, inner in _children(outer)]
        if not layer:
            return False
    return True


def _children(value: Value) -> Iterator[tuple[str, Value]]:
    if isinstance(value, Mapping):
        # each leaf's path holds its keys, so a long one is cut
        yield from ((f".{key[:_LONGEST_NAME]}", inner) for key, inner in value.items())
    elif _is_list(value):
        yield from ((f"[{i}]", inner) for i, inner in enumerate(value))


def _write(builder: DocumentBuilder, value: Value, title: str, level: int) -> None:
    if isinstance(value, Mapping):
        _write_fields(builder, value, level)
    elif _is_list(value):
        _write_items(builder, value, title, level)
    else:
        builder.paragraph(_to_text(value))


def _write_fields(builder: DocumentBuilder, fields: Fields, level: int) -> None:
    """Writes plain values first: after a heading they would seem to belong to its section."""
    before = "\n\n"
    for key, value in fields.items():
        line = _one_line(value)
        if line:
            builder.paragraph(f"{key}: {line}", before)
            before = "\n"
    for key, value in fields.items():
        if _one_line(value) is None:
            _write_section(builder, key, value, level)


def _write_section(builder: DocumentBuilder, heading: str, value: Value, level: int) -> None:
    """Writes a value under a heading.

    Below the last level of headings, each line holds its whole path instead.
    """
    if level < MAX_LEVEL:
        builder.heading(_to_heading(heading[:_LONGEST_NAME]), level + 1)
        _write(builder, value, heading, level + 1)
        return
    before = "\n\n"
    for path, inner in _leaves(value, heading[:_LONGEST_NAME]):
        builder.paragraph(f"{path}: {_to_text(inner)}" if _to_text(inner) else "", before)
        before = "\n"


def _leaves(value: Value, path: str) -> Iterator[tuple[str, Value]]:
    if _is_scalar(value):
        yield path, value
    for step, inner in _children(value):
        yield from _leaves(inner, path + step)


def _write_items(builder: DocumentBuilder, items: Sequence[Value], title: str, level: int) -> None:
    table = _table(items)
    if table:
        builder.table(table)
    elif items and all(_is_list(item) and all(map(_is_scalar, item)) for item in items):
        builder.table(
            [list(map(_to_text, item)) for item in items if _is_list(item)], header_rows=0
        )
    else:
        before = "\n\n"
        for n, item in enumerate(items, start=1):
            line = _one_line(item)
            if line is None:
                _write_section(
                    builder,
                    (title_candidates(item) or [f"{title[:_LONGEST_NAME]} {n}"])[0],
                    item,
                    level,
                )
            else:
                builder.paragraph(f"- {line}" if line else "", before)
            before = "\n\n" if line is None else "\n"


def _table(items: Sequence[Value]) -> list[list[str]]:
    """Returns objects that share a few short fields as rows under a header; else nothing."""
    rows: list[dict[str, str]] = []
    columns: dict[str, None] = {}
    for item in items:
        row = _row(item) if isinstance(item, Mapping) else None
        if row is None:
            return []
        rows.append(row)
        columns |= dict.fromkeys(row)
        if len(columns) > _MAX_COLUMNS:
            return []
    if len(rows) < 2 or not columns:
        return []
    return [list(columns), *([row.get(column, "") for column in columns] for row in rows)]


def _row(fields: Fields, prefix: str = "") -> dict[str, str] | None:
    """Returns the fields as cells; None if they do not fit in cells.

    Fields of an inner object get their own columns.
    """
    row: dict[str, str] = {}
    for key, value in fields.items():
        if isinstance(value, Mapping) and not prefix:
            inner = _row(value, f"{key}.")
            if inner is None:
                return None
            row |= inner
            continue
        line = _one_line(value)
        if line is None or len(line) > _LONGEST_CELL or "\n" in line:
            return None
        row[prefix + key] = line
    return row


def _one_line(value: Value) -> str | None:
    """Returns a plain value, or a list of short ones, as one line; None for any other value."""
    if _is_list(value):
        texts = [_to_text(item) for item in value if _is_scalar(item)]
        is_short = len(texts) == len(value) and all(len(item) <= _SHORT for item in texts)
        return ", ".join(texts) if is_short else None
    if isinstance(value, Mapping):
        return None if value else ""
    return _to_text(value)


def _is_scalar(value: Value) -> TypeIs[Scalar]:
    return value is None or isinstance(value, str | bool)


def _is_list(value: Value) -> TypeIs[Sequence[Value]]:
    return not isinstance(value, str | Mapping) and isinstance(value, Sequence)


def _to_text(value: Value) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _to_heading(key: str) -> str:
    """Turns a key into a heading: "shipTo" and "ship_to" become two words."""
    return _CAMEL.sub(" ", key.replace("_", " ")).strip() or key
