"""Parses JSON and JSON lines: keys become headings, lines and tables."""

import json
from typing import Any

from footnote.ingest.parse import tree
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode
from footnote.ingest.parse.formats import JSON, JSONL
from footnote.ingest.parse.refusals import corrupt, too_large
from footnote.model import ParsedDocument

MAX_VALUES = 2_000_000


def parse(body: bytes, name: str) -> ParsedDocument:
    # counted before loading: as objects in memory they take ten times the space
    if sum(map(body.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise too_large(name, f"more than {MAX_VALUES:,} values")
    text, warnings = decode(body, name)
    builder = DocumentBuilder()
    builder.warnings.extend(warnings)
    try:
        value: tree.Value = _load(text)
        kind = JSON
    except ValueError:
        value, kind = _lines(text, name), JSONL
    except RecursionError as error:
        raise too_large(name, f"values nested more than {tree.MAX_DEPTH} deep") from error
    tree.write(builder, value, name)
    return builder.to_parsed(kind, name, tree.title_candidates(value))


def _load(text: str) -> Any:
    """Loads a value. Numbers stay as they are written."""
    return json.loads(text.strip(), parse_int=str, parse_float=str, parse_constant=str)


def _lines(text: str, name: str) -> list[tree.Value]:
    """Returns the value of each line. Raises BadDocumentError where a line is not JSON.

    The error names the line if at least two values came before it.
    """
    values: list[tree.Value] = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.strip():
                values.append(_load(line))
        except (ValueError, RecursionError) as error:
            why = "it is not JSON" if len(values) < 2 else f"line {number:,} of it is not JSON"
            raise corrupt(name, why) from error
    return values
