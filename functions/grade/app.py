"""Grade step: decide whether the evidence is enough and, if not, what to search next."""

from footnote.ask.evidence.merge import add_evidence, evidence_of, read_wave
from footnote.ask.grade import grade
from footnote.ask.question.handoff import Progress, read_stored, store
from footnote.ask.question.measurements import measure_wave
from footnote.ask.question.trace import tell, verdict_event
from footnote.clock import measure
from footnote.contracts import Failure, GradeRequest, GradeResult
from footnote.store.keys import plan_key
from footnote.wiring.question_means import budget_of, limits_of, llm_within
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: GradeRequest, services: Services) -> GradeResult:
    who = request.model_dump(include={"tenant", "question_id", "run"})
    key = plan_key(request.question_id, request.round + 1)
    record = services.questions.get(request.tenant, request.question_id)
    if record.status != "RUNNING":  # another run has ended it
        return GradeResult(**who, plan_key=key, round=request.round, wave=(), decision="enough")
    after = read_stored(services.artifacts, key, Progress)
    if after is None:
        before = Progress.model_validate_json(services.artifacts.get(request.plan_key))
        with measure("grade") as timings:
            keys, failed = read_wave(request.found)
            with_evidence = before.model_copy(update={"plan": add_evidence(before.plan, keys)})
            paid = with_evidence.paid_for(request.found)
            evidence = evidence_of(paid.plan, services.artifacts, only=paid.plan.unsettled)
            llm = llm_within(services, "grade", record, paid.ledger)
            graded = grade(paid, evidence, limits_of(services, record), llm, failed)
        slowest = max((result.ms for result in request.found), default=0.0)
        after = graded.progress.timed("retrieve", slowest).timed("grade", timings["grade"])
        after = store(services.artifacts, key, after.with_decision(graded.decision, graded.wave))
        services.metrics.put(measure_wave(request.found, evidence, graded.decision))
    event = verdict_event(after, request.round)
    tell(services.questions, request.question_id, "verdict", event, name=key)
    ahead = after.model_dump(include={"round", "wave", "decision", "ledger"})
    ahead["turn"] = int(budget_of(services, record).turns > 0)
    if after.decision == "failed":
        ahead["failure"] = Failure.of(next(result for result in request.found if result.error))
    return GradeResult(**who, plan_key=key, **ahead)
