"""The vectors table: embeddings by key, so that no text is embedded twice."""

import struct
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import batched
from typing import TYPE_CHECKING

from footnote.adapters.dynamodb import (
    DAY,
    GET_BATCH,
    WRITE_BATCH,
    Plain,
    attributes,
    get_batches,
    put_batches,
)
from footnote.errors import ConfigurationError
from footnote.model import Vector

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PARALLEL = 8  # batches at a time


class DynamoVectors:
    """Vectors as float32, little-endian: what the models give, and a quarter of the size."""

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
        self._pool = ThreadPoolExecutor(PARALLEL, "vectors")

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = self._pool.map(self._get, batched(dict.fromkeys(keys), GET_BATCH, strict=False))
        return {key: vector for batch in found for key, vector in batch.items()}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        batches = batched(vectors.items(), WRITE_BATCH, strict=False)
        list(self._pool.map(self._put, batches))  # waits, and raises what a batch raised

    def _get(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = get_batches(
            self._client,
            self._table,
            [attributes({"key": key}) for key in keys],
            "#key, #value",
            consistent=False,  # a vector just put and not seen yet is only computed once more
        )
        return {str(it["key"]): unpacked(it["value"]) for it in found}

    def _put(self, vectors: Sequence[tuple[str, Vector]]) -> None:
        expires = int(self._clock()) + self._days * DAY
        put_batches(
            self._client,
            self._table,
            [
                attributes({"key": key, "value": packed(vector), "expires": expires})
                for key, vector in vectors
            ],
        )


def packed(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def unpacked(raw: Plain) -> Vector:
    if not isinstance(raw, bytes):
        raise ConfigurationError(f"the vectors table holds a {type(raw).__name__} for a vector")
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))
