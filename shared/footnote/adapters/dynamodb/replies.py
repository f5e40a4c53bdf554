"""Replies that providers were paid for, kept in the vectors table by a hash of their input."""

import gzip
from collections.abc import Mapping, Sequence

from footnote.adapters.dynamodb.cache import DynamoCache

LARGEST = 380_000  # bytes; a DynamoDB item holds 400 KB, its key and attribute names included


class DynamoReplies:
    """Implements the port ReplyCache with gzipped texts. One too large for an item is not kept."""

    def __init__(self, cache: DynamoCache) -> None:
        self._cache = cache

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        # consistent: a reply that another delivery has just paid for must not be paid for again
        found = self._cache.get(keys, consistent=True)
        return {key: gzip.decompress(value).decode() for key, value in found.items()}

    def put(self, replies: Mapping[str, str]) -> None:
        packed = {key: gzip.compress(text.encode(), mtime=0) for key, text in replies.items()}
        self._cache.put({key: value for key, value in packed.items() if len(value) <= LARGEST})
