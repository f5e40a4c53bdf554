"""Sessions: list, read, name, delete."""

from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import SessionBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import SessionDeleted, SessionNamed, SessionPage, TurnPage
from footnote.api.reply import reply
from footnote.api.request import After
from footnote.api.views import session_view, turn_view

router = APIGatewayRouter()


@router.get("/sessions", responses=answers(SessionPage), summary="Lists sessions, the newest first")
def sessions(after: After = "") -> Response[str]:
    listed, following = caller().sessions.newest(after)
    return reply(200, {"sessions": [session_view(*one) for one in listed], "after": following})


@router.get(
    "/sessions/<session>",
    responses=answers(TurnPage),
    summary="Lists a session's questions, the oldest first",
)
def session(session: str, after: After = "") -> Response[str]:
    name = unquote(session)
    turns, following = caller().sessions.turns(name, after)
    views = [turn_view(turn) for turn in turns]
    return reply(200, {"session": name, "turns": views, "after": following})


@router.patch(
    "/sessions/<session>",
    responses=answers(SessionNamed),
    summary="Calls a session by a name, for whoever may read its newest question",
)
def name_session(session: str, body: SessionBody) -> Response[str]:
    named = unquote(session)
    return reply(200, {"session": named, "name": caller().sessions.rename(named, body.name)})


@router.delete(
    "/sessions/<session>",
    responses=answers(SessionDeleted),
    summary="Deletes a session's questions: some, then others",
)
def delete_session(session: str) -> Response[str]:
    name = unquote(session)
    deleted, more = caller().sessions.delete(name)
    return reply(200, {"session": name, "deleted": deleted, "more": more})
