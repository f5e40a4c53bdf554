"""What a step of a question may use: models, the search, and what is left of time and money."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from footnote.ask.planning.waves import Limits
from footnote.ask.question.deadline import Step, check_deadline, has_time, model_deadline
from footnote.ports import LLM, Embedder, Reranker
from footnote.wiring.services import Services

if TYPE_CHECKING:
    from footnote.adapters.calls.meter import Spent
    from footnote.ask.tools.toolbox import Bench
    from footnote.model import Budget, Ledger, QuestionRecord


def reranker_until(services: Services, deadline: float | None) -> Reranker | None:
    """Returns `reranker`, if there is one, with the time that a question's step has left."""
    if not (found := services.reranker):
        return None
    from footnote.adapters.embedding.resilient import ResilientReranker

    if isinstance(found, ResilientReranker):
        return found.until(deadline, services.clock)
    return found


def encoder_until(services: Services, deadline: float | None) -> Embedder:
    """Returns `encoder` with the time that a question's step has left."""
    if services.settings.embedding_provider == "local":
        return services.encoder
    from footnote.adapters.embedding.resilient import ResilientEmbedder

    found = services.encoder
    if isinstance(found, ResilientEmbedder):
        return found.until(deadline, services.clock)
    return found


def llm_until(services: Services, step: Step, deadline: float | None) -> LLM:
    """Returns `llm` with the time that a question's step may spend on its model.

    Raises DeadlineError when it is too late to begin this step.
    """
    from footnote.adapters.calls.timed_llm import DeadlineLLM

    check_deadline(step, deadline, services.clock())
    return DeadlineLLM(services.llm, model_deadline(step, deadline, services.clock()))


def llm_within(services: Services, step: Step, record: "QuestionRecord", ledger: "Ledger") -> LLM:
    """Returns `llm` with the time, tokens and dollars that a question has left for a step.

    `ledger` is what it has spent. Raises DeadlineError when it is too late to begin this step.
    """
    from footnote.adapters.llm.thrifty_llm import ThriftyLLM
    from footnote.ask.rules import Extractive

    timed = llm_until(services, step, record.deadline)
    if isinstance(services.llm, Extractive):
        return timed
    pay = payer_of(services, record)
    return ThriftyLLM(timed, Extractive(), budget_of(services, record), ledger, pay)


def payer_of(services: Services, record: "QuestionRecord") -> Callable[[float], None]:
    """Returns what counts the dollars that a question pays, whatever becomes of it."""
    return partial(services.usage_limits.pay, record)


@contextmanager
def metered(services: Services, pay: Callable[[float], None]) -> Iterator[Callable[[], "Spent"]]:
    """Yields what tells what embedding and re-ranking have cost since it was last asked.

    `pay` is told the dollars, also where the work fails.
    """

    def take() -> "Spent":
        spent = services.meter.take()
        pay(spent.usd)
        return spent

    try:
        yield take
    finally:
        take()


def budget_of(services: Services, record: "QuestionRecord") -> "Budget":
    """Returns the caps of a question: those of the settings, as its request lowered them."""
    return services.settings.budget.lowered(record.budget)


def bench_of(services: Services, record: "QuestionRecord") -> "Bench":
    """Returns what a search for evidence works with, inside the question's scope.

    Raises DeadlineError when it is too late to begin one.
    """
    from footnote.ask.find.ports import Ports
    from footnote.ask.tools.toolbox import Bench
    from footnote.store.stored_documents import StoredDocuments

    check_deadline("retrieve", record.deadline, services.clock())
    stored = StoredDocuments(services.artifacts, services.catalog, record.scope.groups)
    budget = budget_of(services, record)
    return Bench(
        scope=record.scope,
        ports=Ports(
            services.index,
            encoder_until(services, record.deadline),
            services.catalog,
            reranker_until(services, record.deadline),
            services.reader,
        ),
        document=stored.document,
        searches=budget.searches,
        turns=budget.turns,
        by_sentence=services.settings.mode == "extractive",
    )


def limits_of(services: Services, record: "QuestionRecord") -> Limits:
    """Returns what bounds the searches of a question."""
    return Limits(budget_of(services, record), in_time=has_time(record.deadline, services.clock()))
