"""Foresees whether a question's documents are read whole, and how much a model reads then."""

from typing import TYPE_CHECKING

from footnote.ask.question.expected_cost import EXPECTED, Reading
from footnote.ask.question.history import pairs_of
from footnote.model import AnswerOptions, Caps, History, Ledger, Scope
from footnote.wiring.estimates import affordable_tokens
from footnote.wiring.services import Services

if TYPE_CHECKING:
    from footnote.ask.question.handoff import Progress


def expect_reading(
    services: Services,
    scope: Scope,
    question: str,
    history: History,
    *,
    options: AnswerOptions,
    caps: Caps,
) -> Reading | None:
    """Returns what a model would read whole, None where it is a search or no model reads.

    What the table of documents answers takes no model at all.

    Rules plan the question here. A model that plans may see it otherwise.
    """
    settings = services.settings
    if settings.mode == "extractive":
        return None
    from footnote.ask.whole.batches import reading_of  # where no model is, none is needed
    from footnote.ask.whole.decide import decide

    progress = _plan(services, question, history, scope, options)
    if progress.plan.catalogue:
        return Reading(calls=0, lines=0, planned=False)
    if settings.model_profile == "small":
        return None
    planning = EXPECTED["plan"]
    spent = Ledger(tokens=planning.input + planning.output)
    affordable = affordable_tokens(settings, spent.left(settings.budget.lowered(caps)))
    return reading_of(decide(progress, scope, options, services.catalog, affordable))


def _plan(
    services: Services, question: str, history: History, scope: Scope, options: AnswerOptions
) -> "Progress":
    from footnote.ask.catalogue.read import catalogue_reader
    from footnote.ask.plan import plan

    reader = catalogue_reader(scope, services.catalog, services.clock())
    return plan(question, pairs_of(history), scope, None, options, catalogue=reader)
