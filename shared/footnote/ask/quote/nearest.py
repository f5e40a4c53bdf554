"""Chooses what is shown where no sentence surely answers: the likeliest lines of the best passages.

They are no answer, and nobody says that they are. So they need no score: the order tells enough.
"""

from collections.abc import Iterator, Mapping, Sequence

from footnote.ask.quote.lines import NEAR_BEST, RankedLine, rank_lines
from footnote.model import Evidence, Plan

MOST_PASSAGES = 4
MOST_LINES = 3  # of a passage


def nearest_lines(plan: Plan, evidence: Mapping[str, Evidence]) -> list[list[RankedLine]]:
    """Returns the likeliest lines, a list for each of the best passages of all sub-questions.

    The sub-questions take turns, so that each has a passage before one has a second.
    """
    pieces = [evidence[sub.id] for sub in plan.sub_questions if sub.id in evidence]
    waiting = [_by_passage(rank_lines(piece.question, piece)) for piece in pieces]
    most = max(MOST_PASSAGES, len(waiting))
    chosen: dict[tuple[str, str, int, int], list[RankedLine]] = {}
    while len(chosen) < most and (waiting := [queue for queue in waiting if queue]):
        for queue in waiting:
            lines = queue.pop(0)
            if len(chosen) < most:
                chosen.setdefault(lines[0].passage.key, lines)
    return list(chosen.values())


def _by_passage(ranked: Sequence[RankedLine]) -> list[list[RankedLine]]:
    """Returns the best lines of each passage as they stand there, the best passage first."""
    lines: dict[tuple[str, str, int, int], list[RankedLine]] = {}
    for line in ranked:
        lines.setdefault(line.passage.key, []).append(line)
    return [sorted(_best(own), key=lambda line: line.sentence.start) for own in lines.values()]


def _best(ranked: Sequence[RankedLine]) -> Iterator[RankedLine]:
    """Yields the best line of a passage, and those nearly as good that are of its kind."""
    for line in ranked[:MOST_LINES]:
        if line.score >= NEAR_BEST * ranked[0].score and line.header == ranked[0].header:
            yield line
