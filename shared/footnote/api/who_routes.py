"""Who asks: how to sign in, and the caller's limits and use."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.caller import asker, service_of, ways_to_sign_in
from footnote.api.described import answers
from footnote.api.replies import Me, SignIn
from footnote.api.reply import reply
from footnote.api.who import me_view

router = APIGatewayRouter()


@router.get("/signin", responses=answers(SignIn), summary="Tells how to sign in")
def sign_in() -> Response[str]:
    return reply(200, ways_to_sign_in())


@router.get("/me", responses=answers(Me), summary="Tells who asks, what is allowed and used")
def me() -> Response[str]:
    who = asker()
    return reply(200, me_view(who, *service_of(who).limits()))
