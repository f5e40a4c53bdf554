"""Vectors and read pages in one file, with which a second run of an eval takes only minutes."""

import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path

from footnote.model import Vector


class FileCache:
    """The file. Losing it costs time only, so it does not wait for the disk."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file, timeout=60, check_same_thread=False)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = off")
        # vectors and replies in one table: their keys begin differently
        self._db.execute("create table if not exists vectors (key text primary key, body blob)")

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = {}
        for key in keys:
            row = self._db.execute("select body from vectors where key = ?", (key,)).fetchone()
            if row:
                found[key] = row[0]
        return found

    def put(self, rows: Mapping[str, bytes]) -> None:
        with self._db:
            self._db.executemany("insert or ignore into vectors values (?, ?)", rows.items())

    def delete(self, keys: Sequence[str]) -> None:
        with self._db:
            self._db.executemany("delete from vectors where key = ?", [(key,) for key in keys])

    def close(self) -> None:
        self._db.close()


class FileVectors:
    """Implements VectorCache."""

    def __init__(self, cache: FileCache) -> None:
        self._cache = cache

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = self._cache.get(keys)
        return {key: array("f", body).tolist() for key, body in found.items()}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        rows = {key: array("f", vector).tobytes() for key, vector in vectors.items()}
        self._cache.put(rows)

    def delete(self, keys: Sequence[str]) -> None:
        self._cache.delete(keys)


class FileReplies:
    """Implements ReplyCache."""

    def __init__(self, cache: FileCache) -> None:
        self._cache = cache

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: body.decode() for key, body in self._cache.get(keys).items()}

    def put(self, replies: Mapping[str, str]) -> None:
        self._cache.put({key: text.encode() for key, text in replies.items()})
