"""Retrieve step: run what a model wants looked up, or find the evidence for one sub-question."""

from footnote.ask.evidence.findings import result_of
from footnote.ask.evidence.merge import add_to_found
from footnote.ask.question.handoff import Progress, store
from footnote.ask.question.trace import search_event, tell
from footnote.ask.retrieve import retrieve
from footnote.ask.tools.scratchpad import read_scratchpad
from footnote.ask.tools.toolbox import run_calls
from footnote.ask.tools.turns import measure_turn, store_turn
from footnote.ask.work import gather_evidence, goes_on, notes_of
from footnote.clock import measure
from footnote.contracts import RetrieveRequest, RetrieveResult
from footnote.store.keys import evidence_key, scratchpad_key
from footnote.wiring.question_means import bench_of, known_before, limits_of, metered, payer_of
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: RetrieveRequest, services: Services) -> RetrieveResult:
    turn, artifacts, questions = request.turn, services.artifacts, services.questions
    at = (request.question_id, request.round, request.sub_question)
    record = questions.get(request.tenant, request.question_id)
    if record.status != "RUNNING":  # it was stopped, or another run has ended it
        return RetrieveResult(sub_question=request.sub_question, searches=0)
    with measure("retrieve") as timings, metered(services, payer_of(services, record)) as spent:
        bench = bench_of(services, record)
        progress = Progress.model_validate_json(artifacts.get(request.plan_key))
        sub = progress.plan.sub_question(request.sub_question)
        before = read_scratchpad(artifacts, scratchpad_key(*at, turn, "asked"), sub.id, turn)
        after, evidence = before, None
        if turn:
            if not before.ended:
                after = run_calls(before, bench, progress.ledger).paid(spent())
                after = store_turn(request, before, after, artifacts, questions, of=bench.turns)
                services.metrics.put(measure_turn(before, after))
            if goes_on(after, turn, limits_of(services, record)):
                return RetrieveResult(sub_question=sub.id, turn=turn + 1)
            store(artifacts, scratchpad_key(*at, 0, "left"), after)
            evidence = gather_evidence(after, sub, turn, bench)
        if evidence is None:
            answers, more = known_before(services, record, progress.plan, sub, bench)
            evidence = retrieve(sub, bench.scope, answers, bench.ports, more).after(notes_of(after))
        after = after.paid(spent())
    store(artifacts, key := evidence_key(*at), add_to_found(progress.plan, evidence, artifacts))
    result = result_of(evidence, key, timings["retrieve"], after.cost())
    event = search_event(progress, request.round, evidence, result)
    tell(questions, request.question_id, "found", event, name=key)
    return result
