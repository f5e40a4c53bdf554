"""What providers were paid for, in the table of vectors: both are caches by a hash of the input."""

import gzip
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from footnote.adapters.dynamodb import DAY, Plain, attributes, get_batches, put_batches
from footnote.errors import ConfigurationError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LARGEST = 380_000  # bytes; an item of DynamoDB holds 400 KB, key and attributes' names included


class DynamoReplies:
    """Texts, gzipped; kept for so many days from the last time they were put."""

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

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        wanted = [attributes({"key": key}) for key in dict.fromkeys(keys)]
        # consistent: what another delivery has just paid for is not paid for again
        found = get_batches(self._client, self._table, wanted, "#key, #value", consistent=True)
        return {str(item["key"]): unpacked(item["value"]) for item in found}

    def put(self, replies: Mapping[str, str]) -> None:
        expires = int(self._clock()) + self._days * DAY
        packed = {key: gzip.compress(text.encode(), mtime=0) for key, text in replies.items()}
        put_batches(
            self._client,
            self._table,
            [
                attributes({"key": key, "value": value, "expires": expires})
                for key, value in packed.items()
                if len(value) <= LARGEST
            ],
        )


def unpacked(raw: Plain) -> str:
    if not isinstance(raw, bytes):
        raise ConfigurationError(f"the vectors table holds a {type(raw).__name__} for a reply")
    return gzip.decompress(raw).decode()
