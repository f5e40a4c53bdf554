"""The rules that both search indexes follow: number of hits, query vector."""

from typing import get_args

from footnote.errors import BadRequestError
from footnote.model import Leg, LegsQuery, NodeKind, Vector

MAX_SIZE = 1000  # hits of a leg
MAX_NODES = 100
"""Hits of a leg of nodes. 200 rank no better (docs/benchmarks.md, "What was tried for hybrid")."""
KINDS: frozenset[Leg] = frozenset(get_args(NodeKind.__value__))


def size_of(leg: Leg, query: LegsQuery) -> int:
    """Returns how many hits a leg gives."""
    return min(query.size, MAX_NODES) if leg in KINDS else query.size


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
