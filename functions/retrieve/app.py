"""Retrieve step: find the evidence for one sub-question."""

from footnote.ask.deadline import check_deadline
from footnote.ask.evidence import evidence_of
from footnote.ask.handoff import Progress, store
from footnote.ask.retrieve import best_score, finding, retrieve
from footnote.ask.trace import search_event, tell
from footnote.clock import measure
from footnote.contracts import RetrieveRequest, RetrieveResult
from footnote.store.keys import evidence_key
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: RetrieveRequest, services: Services) -> RetrieveResult:
    name, question_id = request.sub_question, request.question_id
    with measure("retrieve") as timings:
        record = services.questions.get(request.tenant, question_id)
        check_deadline("retrieve", record.deadline, services.clock())
        before = Progress.model_validate_json(services.artifacts.get(request.plan_key))
        plan = before.plan
        sub = next(sub for sub in plan.sub_questions if sub.id == name)
        earlier = evidence_of(plan, services.artifacts, only=sub.depends_on)
        facts = [finding(earlier[other]) for other in sub.depends_on if other in earlier]
        embedder = services.encoder_until(record.deadline)
        reranker = services.reranker_until(record.deadline)
        ports = (services.index, embedder, services.catalog, reranker)
        extracts = services.settings.mode == "extractive"
        evidence = retrieve(sub, record.scope, facts, *ports, by_sentence=extracts)
    key = evidence_key(question_id, request.round, name)
    evidence = store(services.artifacts, key, evidence)
    spent = services.meter.take()
    result = RetrieveResult(
        sub_question=name,
        evidence_key=key,
        passages=len(evidence.passages),
        best=best_score(evidence),
        ms=timings["retrieve"],
        tokens=spent.tokens,
        usd=spent.usd,
    )
    told = search_event(before, request.round, evidence, result)
    tell(services.questions, question_id, "found", told, name=key)
    return result
