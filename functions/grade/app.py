"""Grade step: is the evidence enough? If not, what to look for next."""

from footnote.ask.evidence import evidence_of, with_evidence
from footnote.ask.grade import grade
from footnote.ask.keys import plan_key
from footnote.ask.progress import Progress
from footnote.bootstrap import Services
from footnote.contracts import GradeRequest, GradeResult
from footnote.ingest.accept import timed
from footnote.step import step


@step
def handler(request: GradeRequest, services: Services) -> GradeResult:
    before = Progress.model_validate_json(services.artifacts.get(request.plan_key))
    deadline = services.questions.get(request.tenant, request.question_id).deadline
    with timed("grade") as timings:
        plan = with_evidence(before.plan, [(r.sub_question, r.evidence_key) for r in request.found])
        progress = before.model_copy(update={"plan": plan})
        evidence = evidence_of(plan, services.artifacts)
        llm = services.llm_until("grade", deadline)
        graded = grade(progress, evidence, services.rounds_until(deadline, request.round), llm)
    slowest = max((result.ms for result in request.found), default=0.0)
    after = graded.progress.timed("retrieve", slowest).timed("grade", timings["grade"])
    key = plan_key(request.question_id, request.round + 1)
    services.artifacts.put(key, after.model_dump_json().encode())
    verdicts = [sub.verdict.model_dump() for sub in after.plan.sub_questions if sub.verdict]
    trace = {"decision": graded.decision, "round": request.round, "verdicts": verdicts}
    services.questions.add_event(request.question_id, "verdict", trace)
    return GradeResult(
        tenant=request.tenant,
        question_id=request.question_id,
        plan_key=key,
        round=after.round,
        wave=graded.wave,
        decision=graded.decision,
    )
