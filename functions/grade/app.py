"""Grade step: decide whether the evidence is enough and, if not, what to look for next."""

from footnote.ask.evidence import add_evidence, evidence_of
from footnote.ask.grade import grade
from footnote.ask.handoff import Progress, read_stored, store
from footnote.ask.trace import tell, verdict_event
from footnote.clock import measure
from footnote.contracts import GradeRequest, GradeResult
from footnote.store.keys import plan_key
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: GradeRequest, services: Services) -> GradeResult:
    who = request.model_dump(include={"tenant", "question_id", "run"})
    key = plan_key(request.question_id, request.round + 1)
    record = services.questions.get(request.tenant, request.question_id)
    if record.status != "RUNNING":
        # another run has ended it
        return GradeResult(**who, plan_key=key, round=request.round, wave=(), decision="enough")
    after = read_stored(services.artifacts, key, Progress)
    if after is None:
        before = Progress.model_validate_json(services.artifacts.get(request.plan_key))
        with measure("grade") as timings:
            found = [(result.sub_question, result.evidence_key) for result in request.found]
            progress = before.model_copy(update={"plan": add_evidence(before.plan, found)})
            evidence = evidence_of(progress.plan, services.artifacts)
            rounds = services.rounds_until(record.deadline, request.round)
            llm = services.llm_until("grade", record.deadline)
            graded = grade(progress, evidence, rounds, llm)
        slowest = max((result.ms for result in request.found), default=0.0)
        tokens, usd = (
            sum(one.tokens for one in request.found),
            sum(one.usd for one in request.found),
        )
        paid = graded.progress.paid("retrieve", tokens, usd)
        after = paid.timed("retrieve", slowest).timed("grade", timings["grade"])
        after = store(services.artifacts, key, after.with_decision(graded.decision, graded.wave))
    told = verdict_event(after, request.round, services.settings.max_rounds)
    tell(services.questions, request.question_id, "verdict", told, name=key)
    ahead = after.model_dump(include={"round", "wave", "decision"})
    return GradeResult(**who, plan_key=key, **ahead)
