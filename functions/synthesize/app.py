"""Synthesize step: write the answer, check every citation, finish the question."""

from footnote.ask.evidence import evidence_of
from footnote.ask.progress import Progress
from footnote.ask.synthesize import synthesize
from footnote.bootstrap import Services
from footnote.contracts import SynthesizeRequest, SynthesizeResult
from footnote.ingest.accept import timed
from footnote.service import age
from footnote.step import step
from footnote.stored import StoredDocuments


@step
def handler(request: SynthesizeRequest, services: Services) -> SynthesizeResult:
    question_id = request.question_id
    record = services.questions.get(request.tenant, question_id)
    progress = Progress.model_validate_json(services.artifacts.get(request.plan_key))
    if any(event.kind == "words" for event in services.questions.events(question_id)):
        services.questions.add_event(question_id, "restart", {})  # an earlier try was cut short
    stored = StoredDocuments(services.artifacts, services.catalog, record.scope.groups)
    with timed("synthesize") as timings:
        answer = synthesize(
            question_id,
            progress,
            evidence_of(progress.plan, services.artifacts),
            stored.document,
            stored.words,
            services.llm_until("synthesize", record.deadline),
            lambda kind, data: services.questions.add_event(question_id, kind, data),
        )
    total = {"total": round(age(record.created) * 1000, 1)}
    answer = answer.model_copy(update={"timings_ms": {**answer.timings_ms, **timings, **total}})
    services.questions.finish(record.model_copy(update={"status": "DONE", "answer": answer}))
    said, cited = len(answer.sentences), len(answer.citations)
    trace = {"found": answer.found, "citations": cited, "removed": len(answer.removed)}
    services.questions.add_event(question_id, "answered", trace)
    return SynthesizeResult(
        question_id=question_id, found=answer.found, sentences=said, citations=cited
    )
