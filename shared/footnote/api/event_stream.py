"""The events of a question as server-sent events.

In the function that streams one reply tells all, as it happens. Any other sends replies whole: each
tells what came since `Last-Event-ID`, as soon as there is something, and ends; `retry` has an
EventSource ask again soon, and 204 has it stop (HTML Living Standard, "Server-sent events").
"""

import json
from collections.abc import Sequence
from http import HTTPStatus

from aws_lambda_powertools.event_handler import Response

from footnote.api.described import EVENTS
from footnote.api.reply import OF_ALL
from footnote.api.request import event
from footnote.api.views import event_view
from footnote.model import Event

RETRY_MS = 100
NO_WAIT_RETRY_MS = 1_000  # where a request may not wait, each look is a request that costs


def wants_stream() -> bool:
    return EVENTS in event().headers.get("accept", "")


def last_event() -> str:
    """Returns the id of the last event that the client has; "" at the beginning."""
    return event().headers.get("last-event-id", "")


def stream(status: str, trace: Sequence[Event], *, may_wait: bool) -> Response[str]:
    """Returns the events; after the last one of a question that has ended comes `end`.

    A client that comes back after that gets 204. `may_wait` tells whether its next request waits
    for an event: if not, it is to come back less often.
    """
    headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
    if status != "RUNNING" and not trace and last_event():
        return Response(HTTPStatus.NO_CONTENT, EVENTS, "", headers)
    body = begin_stream(may_wait=may_wait) + lines_of(status, trace)
    return Response(HTTPStatus.OK, EVENTS, body, headers)


def begin_stream(*, may_wait: bool) -> str:
    return f"retry: {RETRY_MS if may_wait else NO_WAIT_RETRY_MS}\n\n"


def lines_of(status: str, trace: Sequence[Event]) -> str:
    """Returns the events as lines, and behind them the end of a question that has ended."""
    lines = [f"id: {each.id}\nevent: {each.kind}\n{_data(event_view(each))}" for each in trace]
    if status != "RUNNING":
        lines.append(f"event: end\n{_data({'status': status})}")
    return "".join(lines)


def _data(value: object) -> str:
    """Returns the field for a value. JSON has no line ends, so it is one line."""
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
