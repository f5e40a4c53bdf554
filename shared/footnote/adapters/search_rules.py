"""The rules that both search indexes follow: number of hits, query vector."""

from footnote.errors import BadRequestError
from footnote.model import LegsQuery, Vector

MAX_SIZE = 1000  # hits of a leg


def check_size(size: int) -> None:
    """Raises BadRequestError unless `size`, a leg's number of hits, is from 1 to MAX_SIZE."""
    if not 0 < size <= MAX_SIZE:
        raise BadRequestError(f"size is {size}; a leg has from 1 to {MAX_SIZE} hits")


def vector_of(query: LegsQuery, dimensions: int) -> Vector:
    """Returns the query's vector.

    Raises BadRequestError when it is missing or all zeros, or has the width of another model.
    """
    if query.vector is None or len(query.vector) != dimensions or not any(query.vector):
        raise BadRequestError(
            f"a search by meaning needs the query's vector of {dimensions} dimensions"
        )
    return query.vector
