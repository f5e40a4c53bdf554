"""How a search may be made: legs, and the recipe of each strategy."""

from collections.abc import Mapping
from typing import Literal

from footnote.model.identity import Value

type ChunkLeg = Literal["words", "meaning"]
"""Finds chunks: by their words, or by the meaning in their vectors."""
type NodeKind = Literal["page", "table", "document"]
"""A leg of this name finds nodes of the kind by their words, and lifts the chunks inside them."""
type NameLeg = Literal["document", "named"]
"""Finds documents by their names: with all words of a question, or with the names in it."""
type Leg = ChunkLeg | NodeKind | NameLeg | Literal["statement"]
"""`statement` finds the tables that are a wanted financial statement."""
type Scale = Literal["min_max", "reciprocal_rank"]
"""How the raw scores of legs become comparable (`ask/find/rank.py`)."""


class Recipe(Value):
    """How a strategy finds: it asks legs, scales their scores, and adds them up by weight.

    `candidates` is the number of chunks that each leg gives. It is fixed: else the order of the
    hits would depend on how many are wanted. Where legs are fused, 200 find more than 100 in every
    measured set (docs/experiments-search.md, "Fusion and number of candidates"). Legs of nodes only
    lift chunks that another leg has found, so a recipe needs a leg of chunks.
    """

    legs: Mapping[Leg, float]  # leg → weight
    figures: Mapping[Leg, float] = {}  # weights instead, for figures that `accounting` knows
    across: Mapping[Leg, float] = {}  # weights instead, for a model that reads many languages
    scale: Scale = "min_max"
    candidates: int = 200
    meaning_weight: float = 0.0  # how many times its weight `meaning` gains at most
    alike: float = 0.0  # weight of what is like the first hits; 0: not asked for
    stated: float = 0.0  # weight of the statement that has the figure asked for; 0: not asked for
    reranked: int = 0  # of the first hits, which a re-ranking model puts in order
    when: str = ""  # when a planner should use it


Strategy = Literal["lexical", "semantic", "navigate", "hybrid", "hybrid_reranked", "auto"]
_HYBRID: Mapping[Leg, float] = {
    "words": 0.25,
    "meaning": 0.4,
    "page": 0.2,
    "table": 0.1,
    "document": 0.2,
    "named": 0.3,
}
_FIGURES: Mapping[Leg, float] = {**_HYBRID, "meaning": 0.3, "table": 0.2}
_STATED = 0.3
_FUSED = Recipe(legs=_HYBRID, figures=_FIGURES, meaning_weight=4.0, alike=0.2, stated=_STATED)


def _fused(when: str, *, reranked: int = 0) -> Recipe:
    return _FUSED.model_copy(update={"when": when, "reranked": reranked})


STRATEGIES: Mapping[Strategy, Recipe] = {
    "lexical": Recipe(
        when="by the words of passages and pages: an exact code, a number, a quotation",
        legs={"words": 0.5, "page": 0.5},
    ),
    "semantic": Recipe(
        when="by meaning, then pages and documents by their words: other words for a thing, or"
        " another language",
        legs={"meaning": 0.5, "page": 0.2, "document": 0.15, "named": 0.2},
        across={"meaning": 0.5, "document": 0.15, "named": 0.2},
    ),
    "navigate": Recipe(
        when="by the words of passages, pages, tables and documents' names, without meaning: a bare"
        " name, a certain document or table",
        legs={"words": 0.35, "page": 0.35, "table": 0.1, "document": 0.2, "named": 0.3},
        stated=_STATED,
    ),
    "hybrid": _fused("by words and meaning together: whole questions"),
    "hybrid_reranked": _fused(
        "as `hybrid`, then a model orders the first hits: many passages that are much alike",
        reranked=50,
    ),
    "auto": _fused(
        "chooses one of the others by the question and the languages: whenever in doubt"
    ),
}
"""`auto` is resolved before a search (`ask/find/choose.py`); what nobody resolves is `hybrid`.
Weights are rounded from those that were learned with one part of the documents left out at a
time (docs/experiments-search.md, "Nodes and the name of the document")."""


class Choice(Value):
    """The strategy that replaced the named one, and why."""

    strategy: Strategy
    why: str
