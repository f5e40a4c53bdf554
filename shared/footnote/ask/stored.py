"""What the steps of a question leave for each other: the first that is stored stays.

A step may run again, and a whole question twice at once: whoever comes later goes on with what is
there, so that no step finds its ground changed, and what was paid for is not paid for again.
"""

from footnote.errors import NotFoundError
from footnote.model import Value
from footnote.ports import BlobStore


def stored[T: Value](artifacts: BlobStore, key: str, kind: type[T]) -> T | None:
    """What an earlier try has left under the key."""
    try:
        return kind.model_validate_json(artifacts.get(key))
    except NotFoundError:
        return None


def store[T: Value](artifacts: BlobStore, key: str, made: T) -> T:
    """Leave this under the key, unless something is there; what is there now."""
    left = artifacts.put_once(key, made.model_dump_json().encode())
    return type(made).model_validate_json(left)
