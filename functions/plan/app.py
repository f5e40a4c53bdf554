"""Plan step: decide how to answer the question."""

from footnote.ask.plan import plan
from footnote.ask.planning.waves import begin
from footnote.ask.question.handoff import Progress, read_stored, store
from footnote.ask.question.history import condense, pairs_of
from footnote.ask.question.trace import plan_event, tell
from footnote.clock import measure
from footnote.contracts import PlanRequest, PlanResult
from footnote.model import Ledger
from footnote.store.keys import plan_key
from footnote.wiring.question_means import budget_of, llm_within
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: PlanRequest, services: Services) -> PlanResult:
    record = services.questions.get(request.tenant, request.question_id)
    key = plan_key(request.question_id, 1)
    if record.status != "RUNNING":  # another run has ended it
        return PlanResult(**request.model_dump(), plan_key=key, round=1, wave=())
    progress = read_stored(services.artifacts, key, Progress)
    if progress is None:
        with measure("plan") as timings:
            llm = llm_within(services, "plan", record, Ledger())
            history, condensed = condense(record.exchanges, llm)
            progress = plan(
                record.question,
                pairs_of(history),
                record.scope,
                llm,
                record.wishes,
                services.settings.persona,
                condensed=condensed,
            )
            progress = progress.model_copy(update={"history": history})
        progress = begin(progress, budget_of(services, record))
        progress = store(services.artifacts, key, progress.timed("plan", timings["plan"]))
    tell(services.questions, request.question_id, "plan", plan_event(progress), name=key)
    ahead = {"round": 1, "wave": progress.wave, "ledger": progress.ledger}
    ahead["turn"] = int(budget_of(services, record).turns > 0)
    return PlanResult(**request.model_dump(), plan_key=key, **ahead)
