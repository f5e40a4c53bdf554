"""Synthesize step: write the answer, check every citation, finish the question."""

from functools import partial

from footnote.ask.answer.material import Material
from footnote.ask.catalogue.tally import stock_taker
from footnote.ask.data.schema import read_schema
from footnote.ask.question.asked_share import describe_share
from footnote.ask.question.handoff import Progress
from footnote.ask.question.measurements import measure_question
from footnote.ask.synthesize import synthesize
from footnote.ask.tools.established import establish
from footnote.ask.write.origins import name_origins
from footnote.ask.write.single_writer import Writing
from footnote.clock import measure, total_since
from footnote.contracts import SynthesizeRequest, SynthesizeResult
from footnote.store.visibility import StoredDocuments
from footnote.wiring.question_means import llm_within, may_open, notes_on
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: SynthesizeRequest, services: Services) -> SynthesizeResult:
    question_id = request.question_id
    record = services.questions.get(request.tenant, question_id)
    if record.status != "RUNNING":  # another run has ended it
        return SynthesizeResult.of(question_id, record.answer)
    writing = Writing(services.questions, services.artifacts, question_id)
    if (answer := writing.begin(request.run)) is None:
        progress = Progress.model_validate_json(services.artifacts.get(request.plan_key))
        stored = StoredDocuments(services.artifacts, services.catalog, record.scope.groups)
        evidence = establish(record, progress.plan, services.artifacts)
        model = llm_within(services, "synthesize", record, progress.ledger)
        with measure("synthesize") as timings, writing.remember(model) as llm:
            given = Material(
                *(question_id, progress, evidence, stored.document, stored.words),
                *(llm, writing.tell, read_schema(record.wishes.data_schema)),
                *(stock_taker(record.scope, services.catalog), services.settings.evidence_tokens),
                strict=record.wishes.is_strict(unless_said=services.settings.strict),
                describe_share=partial(describe_share, record.scope, services.catalog),
                notes=notes_on(services, record, progress),
                waited_ms=total_since(record.created, services.clock())["total"],
                may_open=may_open(services, record, progress.ledger),
            )
            answer = synthesize(given)
        answer = answer.timed({**timings, **total_since(record.created, services.clock())})
        answer = writing.keep(name_origins(answer, services.catalog))
    services.usage_limits.settle(record)
    ended = writing.finish(record, answer)
    services.metrics.put(measure_question(ended, services.clock()))
    return SynthesizeResult.of(question_id, ended.answer)
