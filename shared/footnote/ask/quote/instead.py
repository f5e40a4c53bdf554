"""Replaces a sentence that did not hold with the document's own sentence nearest in words."""

from collections.abc import Mapping

from footnote.model import Passage
from footnote.text.sentences import sentences
from footnote.text.terms import numbers, terms

LEAST = 0.5  # share of the sentence's terms that the quote must have, figures adding to it
NONE = "NONE"


def quote_instead(text: str, passages: Mapping[int, Passage]) -> str:
    """Returns the passages' sentence nearest to `text` with its marker, or NONE if none is near."""
    wanted, figures = set(terms(text)), numbers(text)
    ranked = [
        (len(wanted & set(terms(said))) + 0.5 * len(figures & numbers(said)), said, n)
        for n, passage in passages.items()
        for said in (passage.text[start:end] for start, end in sentences(passage.text))
    ]
    shared, said, n = max(ranked, key=lambda one: one[0], default=(0.0, "", 0))
    if not wanted or shared < LEAST * len(wanted):
        return NONE
    return f"{' '.join(said.split())} [{n}]"
