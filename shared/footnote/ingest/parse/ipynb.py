"""Parses notebooks (.ipynb) cell by cell: prose, code, and what the code printed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from footnote.errors import BadDocumentError
from footnote.ingest.parse import html, markdown
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode
from footnote.ingest.parse.formats import NOTEBOOK
from footnote.ingest.parse.refusals import corrupt, too_large
from footnote.model import ParsedDocument

type _Object = Mapping[str, Any]

MAX_CELLS = 20_000
_MAX_VALUES = 2_000_000
_PRINTED = frozenset({"stream", "pyout", "execute_result", "display_data", "error", "pyerr"})


def parse(body: bytes, name: str) -> ParsedDocument:
    # counted before loading: as objects in memory they take ten times the space
    if sum(map(body.count, (b",", b"[", b"{"))) > _MAX_VALUES:
        raise too_large(name, f"more than {_MAX_VALUES:,} values")
    text, warnings = decode(body, name)
    try:
        notebook = _object(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise corrupt(name, "it is not JSON") from error
    writer = _Writer(name)
    writer.builder.warnings.extend(warnings)
    cells = list(_cells(notebook))
    if len(cells) > MAX_CELLS:
        raise too_large(name, f"more than {MAX_CELLS:,} cells")
    for number, cell in enumerate(cells, start=1):
        writer.cell(cell, f"cell {number}")
    builder = writer.builder
    metadata = _object(notebook.get("metadata"))
    return builder.to_parsed(
        NOTEBOOK, name, [_text(metadata.get("title")), *builder.opening_title()]
    )


def _cells(notebook: _Object) -> Sequence[_Object]:
    """Returns all cells. Before version 4 they lay in worksheets."""
    sheets = [notebook, *map(_object, _list(notebook.get("worksheets")))]
    return [_object(cell) for sheet in sheets for cell in _list(sheet.get("cells"))]


class _Writer:
    def __init__(self, name: str) -> None:
        self.builder = DocumentBuilder()
        self._name = name

    def cell(self, cell: _Object, place: str) -> None:
        source = _text(cell.get("source", cell.get("input")))
        kind = cell.get("cell_type")
        if kind == "markdown":
            self._markdown(source)
        elif kind == "heading":
            level = cell.get("level")
            self.builder.heading(source, level if isinstance(level, int) and level > 0 else 1)
        else:
            self.builder.paragraph(source)
            if kind not in {"code", "raw"}:
                self.builder.ledger.count("unknown_element", place)
        if pictures := len(_object(cell.get("attachments"))):
            self.builder.ledger.count("picture", place, pictures)
        for output in map(_object, _list(cell.get("outputs"))):
            self._output(output, place)

    def _output(self, output: _Object, place: str) -> None:
        """Writes the richest text of an output: programs store one result in several types."""
        if output.get("output_type") not in _PRINTED:
            self.builder.ledger.count("unknown_element", place)
            return
        if output.get("ename"):
            text = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
            self.builder.paragraph(text)
            return
        shown = {**output, **_object(output.get("data"))}
        page = _text(shown.get("text/html", shown.get("html")))
        plain = _text(shown.get("text/plain", shown.get("text")))
        prose = _text(shown.get("text/markdown", shown.get("text/latex", shown.get("latex"))))
        if "<table" in page or not plain:
            self._page(page, plain)
        elif prose:
            self._markdown(prose)
        elif not _has_picture(shown):
            self.builder.paragraph(plain)
        if _has_picture(shown):
            self.builder.ledger.count("picture", place)

    def _page(self, page: str, plain: str) -> None:
        try:
            document = html.parse(page.encode("utf-8", "replace"), self._name).document
        except BadDocumentError:
            self.builder.paragraph(plain)
        else:
            self.builder.embed(document, 0)

    def _markdown(self, text: str) -> None:
        if text.strip():
            body = text.encode("utf-8", "replace")
            self.builder.embed(markdown.parse(body, self._name).document, 0)


def _has_picture(shown: _Object) -> bool:
    """Tells whether an output is a picture. Its text then only names the object."""
    return any(key.startswith("image/") or key in {"png", "jpeg", "svg"} for key in shown)


def _object(value: object) -> _Object:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    """Returns a text, which a notebook stores whole or as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
