"""Searching, without an answer."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api import asking
from footnote.api.bodies import SearchBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import SearchReply
from footnote.api.reply import reply

router = APIGatewayRouter()


@router.post("/search", responses=answers(SearchReply), summary="Finds passages, best first")
def search(body: SearchBody) -> Response[str]:
    return reply(200, asking.search(caller(), body))
