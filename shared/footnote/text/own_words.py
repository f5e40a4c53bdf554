"""The words that footnote itself adds: replies without a source, and remarks on what OCR read.

Every face uses these words.
"""

from collections.abc import Sequence

GREETING = "Hello! Ask me about your documents; I answer with pointers to their pages."
THANKS = "You are welcome."
ABOUT = (
    "I answer questions from your documents. Every sentence of an answer points at the page it"
    " comes from, and the pointer has been checked. Ask for a fact, a figure or a rule."
)
CLARIFY = "What would you like to know about your documents?"
CATALOGUE = "The table of documents answers this: ask again in a minute."
NOT_SAID = "The documents do not say"
NO_PASSAGE = "No passage with these words was found"
"""Says what a search by words and meaning knows: other words may say the same."""
NOT_STATED = "No sentence was found that surely states"
"""Says no more than is known: the documents may say it all the same."""
NOTHING_STATED = "No sentence was found that surely states what was asked."
SEARCH_FAILED = "This could not be looked up, as the search for it failed"
NOT_REACHED = "This was not looked up, as the question's time or budget was over"
NO_FIGURES = "There is no chart: code has worked nothing out of a table for this question."
ONE_FIGURE = "There is no chart: it needs two or more figures whose rows are cited."
BY_MODEL = (
    "A model has read all of these documents and chosen the lines; they stand there as they are"
    " shown. It may have missed one."
)
OWN_TEXTS = (GREETING, THANKS, ABOUT, CLARIFY)
"""All that footnote ever says without a source."""

type Doubtful = tuple[int, int, str, str]
"""A figure that OCR may have misread: its start and end in the quote, the reason, the other."""

BY_OCR = "read by OCR: compare with the page"
"""Replaces the ✓ that a quote of the file's own text has."""
UNSURE = "[?]"
MOST_EXPLAINED = 5  # figures of a quote
_LONGEST = 60  # characters of a figure


def mark_figures(quote: str, doubts: Sequence[Doubtful]) -> str:
    """Returns a quote with a mark behind each doubtful figure: "1437.30 [?]"."""
    for end in sorted({end for _, end, _, _ in doubts}, reverse=True):
        quote = f"{quote[:end]} {UNSURE}{quote[end:]}"
    return quote


def explain_figures(quote: str, doubts: Sequence[Doubtful]) -> list[str]:
    """Returns why figures are doubtful: "1437.30: the file's own text layer says 14,377.30"."""
    explanations = [
        f"{_flat(quote[start:end])}: {_why(reason, _flat(other))}"
        for start, end, reason, other in doubts[:MOST_EXPLAINED]
    ]
    more = len(doubts) - MOST_EXPLAINED
    return [*explanations, f"and {more} more"] if more > 0 else explanations


def _why(reason: str, other: str) -> str:
    if reason == "differs":
        return f"the file's own text layer says {other or 'something else'}"
    return "OCR is not sure of this figure"


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
