"""The events of a question: what is new, as JSON or as a stream that lasts until the end."""

from collections.abc import Iterator
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.caller import caller
from footnote.api.described import EVENTS, answers_or_events
from footnote.api.event_stream import (
    begin_stream,
    last_event,
    lines_of,
    stream,
    wants_stream,
)
from footnote.api.lasting import Lasting, follow, may_last
from footnote.api.replies import EventsReply
from footnote.api.reply import InPieces, reply
from footnote.api.request import After, bounded, may_wait
from footnote.api.views import event_view
from footnote.errors import FootnoteError
from footnote.service import Service
from footnote.wiring.logs import logger

router = APIGatewayRouter()


@router.get(
    "/questions/<question>/events",
    responses=answers_or_events(EventsReply),
    summary="Tells the events of a question that came after one; waits for them if asked to",
)
def events(
    question: str,
    after: After = "",
    wait: Annotated[float, Query(description="Seconds to wait for one, if allowed")] = 0,
) -> Response[str]:
    me, streams = caller(), wants_stream()
    after = after or (last_event() if streams else "")
    is_running = streams and me.questions.get(question).status == "RUNNING"
    if is_running and (lasting := may_last(me)):
        return InPieces(EVENTS, tell(me, question, lasting, after))
    seconds = me.longest_wait if streams and not wait else wait
    waiting = may_wait(bounded("wait", seconds, 0, me.longest_wait))
    for look in follow(me, question, Lasting(waiting), after):
        if look.events:
            break
    status, trace = look.record.status, look.events
    if streams:
        return stream(status, trace, may_wait=me.longest_wait > 0)
    return reply(200, {"status": status, "events": [event_view(e) for e in trace]})


def tell(me: Service, question: str, lasting: Lasting, after: str) -> Iterator[str]:
    """Yields the events of a question as they come. Where it breaks off, the client comes back."""
    with lasting:
        yield begin_stream(may_wait=True)
        try:
            for look in follow(me, question, lasting, after):
                yield lasting.or_beat(lines_of(look.record.status, look.events))
        except FootnoteError as error:
            logger.warning("stream broke off", code=error.code, reason=error.reason)
