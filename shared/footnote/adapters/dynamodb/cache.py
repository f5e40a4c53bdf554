"""The vectors table: a cache of paid vectors and replies, by a hash of their input."""

import gzip
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import batched
from typing import TYPE_CHECKING

from footnote.adapters.dynamodb.values import (
    DAY,
    GET_BATCH,
    WRITE_BATCH,
    attributes,
    delete_batches,
    get_batches,
    put_batches,
)
from footnote.adapters.rules.limits import must_be_keys
from footnote.errors import ConfigurationError
from footnote.model import Vector

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PARALLEL = 8  # batches of vectors that are sent at once
LARGEST_REPLY = 380_000  # bytes; an item holds 400 KB, its key and attribute names included


class DynamoCache:
    """Stores bytes by key. A value expires `days` after it was last put."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        days: int = 90,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._table = table
        self._days = days
        self._clock = clock

    def get(self, keys: Iterable[str], *, consistent: bool) -> dict[str, bytes]:
        """Returns the stored values. Raises ConfigurationError for a value that is not bytes."""
        must_be_keys("get of kept values", keys := list(keys))
        item_keys = [attributes({"key": key}) for key in dict.fromkeys(keys)]
        values: dict[str, bytes] = {}
        for item in get_batches(
            self._client, self._table, item_keys, "#key, #value", consistent=consistent
        ):
            value = item["value"]
            if not isinstance(value, bytes):
                kind = type(value).__name__
                raise ConfigurationError(
                    "the table of kept values holds something else",
                    detail=f"the table {self._table} holds a {kind} for a value",
                )
            values[str(item["key"])] = value
        return values

    def put(self, values: Mapping[str, bytes]) -> None:
        must_be_keys("put of kept values", values)
        expires = int(self._clock()) + self._days * DAY
        put_batches(
            self._client,
            self._table,
            [
                attributes({"key": key, "value": value, "expires": expires})
                for key, value in values.items()
            ],
        )

    def delete(self, keys: Iterable[str]) -> None:
        must_be_keys("delete of kept values", keys := list(dict.fromkeys(keys)))
        delete_batches(self._client, self._table, [attributes({"key": key}) for key in keys])


class DynamoVectors:
    """Stores vectors as little-endian float32: the models' precision, at a quarter of the size."""

    def __init__(self, cache: DynamoCache) -> None:
        self._cache = cache
        self._pool = ThreadPoolExecutor(PARALLEL, "vectors")

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        batches = batched(dict.fromkeys(keys), GET_BATCH, strict=False)
        return {
            key: unpack(value)
            for values in self._pool.map(self._get, batches)
            for key, value in values.items()
        }

    def put(self, vectors: Mapping[str, Vector]) -> None:
        batches = batched(vectors.items(), WRITE_BATCH, strict=False)
        list(self._pool.map(self._put, batches))  # waits, and raises what a batch raised

    def delete(self, keys: Sequence[str]) -> None:
        self._cache.delete(keys)

    def _get(self, keys: Sequence[str]) -> dict[str, bytes]:
        # not consistent: a vector put a moment ago is at worst computed once more
        return self._cache.get(keys, consistent=False)

    def _put(self, vectors: Sequence[tuple[str, Vector]]) -> None:
        self._cache.put({key: pack(vector) for key, vector in vectors})


def pack(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def unpack(raw: bytes) -> Vector:
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))


class DynamoReplies:
    """Implements the port ReplyCache with gzipped texts. It skips one too large for an item."""

    def __init__(self, cache: DynamoCache) -> None:
        self._cache = cache

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        # consistent: a reply that another delivery has just paid for must not be paid for again
        packed = self._cache.get(keys, consistent=True)
        return {key: gzip.decompress(value).decode() for key, value in packed.items()}

    def put(self, replies: Mapping[str, str]) -> None:
        packed = {key: gzip.compress(text.encode(), mtime=0) for key, text in replies.items()}
        small = {key: value for key, value in packed.items() if len(value) <= LARGEST_REPLY}
        self._cache.put(small)
