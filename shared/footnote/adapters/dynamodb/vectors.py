"""The vectors table: embeddings by key, so that no text is embedded twice."""

import struct
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import batched

from footnote.adapters.dynamodb.cache import DynamoCache
from footnote.adapters.dynamodb.values import GET_BATCH, WRITE_BATCH
from footnote.model import Vector

PARALLEL = 8  # batches at once


class DynamoVectors:
    """Stores vectors as little-endian float32: the models' precision, at a quarter of the size."""

    def __init__(self, cache: DynamoCache) -> None:
        self._cache = cache
        self._pool = ThreadPoolExecutor(PARALLEL, "vectors")

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        batches = batched(dict.fromkeys(keys), GET_BATCH, strict=False)
        return {
            key: unpack(value)
            for found in self._pool.map(self._get, batches)
            for key, value in found.items()
        }

    def put(self, vectors: Mapping[str, Vector]) -> None:
        batches = batched(vectors.items(), WRITE_BATCH, strict=False)
        list(self._pool.map(self._put, batches))  # waits, and raises what a batch raised

    def _get(self, keys: Sequence[str]) -> dict[str, bytes]:
        # not consistent: a vector put a moment ago is at worst computed once more
        return self._cache.get(keys, consistent=False)

    def _put(self, vectors: Sequence[tuple[str, Vector]]) -> None:
        self._cache.put({key: pack(vector) for key, vector in vectors})


def pack(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def unpack(raw: bytes) -> Vector:
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))
