"""Grids: make, estimate, list, show, follow, fill, ask cells again, stop, delete, export."""

import time
from collections.abc import Iterator, Sequence

from footnote.client.calls import AS_JSON, Calls, path_of
from footnote.client.connection import json_of, once
from footnote.client.looks import MAX_PAUSE, MIN_PAUSE, SHARE
from footnote.wire import Json


class GridCalls(Calls):
    """Asks questions of each of many documents, and returns the table."""

    def start_grid(self, questions: Sequence[str], **options: object) -> Json:
        """Makes a grid, and begins to ask its cells. Returns it without its rows.

        Options: name, collection, documents, filters, persona, min_confidence, strict, budget.
        `budget` is {usd}: where all cells are expected to cost more, nothing is asked.
        """
        body = {"questions": [*questions], **options}
        return self._api.call("POST", "grids", json=body, headers=once())

    def estimate_grid(self, questions: Sequence[str], **options: object) -> Json:
        """Returns what a grid is expected to cost; options as of `start_grid`. Asks nothing."""
        body = {"questions": [*questions], **options}
        return self._api.call("POST", "grids/estimate", json=body, read=True)

    def grids(self) -> Iterator[Json]:
        """Yields the grids, newest first."""
        for page in self._pages("grids"):
            yield from page["grids"]

    def grid(self, grid_id: str) -> Json:
        """Returns a grid with all its rows."""
        whole: Json = {}
        rows: list[Json] = []
        for page in self._pages(path_of("grids", grid_id)):
            rows += page["rows"]
            whole = {**page, "rows": rows}
        return whole

    def follow_grid(self, grid_id: str) -> Iterator[Json]:
        """Yields a grid's counts again and again, without its rows, until it runs no more."""
        started = time.monotonic()
        while True:
            page = self._api.call("GET", path_of("grids", grid_id))
            yield {name: value for name, value in page.items() if name not in {"rows", "after"}}
            if page["status"] != "RUNNING":
                return
            waited = time.monotonic() - started
            time.sleep(min(MAX_PAUSE, max(MIN_PAUSE, SHARE * waited)))

    def fill_grid(self, grid_id: str) -> Json:
        """Asks what is new in a grid: documents that came since, failed and stale cells."""
        return self._api.call("POST", path_of("grids", grid_id, "cells"), json={})

    def ask_cell(self, grid_id: str, document: str, question: int) -> Json:
        """Asks one cell again: its document, by path or id, and its question's number from 1."""
        cells = [{"document": document, "question": question}]
        return self._api.call("POST", path_of("grids", grid_id, "cells"), json={"cells": cells})

    def stop_grid(self, grid_id: str) -> int:
        """Stops cells that wait or are asked. Returns their number."""
        stopped, more = 0, True
        while more:
            page = self._api.call("POST", path_of("grids", grid_id, "stop"))
            stopped, more = stopped + page["stopped"], page["more"]
        return stopped

    def delete_grid(self, grid_id: str) -> int:
        """Deletes a grid, its questions, and all that is stored for them. Returns their number."""
        deleted, more = 0, True
        while more:
            page = self._api.call("DELETE", path_of("grids", grid_id))
            deleted, more = deleted + page["deleted"], page["more"]
        return deleted

    def export_grid(self, grid_id: str, form: str = "xlsx") -> bytes:
        """Returns a grid as a file: xlsx, csv or json."""
        path = path_of("grids", grid_id, "export")
        answer = self._api.send("GET", path, params={"format": form}, headers=AS_JSON)
        return self.fetch(json_of(answer)) if form == "xlsx" else answer.content
