"""Plan step: decide how to answer the question."""

from footnote.ask.planning.waves import begin
from footnote.ask.question.handoff import Progress, read_stored, store
from footnote.ask.question.trace import plan_event, tell
from footnote.clock import measure
from footnote.contracts import PlanRequest, PlanResult
from footnote.store.keys import plan_key
from footnote.wiring.question_means import budget_of, draw_up_plan, with_batches
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
            progress = draw_up_plan(services, record)
        progress = begin(progress, budget_of(services, record))
        progress = with_batches(services, record, progress)
        progress = store(services.artifacts, key, progress.timed("plan", timings["plan"]))
    tell(services.questions, request.question_id, "plan", plan_event(progress), name=key)
    ahead = {"round": 1, "wave": progress.wave, "ledger": progress.ledger}
    ahead["turn"] = int(budget_of(services, record).turns > 0)
    ahead["batches"] = progress.whole.batches if progress.whole else ()
    return PlanResult(**request.model_dump(), plan_key=key, **ahead)
