"""Retrieve step: find the evidence for one sub-question, or run a model's calls of tools."""

from footnote.ask.evidence.findings import findings_of, result_of
from footnote.ask.evidence.merge import add_to_found
from footnote.ask.question.handoff import Progress, store
from footnote.ask.question.trace import search_event, tell
from footnote.ask.tools.scratchpad import read_desk
from footnote.ask.tools.toolbox import run_calls, search_plan
from footnote.ask.tools.turns import turn_event
from footnote.ask.work import gather_desk, goes_on, told
from footnote.clock import measure
from footnote.contracts import RetrieveRequest, RetrieveResult
from footnote.store.keys import desk_key, evidence_key
from footnote.wiring.question_means import bench_of, budget_of, limits_of, metered, payer_of
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: RetrieveRequest, services: Services) -> RetrieveResult:
    turn, artifacts = request.turn, services.artifacts
    at = (request.question_id, request.round, request.sub_question)
    record = services.questions.get(request.tenant, request.question_id)
    if record.status != "RUNNING":  # it was stopped, or another run has ended it
        return RetrieveResult(sub_question=request.sub_question, searches=0)
    pay = payer_of(services, record)
    with measure("retrieve") as timings, metered(services, pay) as spent:
        bench = bench_of(services, record)
        progress = Progress.model_validate_json(artifacts.get(request.plan_key))
        sub = progress.plan.sub_question(request.sub_question)
        before = desk = read_desk(artifacts, desk_key(*at, turn, "asked"), sub.id, turn)
        if turn and not desk.ended:
            desk = run_calls(desk, bench, progress.ledger).paid(*spent()[1:])
            desk = store(artifacts, key := desk_key(*at, turn, "done"), desk)
            of = budget_of(services, record).turns
            event = turn_event(before, desk, n=turn, of=of, round_=request.round)
            tell(services.questions, request.question_id, "turn", event, name=key)
            if goes_on(desk, turn, limits_of(services, record)):
                return RetrieveResult(sub_question=sub.id, turn=turn + 1)
        if turn:
            store(artifacts, desk_key(*at, 0, "left"), desk)
        findings = findings_of(progress.plan, sub, artifacts)
        evidence = gather_desk(desk, sub, turn) or search_plan(sub, findings, bench, told(desk))
        desk = desk.paid(*spent()[1:])
    store(artifacts, key := evidence_key(*at), add_to_found(progress.plan, evidence, artifacts))
    result = result_of(evidence, key, timings["retrieve"], desk.cost())
    event = search_event(progress, request.round, evidence, result)
    tell(services.questions, request.question_id, "found", event, name=key)
    return result
