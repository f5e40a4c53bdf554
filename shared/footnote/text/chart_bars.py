"""Draws a chart as lines of text: a bar of blocks for each figure."""

from collections.abc import Sequence

LONGEST_BAR = 30  # characters
LONGEST_LABEL = 32
_BLOCK = "\u2588"
_LESS = "\u2592"  # of a figure below zero


def draw_bars(labels: Sequence[str], values: Sequence[float], shown: Sequence[str]) -> list[str]:
    """Returns a line for each figure: its label, its bar, the figure as it is shown."""
    short = [label[:LONGEST_LABEL] for label in labels]
    width = max(map(len, short), default=0)
    largest = max(map(abs, values), default=0.0) or 1.0
    return [
        f"{label.ljust(width)}  {_bar(value / largest)} {text}"
        for label, value, text in zip(short, values, shown, strict=True)
    ]


def _bar(share: float) -> str:
    """Returns the bar of a share of the largest figure; the smallest one still has a block."""
    length = round(abs(share) * LONGEST_BAR)
    return (_LESS if share < 0 else _BLOCK) * (max(1, length) if share else 0)
