"""JSON as it comes: over the network and not yet checked, or as rows that a release has stored."""

from collections.abc import Sequence
from typing import Any

type Json = dict[str, Any]


def from_row[Row: tuple[Any, ...]](kind: type[Row], stored: Sequence[Any]) -> Row:
    """Returns a named tuple of a stored row. What a later release has added at its end is left."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]  # of a NamedTuple
    return kind(*stored[: len(fields)])
