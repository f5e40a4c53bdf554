"""Converts grids to the JSON of the REST API."""

import json
from collections.abc import Sequence

from footnote.api.views import scope_view
from footnote.ask.grid.table import Row, count_cells, say_cell, status_of
from footnote.errors import BadRequestError
from footnote.model import Cell, Estimate, Grid
from footnote.wire import Json

PAGE = 100  # rows that one reply has at most
PAGE_BYTES = 1_500_000


def entry_view(grid: Grid) -> Json:
    """Returns the JSON of a grid in the list of grids."""
    return {
        "id": grid.id,
        "name": grid.name,
        "questions": list(grid.questions),
        "created": grid.created,
    }


def grid_view(grid: Grid, rows: Sequence[Row], now: float) -> Json:
    """Returns the JSON of a grid without its rows."""
    return {
        **entry_view(grid),
        "status": status_of(grid, rows, now),
        "scope": scope_view(grid.scope),
        "documents": len(rows),
        "counts": dict(count_cells(rows)),
        "estimate": grid.estimate.model_dump(mode="json") if grid.estimate else None,
    }


def estimate_view(documents: int, questions: int, expected: Estimate) -> Json:
    counts = {"documents": documents, "cells": documents * questions}
    return {**expected.model_dump(mode="json"), **counts}


def page_of_rows(rows: Sequence[Row], after: str) -> Json:
    """Returns some rows and the cursor of the next: the id of the last document.

    Raises BadRequestError for a cursor that is none.
    """
    ids = [row.record.document_id for row in rows]
    if after and after not in ids:
        raise BadRequestError(
            f"{after[:100]!r} is not a page of this grid",
            action="Leave `after` out, or take it from the page before.",
        )
    first = ids.index(after) + 1 if after else 0
    views: list[Json] = []
    room = PAGE_BYTES
    for row in rows[first : first + PAGE]:
        view = row_view(row)
        room -= len(json.dumps(view).encode())
        if views and room < 0:
            break
        views.append(view)
    last = first + len(views)
    return {"rows": views, "after": ids[last - 1] if last < len(ids) else ""}


def row_view(row: Row) -> Json:
    revision = row.record.revision
    return {
        "document_id": row.record.document_id,
        "document": revision.path,
        "collection": revision.collection,
        "title": row.record.title,
        "cells": [
            cell and cell_view(cell, revision.path, stale=row.is_stale(cell)) for cell in row.cells
        ],
    }


def cell_view(cell: Cell, document: str, *, stale: bool) -> Json:
    return {
        "status": cell.status,
        "question_id": cell.question_id,
        "stale": stale,
        "kind": cell.kind,
        "outcome": cell.outcome,
        "shown": say_cell(cell, document, stale=stale),
        "text": cell.text,
        "checked": cell.checked,
        "citation": cell.source.model_dump(mode="json") if cell.source else None,
        "confidence": cell.confidence,
        "usd": cell.usd,
        "error": cell.error.model_dump() if cell.error else None,
    }
