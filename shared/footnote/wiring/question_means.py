"""The means of a question's step: models, search, and the rest of its time and money."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from footnote import __version__
from footnote.ask.planning.waves import Limits
from footnote.ask.question.deadline import (
    READING_SECONDS,
    Step,
    check_deadline,
    has_time,
    model_deadline,
)
from footnote.model import Ledger
from footnote.ports import LLM, Embedder, Reranker
from footnote.prompts import digest_of
from footnote.wiring.estimates import affordable_tokens, pays_for_opening
from footnote.wiring.services import Services

if TYPE_CHECKING:
    from footnote.ask.question.handoff import Progress
    from footnote.ask.tools.bench import Bench
    from footnote.model import (
        Budget,
        Notes,
        Passage,
        Plan,
        QuestionRecord,
        SubQuestion,
        Task,
    )


def reranker_until(services: Services, deadline: float | None) -> Reranker | None:
    """Returns `reranker`, if there is one, bounded by the time left to a question's step."""
    if not (reranker := services.reranker):
        return None
    from footnote.adapters.embedding.resilient import ResilientReranker

    if isinstance(reranker, ResilientReranker):
        return reranker.until(deadline, services.clock)
    return reranker


def encoder_until(services: Services, deadline: float | None) -> Embedder:
    """Returns `encoder`, bounded by the time left to a question's step."""
    if services.settings.embedding_provider == "local":
        return services.encoder
    from footnote.adapters.embedding.resilient import ResilientEmbedder

    encoder = services.encoder
    if isinstance(encoder, ResilientEmbedder):
        return encoder.until(deadline, services.clock)
    return encoder


def llm_within(
    services: Services, step: Step, record: "QuestionRecord", ledger: "Ledger"
) -> LLM | None:
    """Returns `llm`, if there is one, bounded by the time, tokens and dollars left for a step.

    `ledger` is what the question has spent. Raises DeadlineError when it is too late to begin.
    """
    from footnote.ask.question.thrifty_llm import ThriftyLLM

    now = services.clock()
    check_deadline(step, record.deadline, now)
    if (llm := services.llm) is None:
        return None
    llm = services.masked(llm, record.question_id, partial(_tell_masked, services, record))
    until = model_deadline(step, record.deadline, now)
    budget, pay = budget_of(services, record), payer_of(services, record)
    is_small = services.settings.model_profile == "small"
    return ThriftyLLM(llm, until, budget, ledger, pay, only_writes=is_small)


def _tell_masked(
    services: Services, record: "QuestionRecord", task: "Task", counts: Mapping[str, int], name: str
) -> None:
    """Tells in the trace how much was masked: what it was, nothing tells."""
    from footnote.ask.question.trace import masked_event, tell

    tell(services.questions, record.question_id, "masked", masked_event(task, counts), name)


def may_open(services: Services, record: "QuestionRecord", ledger: "Ledger") -> bool:
    """Tells whether a writer is offered to open passages: what is left pays for writing twice."""
    return pays_for_opening(services.settings, ledger.left(budget_of(services, record)))


def payer_of(services: Services, record: "QuestionRecord") -> Callable[[float], None]:
    """Returns a function that counts the dollars a question pays, whatever its outcome."""
    return partial(services.usage_limits.pay, record)


@contextmanager
def metered(services: Services, pay: Callable[[float], None]) -> Iterator[Callable[[], "Ledger"]]:
    """Yields a function that returns the cost of embedding and re-ranking since its last call.

    It also gives the dollars to `pay`, even where the work fails.
    """

    def take() -> Ledger:
        spent = services.meter.take()
        pay(spent.usd)
        return Ledger(tokens=spent.tokens, usd=spent.usd, priced=spent.priced)

    try:
        yield take
    finally:
        take()


def budget_of(services: Services, record: "QuestionRecord") -> "Budget":
    """Returns the caps of a question: the settings', as its request lowered them."""
    return services.settings.budget.lowered(record.budget)


def bench_of(services: Services, record: "QuestionRecord") -> "Bench":
    """Returns the tools of a search for evidence, inside the question's scope.

    Raises DeadlineError when it is too late to begin one.
    """
    from footnote.ask.find.ports import Ports
    from footnote.ask.tools.bench import Bench
    from footnote.store.visibility import StoredDocuments
    from footnote.wiring.question_outside import outside_of

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
        outside=outside_of(services, record),
    )


def known_before(
    services: Services, record: "QuestionRecord", plan: "Plan", sub: "SubQuestion", bench: "Bench"
) -> "tuple[tuple[str, ...], list[Passage]]":
    """Returns the answers that a sub-question depends on, and passages of earlier findings."""
    from footnote.ask.evidence.findings import findings_of
    from footnote.ask.tools.recall import recall

    answers = findings_of(plan, sub, services.artifacts)
    shared = services.questions if services.settings.shared_findings == "on" else None
    return tuple(answers.values()), recall(record, sub, bench, services.artifacts, shared)


def limits_of(services: Services, record: "QuestionRecord") -> Limits:
    """Returns the bounds of a question's searches."""
    return Limits(budget_of(services, record), in_time=has_time(record.deadline, services.clock()))


def time_left(services: Services, record: "QuestionRecord") -> Callable[[], bool]:
    """Returns a function that tells whether another document may be read.

    A call of the step ends by itself before its function is stopped, and keeps what it has noted.
    """
    began = services.clock()

    def has_left() -> bool:
        now = services.clock()
        return has_time(record.deadline, now) and now - began < READING_SECONDS

    return has_left


def draw_up_plan(services: Services, record: "QuestionRecord") -> "Progress":
    """Returns the plan of a question, with the history that it was told."""
    from footnote.ask.catalogue.read import catalogue_reader
    from footnote.ask.plan import plan
    from footnote.ask.planning.collections import find_collections
    from footnote.ask.question.history import condense, pairs_of
    from footnote.model import Ledger

    llm = llm_within(services, "plan", record, Ledger())
    history, condensed = condense(record.exchanges, llm)
    progress = plan(
        record.question,
        pairs_of(history),
        record.scope,
        llm,
        record.wishes,
        services.settings.persona,
        catalogue=catalogue_reader(record.scope, services.catalog, services.clock()),
        condensed=condensed,
        collections=find_collections(
            record.question, record.scope, services.catalog, by_model=llm is not None
        ),
    )
    return progress.model_copy(update={"history": history})


def with_batches(services: Services, record: "QuestionRecord", progress: "Progress") -> "Progress":
    """Returns the progress as it is, or with the batches of documents that are read whole."""
    from footnote.ask.whole.decide import decide
    from footnote.ask.whole.stored import recall, store_batches

    affordable = None
    if services.llm is not None:
        left = progress.ledger.left(budget_of(services, record))
        affordable = affordable_tokens(services.settings, left)
    decided = decide(
        progress,
        record.scope,
        record.wishes,
        services.catalog,
        affordable,
        recall=recall(services.artifacts, record.tenant, _reader(services)),
    )
    store_batches(services.artifacts, record.question_id, decided)
    return decided.progress


def notes_on(
    services: Services, record: "QuestionRecord", progress: "Progress"
) -> "Sequence[Notes]":
    """Returns the notes on what was read whole, and has the next question begin with them."""
    from footnote.ask.whole.stored import load_notes, remember

    notes = load_notes(services.artifacts, record.question_id, progress.whole)
    if progress.whole:
        reader = _reader(services)
        remember(services.artifacts, record.tenant, reader, record.question_id, progress.whole)
    return notes


def _reader(services: Services) -> str:
    """Returns what decides which lines are noted, beside the question: this release, its model."""
    settings = services.settings
    if services.llm is None or settings.model_profile == "small":
        return f"rules of {__version__}"
    models = f"{settings.grader_model}, {settings.planner_model}"
    return f"{settings.mode}: {models}, {digest_of('read')}, {__version__}"
