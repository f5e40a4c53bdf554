"""Gives meaning more weight where a question uses other words than the documents.

Scores by words only compare passages: the best of them counts in full, even where it shares no more
with a question than "how long" and "leave". So it is looked up how many of the question's words the
first passages by words have. The fewer, the more the leg `meaning` counts.

Measured in docs/experiments-search.md, "Other words than the documents'".
"""

from collections.abc import Iterable, Mapping, Sequence

from footnote.ask.find.rank import best_first
from footnote.model import Candidate, Leg
from footnote.text.terms import terms

FIRST = 5
"""The passages, best by words, that are looked at. Three to ten of them differ little."""
ENOUGH = 0.5
"""The share of a question's words from which on a passage is taken to say it in the same words.
From .6 on less is found of reports and abstracts, which are mostly asked about in their own words.
"""


def first_by_words(found: Sequence[Candidate]) -> list[str]:
    """Returns the ids of the best candidates of the leg `words`."""
    return [one.chunk_id for one in best_first(found)[:FIRST]]


def covered(question: str, texts: Iterable[str]) -> float:
    """Returns the largest share of the question's words that one of the texts has, from 0 to 1.

    A question of stop words alone is covered by any text.
    """
    asked = set(terms(question))
    if not asked:
        return 1.0
    return max((len(asked.intersection(terms(text))) / len(asked) for text in texts), default=0.0)


def weigh_meaning(legs: Mapping[Leg, float], most: float, share: float) -> Mapping[Leg, float]:
    """Returns the legs' weights where the first passages by words have a `share` of the question.

    `meaning` gains `most` times its weight where they have none of its words, and nothing from
    `ENOUGH` on.
    """
    if share >= ENOUGH or "meaning" not in legs:
        return legs
    return {**legs, "meaning": legs["meaning"] * (1 + most * (1 - share / ENOUGH))}
