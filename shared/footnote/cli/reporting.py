"""Reads what `footnote report` counts through the API, with the caller's own rights.

Each question is one request. Reading ends at the first that is older than the days of the report.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from footnote.errors import NotFoundError
from footnote.evaluation.days import Asked, count_days, day_of
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.client import Client


def read_report(client: "Client", days: int, now: float) -> Json:
    """Returns the report of the last `days` days, of which today is the last."""
    today = datetime.fromtimestamp(now, UTC).date()
    first = (today - timedelta(days=days - 1)).isoformat()
    me = client.me()
    documents = (d for d in client.documents() if day_of(d["received"]) >= first)
    feedback = takewhile(lambda entry: day_of(entry["created"]) >= first, client.feedback())
    return {
        "tenant": me["tenant"],
        "from": first,
        "to": today.isoformat(),
        **count_days(documents, list(_asked(client, first)), feedback),
        "used_today": me["used"],
    }


def _asked(client: "Client", first: str) -> Iterator[Asked]:
    """Yields the questions since a day. One that is deleted meanwhile is gone."""
    for turn in takewhile(lambda one: day_of(one["created"]) >= first, client.questions()):
        with suppress(NotFoundError):
            yield Asked(turn["created"], client.question(turn["id"], trace=True))
