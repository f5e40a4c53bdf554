"""Caches in the vectors table: bytes by a hash of their input, which expire in time."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from footnote.adapters.dynamodb.values import DAY, attributes, get_batches, put_batches
from footnote.adapters.rules.limits import must_be_keys
from footnote.errors import ConfigurationError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoCache:
    """Stores bytes by key. Each value is kept for `days` from the last time it was put."""

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
        """Returns the values found. Raises ConfigurationError for a value that is not bytes."""
        must_be_keys("get of kept values", keys := list(keys))
        wanted = [attributes({"key": key}) for key in dict.fromkeys(keys)]
        found: dict[str, bytes] = {}
        for item in get_batches(
            self._client, self._table, wanted, "#key, #value", consistent=consistent
        ):
            value = item["value"]
            if not isinstance(value, bytes):
                kind = type(value).__name__
                raise ConfigurationError(
                    "the table of kept values holds something else",
                    detail=f"the table {self._table} holds a {kind} for a value",
                )
            found[str(item["key"])] = value
        return found

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
