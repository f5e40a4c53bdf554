"""Fail step: a step of a question failed for good. End the question with the reason."""

from footnote.ask.write.single_writer import CLAIM_SECONDS
from footnote.contracts import FailRequest, FailResult
from footnote.errors import problem_of
from footnote.model import Measurement
from footnote.wiring.logs import logger
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: FailRequest, services: Services) -> FailResult:
    record = services.questions.get(request.tenant, request.question_id)
    services.usage_limits.settle(record)
    # another run of this question may be writing the answer: then that run ends it
    if services.questions.claim(request.question_id, request.run, CLAIM_SECONDS):
        logger.error("question failed", error=request.error)  # callers do not read the name
        problem = problem_of(request.error, request.cause)
        failed = record.model_copy(update={"status": "FAILED", "error": problem})
        if services.questions.finish(failed).status == "FAILED":
            services.metrics.put([Measurement(name="QuestionsEnded", of="failed")])
    return FailResult(question_id=request.question_id)
