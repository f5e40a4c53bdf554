"""Questions: ask, estimate, show, list."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.asking import begin_question, estimate_question
from footnote.api.bodies import QuestionBody
from footnote.api.caller import caller
from footnote.api.described import answers, answers_unless_known
from footnote.api.once import IdempotencyKey, Made, once
from footnote.api.replies import Answered, FindingsReply, QuestionPage, Unanswered
from footnote.api.reply import reply, unless_known
from footnote.api.request import After, Prefer, may_wait, preferred_wait
from footnote.api.views import event_view, listed_view, question_view
from footnote.model import Estimate
from footnote.service import Service

router = APIGatewayRouter()


@router.post(
    "/questions",
    responses=answers(Answered | Unanswered, 202),
    summary="Asks a question: 202 while it is worked on, 200 with the answer",
)
def ask(
    body: QuestionBody, prefer: Prefer = "", idempotency_key: IdempotencyKey = ""
) -> Response[str]:
    me = caller()
    wait = preferred_wait(prefer, me.longest_wait)

    def begun() -> Made:
        record = begin_question(me, body)
        view = None if wait else reply(202, question_view(record))
        return Made(record.question_id, view)

    def shown(question_id: str) -> Response[str]:
        return show(me, question_id, wait)

    return once(me, "ask", idempotency_key, body, begin=begun, show=shown)


def show(me: Service, question_id: str, wait: float) -> Response[str]:
    """Shows a question as soon as it has ended or the wait is over."""
    waiting = may_wait(wait)
    record = me.questions.get(question_id)
    while record.status == "RUNNING" and waiting.pause():
        record = me.questions.get(question_id)
    return reply(202 if record.status == "RUNNING" else 200, question_view(record))


@router.post(
    "/questions/estimate",
    responses=answers(Estimate),
    summary="Tells what a question is expected to cost. Nothing is asked or paid",
)
def estimate(body: QuestionBody) -> Response[str]:
    expected = estimate_question(caller(), body)
    return reply(200, expected.model_dump(mode="json"))


@router.get(
    "/questions",
    responses=answers(QuestionPage),
    summary="Lists questions, the newest first, whether of a session or not",
)
def questions(after: After = "") -> Response[str]:
    turns, following = caller().questions.newest(after)
    return reply(200, {"questions": [listed_view(turn) for turn in turns], "after": following})


@router.get(
    "/questions/<question>",
    responses=answers_unless_known(Answered | Unanswered),
    summary="Shows a question, with its answer once there is one",
)
def question(
    question: str,
    trace: Annotated[
        str, Query(description="`true`: with the events of the trace, and who asked")
    ] = "",
) -> Response[str]:
    me = caller()
    record = me.questions.get(question)
    view = question_view(record)
    if trace == "true":
        view["person"] = me.questions.asker_of(record)
        view["trace"] = [event_view(event) for event in me.questions.events(question)]
    return unless_known(view)


@router.post(
    "/questions/<question>/stop",
    responses=answers(Answered | Unanswered),
    summary="Stops a question: it ends at once, and no more is paid for it",
)
def stop(question: str) -> Response[str]:
    return reply(200, question_view(caller().questions.stop(question)))


@router.get(
    "/questions/<question>/findings",
    responses=answers(FindingsReply),
    summary="Tells what the work on a question, and on those before it, has found and where",
)
def findings(question: str) -> Response[str]:
    found = caller().questions.findings(question)
    return reply(200, {"findings": [finding.model_dump(mode="json") for finding in found]})
