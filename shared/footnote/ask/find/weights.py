"""Says how much each leg of a strategy counts for a query.

Meaning counts more where a question uses other words than the documents. Scores by words only
compare passages: the best of them counts in full, even where it shares no more with a question than
"how long" and "leave". So it is looked up how many of the question's words the first passages by
words have. The fewer, the more the leg `meaning` counts.

Measured in docs/experiments-search.md, "Other words than the documents'".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from footnote.ask.find.choose import reads_across, replace_unread
from footnote.ask.find.rank import best_first
from footnote.ask.query.reading import Query, QueryReading
from footnote.model import STRATEGIES, Candidate, Leg
from footnote.ports import Embedder
from footnote.text.terms import terms

FIRST = 5
"""The passages, best by words, that are looked at. Three to ten of them differ little."""
ENOUGH = 0.5
"""The share of a question's words from which on a passage is taken to say it in the same words.
From .6 on less is found of reports and abstracts, which are mostly asked about in their own words.
"""


def weigh_legs(
    query: Query, embedder: Embedder, covered: Callable[[], float] = lambda: 1.0
) -> Mapping[Leg, float]:
    """Returns the legs to ask for a query, each with its weight.

    `covered` returns the share of the question's words that the first passages have. It is called
    only where the weights depend on that; which legs are asked never does.

    A model that reads many languages makes shared words say less. A question for a figure counts
    meaning less: a small model brings the name of a figure and the rows of a statement hardly
    together. Neither such a question nor one in a language that the model does not read gives
    meaning more weight.
    """
    recipe = STRATEGIES[query.search.strategy]
    if recipe.across and reads_across(embedder.model):
        return recipe.across
    if recipe.figures and query.reading.asks_for_figure:
        return recipe.figures
    if not recipe.meaning_weight or replace_unread(query.reading, embedder.model):
        return recipe.legs
    return weigh_meaning(recipe.legs, recipe.meaning_weight, covered())


def first_by_words(candidates: Sequence[Candidate]) -> list[str]:
    """Returns the ids of the best candidates of the leg `words`."""
    return [one.chunk_id for one in best_first(candidates)[:FIRST]]


def covered_share(reading: QueryReading, texts: Iterable[str]) -> float:
    """Returns the largest share of the query's words that one of the texts has, from 0 to 1.

    A query of stop words alone is covered by any text.
    """
    wanted = reading.terms
    if not wanted:
        return 1.0
    return max((len(wanted.intersection(terms(text))) / len(wanted) for text in texts), default=0.0)


def weigh_meaning(legs: Mapping[Leg, float], most: float, share: float) -> Mapping[Leg, float]:
    """Returns the legs' weights where the first passages by words have a `share` of the query.

    `meaning` gains `most` times its weight where they have none of its words, and nothing from
    `ENOUGH` on.
    """
    if share >= ENOUGH or "meaning" not in legs:
        return legs
    return {**legs, "meaning": legs["meaning"] * (1 + most * (1 - share / ENOUGH))}
