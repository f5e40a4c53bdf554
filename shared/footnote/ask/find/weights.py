"""Says how much each leg of a strategy counts for a question."""

from collections.abc import Callable, Mapping

from footnote.accounting.glossary import asked_statements, related_phrases
from footnote.ask.find.choose import reads_across, stand_in
from footnote.ask.find.meaning_weight import weigh_meaning
from footnote.model import STRATEGIES, Leg, SearchQuery
from footnote.ports import Embedder


def weights(
    query: SearchQuery, embedder: Embedder, covered: Callable[[], float] = lambda: 1.0
) -> Mapping[Leg, float]:
    """Returns the legs to ask for a query, each with its weight.

    `covered` returns the share of the question's words that the first passages have. It is called
    only where the weights depend on that; which legs are asked never does.

    A model that reads many languages makes shared words say less. A question for a figure counts
    meaning less: a small model brings the name of a figure and the rows of a statement hardly
    together. Neither such a question nor one in a language that the model does not read gives
    meaning more weight.
    """
    recipe = STRATEGIES[query.strategy]
    if recipe.across and reads_across(embedder.model):
        return recipe.across
    if recipe.figures and (related_phrases(query.text) or asked_statements(query.text)):
        return recipe.figures
    if not recipe.meaning_weight or stand_in(query.text, embedder.model):
        return recipe.legs
    return weigh_meaning(recipe.legs, recipe.meaning_weight, covered())
