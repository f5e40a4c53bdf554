"""Rows of an ablation: `hybrid` with one thing changed, asked through `/search` like a strategy."""

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager

from footnote.model import STRATEGIES, Leg, Recipe, Strategy

CHANGED: Strategy = "hybrid"


def rows() -> dict[str, Recipe]:
    """Returns recipes by the name of their row: without a leg or a signal, or fused otherwise."""
    whole = STRATEGIES[CHANGED]
    made = {f"without {leg}": _without(whole, leg) for leg in whole.legs}
    made["without lean"] = whole.model_copy(update={"meaning_weight": 0.0})
    made["without alike"] = whole.model_copy(update={"alike": 0.0})
    made["by ranks"] = whole.model_copy(update={"scale": "reciprocal_rank"})
    made["100 candidates"] = whole.model_copy(update={"candidates": 100})
    chunks: Mapping[Leg, float] = {"words": 0.5, "meaning": 0.5}
    update = {"legs": chunks, "meaning_weight": 0.0, "alike": 0.0}
    made["chunks alone"] = whole.model_copy(update=update)
    return made


def _without(recipe: Recipe, leg: Leg) -> Recipe:
    legs = {one: weight for one, weight in recipe.legs.items() if one != leg}
    return recipe.model_copy(update={"legs": legs})


@contextmanager
def standing_in(recipe: Recipe) -> Iterator[None]:
    """Has searches by `hybrid` go by another recipe meanwhile, in this process.

    Raises TypeError where the table of strategies cannot be changed.
    """
    if not isinstance(STRATEGIES, MutableMapping):
        raise TypeError("the table of strategies cannot be changed")
    before = STRATEGIES[CHANGED]
    STRATEGIES[CHANGED] = recipe
    try:
        yield
    finally:
        STRATEGIES[CHANGED] = before
