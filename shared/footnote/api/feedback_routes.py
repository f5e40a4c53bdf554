"""Verdicts on answers."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import FeedbackBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import FeedbackPage, FeedbackReply
from footnote.api.reply import reply
from footnote.api.request import After
from footnote.api.views import feedback_view

router = APIGatewayRouter()


@router.post(
    "/questions/<question>/feedback",
    responses=answers(FeedbackReply, first=201),
    summary="Takes what somebody says of an answer",
)
def say(question: str, body: FeedbackBody) -> Response[str]:
    stored = caller().questions.say(
        question, body.verdict, body.reason, sentence=body.sentence, citation=body.citation
    )
    return reply(201, feedback_view(stored))


@router.get(
    "/feedback", responses=answers(FeedbackPage), summary="Lists what was said, the newest first"
)
def feedback(after: After = "") -> Response[str]:
    entries, following = caller().questions.feedback(after)
    return reply(200, {"feedback": [feedback_view(entry) for entry in entries], "after": following})
