"""The words for quotes that OCR read. Every face uses them, and marks doubtful figures."""

from collections.abc import Sequence

type Doubtful = tuple[int, int, str, str]
"""A figure that OCR may have misread: its start and end in the quote, the
reason, the other figure.
"""

BY_OCR = "read by OCR: compare with the page"
"""Replaces the ✓ that a quote of the file's own text has."""
UNSURE = "[?]"
MOST = 5  # figures of a quote that are explained
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
        for start, end, reason, other in doubts[:MOST]
    ]
    more = len(doubts) - MOST
    return [*explanations, f"and {more} more"] if more > 0 else explanations


def _why(reason: str, other: str) -> str:
    if reason == "differs":
        return f"the file's own text layer says {other or 'something else'}"
    return "OCR is not sure of this figure"


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
