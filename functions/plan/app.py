"""Plan step: decide how the question is going to be answered."""

from footnote.ask.keys import plan_key
from footnote.ask.plan import first_wave, plan
from footnote.bootstrap import Services
from footnote.contracts import PlanRequest, PlanResult
from footnote.ingest.accept import timed
from footnote.step import step


@step
def handler(request: PlanRequest, services: Services) -> PlanResult:
    record = services.questions.get(request.tenant, request.question_id)
    llm = services.llm_until("plan", record.deadline)
    with timed("plan") as timings:
        progress = plan(record.question, record.history, record.scope, llm)
    key = plan_key(request.question_id, 1)
    timed_progress = progress.timed("plan", timings["plan"])
    services.artifacts.put(key, timed_progress.model_dump_json().encode())
    made = progress.plan
    questions = [sub.text for sub in made.sub_questions]
    trace = {"kind": made.kind, "questions": questions, "reason": made.reason}
    services.questions.add_event(request.question_id, "plan", trace)
    return PlanResult(
        tenant=request.tenant,
        question_id=request.question_id,
        plan_key=key,
        round=1,
        wave=first_wave(made),
    )
