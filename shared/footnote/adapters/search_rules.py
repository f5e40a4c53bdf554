"""The rules that both search indexes follow: how many hits, which vector, how wide a pool."""

from footnote.errors import BadRequestError
from footnote.model import SearchQuery, Vector

MAX_HITS = 1000
POOL = 100
"""Candidates of each leg. Fixed, or else the order of a hybrid query's hits depends on k."""


def check_k(k: int) -> None:
    """Raises BadRequestError when an index cannot give so many hits."""
    if not 0 < k <= MAX_HITS:
        raise BadRequestError(f"k is {k}; it must be from 1 to {MAX_HITS}")


def vector_of(query: SearchQuery, dimensions: int) -> Vector:
    """The query's vector. Raises BadRequestError when it has none, or one of another model."""
    if query.vector is None or len(query.vector) != dimensions or not any(query.vector):
        raise BadRequestError(
            f"a {query.strategy} search needs the query's vector of {dimensions} dimensions"
        )
    return query.vector
