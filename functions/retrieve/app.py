"""Retrieve step: find the evidence for one sub-question."""

from footnote.ask.deadline import check_deadline
from footnote.ask.evidence import evidence_of
from footnote.ask.handoff import Progress, store
from footnote.ask.retrieve import best_score, finding, retrieve
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
        plan = Progress.model_validate_json(services.artifacts.get(request.plan_key)).plan
        sub = next(sub for sub in plan.sub_questions if sub.id == name)
        earlier = evidence_of(plan, services.artifacts, only=sub.depends_on)
        verdicts = {other.id: other.verdict for other in plan.sub_questions}
        told = [finding(piece, verdicts[other]) for other, piece in earlier.items()]
        embedder = services.encoder_until(record.deadline)
        reranker = services.reranker_until(record.deadline)
        ports = (services.index, embedder, services.catalog, reranker)
        extracts = services.settings.mode == "extractive"
        evidence = retrieve(sub, record.scope, told, *ports, by_sentence=extracts)
    key = evidence_key(question_id, request.round, name)
    evidence = store(services.artifacts, key, evidence)
    found, best, ms = len(evidence.passages), best_score(evidence), timings["retrieve"]
    spent = services.meter.take()
    trace = {"question": sub.text, "passages": found, "best": best, "ms": ms}
    services.questions.add_event(question_id, "found", trace, name=key)
    return RetrieveResult(
        sub_question=name,
        evidence_key=key,
        passages=found,
        best=best,
        ms=ms,
        tokens=spent.tokens,
        usd=spent.usd,
    )
