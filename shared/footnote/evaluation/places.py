"""Tells whether what was found or cited is a gold place: document, page, words, box."""

from collections.abc import Sequence

from footnote.evaluation.cases import Gold
from footnote.evaluation.metrics import around, overlap
from footnote.evaluation.words import HALF, holds, relevance
from footnote.wire import Json

SAME_BOX = 0.5  # intersection over union from which two boxes are one place


def found_at(place: Gold, hit: Json) -> bool:
    """Tells whether a passage holds a gold place: document, page and words, as far as they go."""
    if hit["document"] != place.document or (place.page and place.page not in hit["pages"]):
        return False
    return not place.sentence or holds(hit["text"], place.sentence)


def cited_at(place: Gold, citation: Json, *, boxes: bool = False) -> bool:
    """Tells whether a citation points at a gold place.

    A page is as good as the gold's; where there is none, half of the gold's words must stand in the
    quote. With `boxes` also the box must be the gold's, where that has one.
    """
    if citation["document"] != place.document:
        return False
    if place.page is None:
        return not place.sentence or relevance(place.sentence, citation["quote"]) >= HALF
    if place.page not in citation["pages"]:
        return False
    return not (boxes and place.box) or _same_box(place, citation)


def _same_box(place: Gold, citation: Json) -> bool:
    drawn = [
        (box["x0"], box["y0"], box["x1"], box["y1"])
        for box in citation["boxes"]
        if box["page"] == place.page
    ]
    return bool(drawn and place.box) and overlap(around(drawn), place.box or ()) >= SAME_BOX


def rank_of(place: Gold, hits: Sequence[Json]) -> int:
    """Returns the rank of the first passage that holds a gold place, 0 if none does."""
    return next((rank for rank, hit in enumerate(hits, 1) if found_at(place, hit)), 0)
