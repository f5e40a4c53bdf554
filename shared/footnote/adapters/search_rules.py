"""The rules that both search indexes follow: number of hits, query vector, candidate pool."""

from footnote.errors import BadRequestError
from footnote.model import SearchQuery, Vector

MAX_HITS = 1000
POOL = 100
"""The number of candidates of each leg.

It is fixed, or else the order of a hybrid query's hits would depend on k."""


def check_k(k: int) -> None:
    """Raises BadRequestError unless `k`, the number of hits, is from 1 to MAX_HITS."""
    if not 0 < k <= MAX_HITS:
        raise BadRequestError(f"k is {k}; it must be from 1 to {MAX_HITS}")


def vector_of(query: SearchQuery, dimensions: int) -> Vector:
    """Returns the query's vector.

    Raises BadRequestError when it is missing or all zeros, or has the width of another model.
    """
    if query.vector is None or len(query.vector) != dimensions or not any(query.vector):
        raise BadRequestError(
            f"a {query.strategy} search needs the query's vector of {dimensions} dimensions"
        )
    return query.vector
