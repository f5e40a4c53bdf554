"""Finds the period to which a figure of a claim belongs."""

import re
from collections.abc import Sequence

from footnote.ask.check.parts import Part

INTERIM = re.compile(
    r"(?<![a-z\d])(?:[1-4]q|[12]h|10-?q)(?![a-z\d])|(?<![a-z])(?:q[1-4]|h[12])(?!\d)"
    r"|\b(?:quarter(?:ly)?|half[- ]?year|interim|year[- ]to[- ]date)\b"
    r"|\b(?:three|six|nine|[369]) months\b|\b(?:13|26|39|thirteen|twenty-six) weeks\b",
    re.IGNORECASE,
)
"""What says that a report or a table is of a part of a year: under "2022" a year's report and a
quarter's have two figures."""


def nearest_periods(claim: Sequence[Part], i: int) -> list[Part]:
    """Returns the run of periods that is nearest to figure `i` of the claim; of two the later."""
    runs: list[list[int]] = []
    for n, part in enumerate(claim):
        if part.kind != "period":
            continue
        if runs and runs[-1][-1] == n - 1 and claim[n - 1].key.split()[0] != part.key.split()[0]:
            runs[-1].append(n)
        else:
            runs.append([n])
    if not runs:
        return []
    figures = [n for n, part in enumerate(claim) if part.figure]
    if len(figures) == len(runs) > 1:  # one each: "100 in 2022 and 120 in 2023"
        return [claim[n] for n in runs[figures.index(i)]]
    best = min(runs, key=lambda run: min(abs(n - i) - 0.5 * (n > i) for n in run))
    return [claim[n] for n in best]
