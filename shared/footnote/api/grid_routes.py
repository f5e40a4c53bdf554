"""Grids: make, estimate, list, show, fill, ask cells again, stop, delete, export."""

import json
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.asking import begin_grid, wanted_of
from footnote.api.bodies import CellsBody, GridBody
from footnote.api.caller import caller
from footnote.api.described import answers, answers_or_link, answers_unless_known
from footnote.api.grid_views import entry_view, estimate_view, grid_view, page_of_rows, row_view
from footnote.api.once import IdempotencyKey, Made, once
from footnote.api.replies import (
    GridDeleted,
    GridEstimate,
    GridPage,
    GridReply,
    GridStopped,
    GridTable,
)
from footnote.api.reply import file, link_or_json, reply, unless_known
from footnote.api.request import After
from footnote.errors import BadRequestError
from footnote.reading.document_reader import Link
from footnote.service import Service

router = APIGatewayRouter()
FORMATS = ("xlsx", "csv", "json")


@router.post(
    "/grids",
    responses=answers(GridReply, 202),
    summary="Makes a grid: each question is asked of each document in its scope",
)
def add_grid(body: GridBody, idempotency_key: IdempotencyKey = "") -> Response[str]:
    me = caller()

    def begin() -> Made:
        return Made(begin_grid(me, body))

    def show(grid: str) -> Response[str]:
        return _shown(me, grid)

    return once(me, "add_grid", idempotency_key, body, begin=begin, show=show)


def _shown(me: Service, grid_id: str) -> Response[str]:
    """Shows a grid that is worked on, without its rows."""
    return reply(202, grid_view(*me.grids.get(grid_id), me.grids.now))


@router.post(
    "/grids/estimate",
    responses=answers(GridEstimate),
    summary="Tells what a grid is expected to cost. Nothing is asked or paid",
)
def estimate_grid(body: GridBody) -> Response[str]:
    documents, expected = caller().grids.estimate(wanted_of(body))
    return reply(200, estimate_view(documents, len(body.questions), expected))


@router.get("/grids", responses=answers(GridPage), summary="Lists grids, the newest first")
def grids(after: After = "") -> Response[str]:
    page, following = caller().grids.newest(after)
    return reply(200, {"grids": [entry_view(grid) for grid in page], "after": following})


@router.get(
    "/grids/<grid>",
    responses=answers_unless_known(GridTable),
    summary="Shows a grid, row by row",
)
def grid(grid: str, after: After = "") -> Response[str]:
    me = caller()
    record, rows = me.grids.get(grid)
    view = grid_view(record, rows, me.grids.now)
    return unless_known({**view, **page_of_rows(rows, after)})


@router.post(
    "/grids/<grid>/cells",
    responses=answers(GridReply, 202),
    summary="Asks cells again; without any, those that are new, have failed or are stale",
)
def ask_cells(grid: str, body: CellsBody) -> Response[str]:
    me = caller()
    if body.cells:
        me.grids.ask_again(grid, [(cell.document, cell.question - 1) for cell in body.cells])
    else:
        me.grids.fill(grid)
    return _shown(me, grid)


@router.post(
    "/grids/<grid>/stop",
    responses=answers(GridStopped),
    summary="Stops cells that wait or are asked: some, then others",
)
def stop_grid(grid: str) -> Response[str]:
    stopped, more = caller().grids.stop(grid)
    return reply(200, {"id": grid, "stopped": stopped, "more": more})


@router.delete(
    "/grids/<grid>",
    responses=answers(GridDeleted),
    summary="Deletes a grid with its questions: some, then others",
)
def delete_grid(grid: str) -> Response[str]:
    deleted, more = caller().grids.delete(grid)
    return reply(200, {"id": grid, "deleted": deleted, "more": more})


@router.get(
    "/grids/<grid>/export",
    responses=answers_or_link(Link | GridTable, "text/csv"),
    summary="Gives a grid as a file",
)
def export_grid(
    grid: str,
    form: Annotated[str, Query(alias="format", description="xlsx, csv or json")] = "xlsx",
) -> Response[str]:
    me, form = caller(), form or "xlsx"
    if form not in FORMATS:
        raise BadRequestError(
            f"{form[:50]!r} is not a format of grids", action=f"Known: {', '.join(FORMATS)}."
        )
    if form == "json":
        record, rows = me.grids.get(grid)
        view = grid_view(record, rows, me.grids.now) | {
            "rows": [row_view(row) for row in rows],
            "after": "",
        }
        text = json.dumps(view, ensure_ascii=False)
        return file(text, "application/json", f"grid-{record.id[:8]}.json")
    exported = me.grids.export(grid, form)
    if not exported.url:
        return file(exported.text, exported.media_type, exported.name)
    link = {"url": exported.url, "expires_in": exported.expires_in}
    return link_or_json(
        exported.url, link | {"media_type": exported.media_type, "name": exported.name}
    )
