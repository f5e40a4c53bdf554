"""Foresees what a question has a model read: documents whole, or the passages of searches."""

from typing import TYPE_CHECKING

from footnote.ask.question.expected_cost import PLAN, Reading, Searching
from footnote.ask.question.history import pairs_of
from footnote.model import AnswerOptions, Caps, History, Ledger, Plan, Scope
from footnote.wiring.estimates import affordable_tokens
from footnote.wiring.services import Services

if TYPE_CHECKING:
    from footnote.ask.question.handoff import Progress


def expect_work(
    services: Services,
    scope: Scope,
    question: str,
    history: History,
    *,
    options: AnswerOptions,
    caps: Caps,
) -> Reading | Searching:
    """Returns what a model would read whole, or what would be searched for.

    What the table of documents answers takes no model at all.

    Rules plan the question here. A model that plans may see it otherwise.
    """
    settings = services.settings
    if settings.mode == "extractive":
        return Searching()
    from footnote.ask.whole.batches import reading_of  # where no model is, none is needed
    from footnote.ask.whole.decide import decide

    progress = _plan(services, question, history, scope, options)
    if progress.plan.catalogue:
        return Reading(calls=0, lines=0, planned=False)
    if settings.model_profile == "small":
        return Searching()
    spent = Ledger(tokens=PLAN.input + PLAN.output)
    affordable = affordable_tokens(settings, spent.left(settings.budget.lowered(caps)))
    decided = decide(progress, scope, options, services.catalog, affordable)
    return reading_of(decided) or _searching(services, scope, progress.plan)


def _searching(services: Services, scope: Scope, plan: Plan) -> Searching:
    """Returns what is searched for, by the size of what a search finds in this scope.

    A model looks up each side of a comparison, which rules leave in one.
    """
    from footnote.ask.find.passages import tokens_found
    from footnote.ask.whole.catalogue import sample_sizes

    subs = plan.sub_questions
    if not subs:  # a reply at once: a model that plans may have looked it up
        return Searching()
    sizes = sample_sizes(scope, services.catalog)
    words = [tokens_found(sub.text, sizes, wide=sub.wide) for sub in subs if not sub.field]
    sides = 2 if plan.question_kind == "comparison" and len(words) == 1 else 1
    return Searching(
        words=(*words,) * sides,
        fields=tuple(tokens_found(sub.text, sizes) for sub in subs if sub.field and not sub.wide),
        arrays=any(sub.field and sub.wide for sub in subs),
    )


def _plan(
    services: Services, question: str, history: History, scope: Scope, options: AnswerOptions
) -> "Progress":
    from footnote.ask.catalogue.read import catalogue_reader
    from footnote.ask.plan import plan

    reader = catalogue_reader(scope, services.catalog, services.clock())
    return plan(question, pairs_of(history), scope, None, options, catalogue=reader)
