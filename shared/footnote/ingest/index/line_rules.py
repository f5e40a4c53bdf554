"""Rules for contextual lines: only a plain sentence about the given text is kept.

A model wrote the line, and a document may have told it what to write.
"""

import re
from collections.abc import Sequence

from footnote.ingest.chunk.units import Count
from footnote.text.sentences import sentences
from footnote.text.terms import numbers, terms

LINE_TOKENS = 40  # of the embedder's: where lines are on, chunks are smaller by this
# of the informative words; as for what an answer's sentence shares with its quote
_LEAST_KNOWN = 0.5
_MARKUP = re.compile(r"[<>{}\[\]`|]|https?:|www\.|\*\*|^#")
_REFUSAL = re.compile(
    r"\b(?:I|we) (?:can(?:no|['\u2019])t|can not|won['\u2019]t|will not|am unable|apologi[sz]e"
    r"|do not have|don['\u2019]t have)"
    r"|\bI['\u2019]m (?:sorry|unable|not able)|\bas an? (?:AI|language model|assistant)\b"
    r"|^(?:sorry|sure|certainly|here is|here's)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|previous|prior|above|prompt)\b"
    r"|\bsystem prompt\b",
    re.IGNORECASE,
)


def find_problem(line: str, given: Sequence[str], count: Count) -> str:
    """Returns a code for what is wrong with a line made of the texts `given`; "" if nothing is."""
    if "\n" in line or len(sentences(line)) > 1:
        return "several_lines"
    if count([line])[0] > LINE_TOKENS:
        return "too_long"
    if _REFUSAL.search(line):
        return "refusal"
    if _MARKUP.search(line) or _ORDER.search(line):
        return "not_plain"
    return "" if _is_known(line, "\n".join(given)) else "not_given"


def _is_known(line: str, given: str) -> bool:
    """Tells whether all of a line's numbers and half its words are in what the model was given."""
    if numbers(line) - numbers(given):
        return False
    said, known = set(terms(line)), set(terms(given))
    return bool(said) and len(said & known) >= _LEAST_KNOWN * len(said)
