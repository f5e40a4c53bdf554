"""Rules for contextual lines: a line must be one plain sentence about the model's input.

A model wrote the line, and a document may have told it what to write.
"""

import re
from collections.abc import Sequence

from footnote.ingest.chunk.units import Count
from footnote.text.sentences import sentences
from footnote.text.terms import numbers, terms

LINE_TOKENS = 40  # the embedder's tokens: where lines are on, chunks are smaller by this
# share of a line's informative words; answers' sentences and quotes have the same bound
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


def find_problem(line: str, inputs: Sequence[str], count: Count) -> str:
    """Returns a code for a line's problem, or "". `inputs` are the texts that the model got."""
    if "\n" in line or len(sentences(line)) > 1:
        return "several_lines"
    if count([line])[0] > LINE_TOKENS:
        return "too_long"
    if _REFUSAL.search(line):
        return "refusal"
    if _MARKUP.search(line) or _ORDER.search(line):
        return "not_plain"
    return "" if _is_known(line, "\n".join(inputs)) else "not_given"


def _is_known(line: str, inputs: str) -> bool:
    """Tells whether the model's input has all numbers and half the words of a line."""
    if numbers(line) - numbers(inputs):
        return False
    line_terms, given_terms = set(terms(line)), set(terms(inputs))
    return bool(line_terms) and len(line_terms & given_terms) >= _LEAST_KNOWN * len(line_terms)
