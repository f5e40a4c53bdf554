"""Limits of questions and searches, checked by `service/` and again by the steps."""

import json
from collections.abc import Iterable, Mapping

from footnote.errors import BadRequestError

MAX_K = 1_000
MAX_QUESTION = 4_000  # characters, also of a query; a longer text belongs in a document


def check_k(k: int) -> None:
    """Raises BadRequestError unless `k`, the number of hits, is from 1 to MAX_K."""
    if not 1 <= k <= MAX_K:
        raise BadRequestError(f"k is {k}; it must be from 1 to {MAX_K}", code="bad_k")


def check_minimum(minimum: int, k: int) -> None:
    """Raises BadRequestError unless a least number of hits is from 0 to `k`."""
    if not 0 <= minimum <= k:
        raise BadRequestError(
            f"minimum_results is {minimum}; it must be from 0 to k, which is {k}",
            code="bad_minimum",
        )


def check_text(text: str, what: str) -> None:
    """Raises BadRequestError when `what`, a "question" or "query", is empty or too long."""
    if not text.strip():
        raise BadRequestError(f"the {what} is empty", code=f"empty_{what}")
    if len(text) > MAX_QUESTION:
        raise BadRequestError(
            f"the {what} has {len(text):,} characters; the limit is {MAX_QUESTION:,}",
            code=f"{what}_too_long",
            action="Shorten it; put long material into a document and add that.",
        )


def check_json(given: object, what: str, most: int, depth: int) -> None:
    """Raises BadRequestError for a `what` ("schema", "context") that is too deep or too large.

    `most` counts bytes as JSON, `depth` levels of objects and lists. It looks at one level at a
    time, so that depth costs no stack.
    """
    level = [given]
    for _ in range(depth):
        level = [inner for one in level for inner in _inside(one)]
    if level:
        raise BadRequestError(
            f"the {what} is more than {depth} levels deep",
            code=f"bad_{what}",
            action="Give it with less nesting.",
        )
    size = len(json.dumps(given, ensure_ascii=False).encode("utf-8", "replace"))
    if size > most:
        raise BadRequestError(
            f"the {what} has {size:,} bytes as JSON; the limit is {most:,}",
            code=f"{what}_too_large",
            action="Leave out what the question does not need.",
        )


def _inside(value: object) -> Iterable[object]:
    """Returns the values in an object or a list, none for any other value."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()
