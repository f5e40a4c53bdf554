"""Asks cases of a running footnote: a search, a question, and a look at each quote's document."""

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from footnote.client import Client, answer_of
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    FootnoteError,
    ForbiddenError,
    NotFoundError,
    UnauthorizedError,
)
from footnote.evaluation.cases import Case
from footnote.evaluation.judging import Asked
from footnote.evaluation.settings import Setting
from footnote.evaluation.words import holds
from footnote.metadata.conditions import from_texts
from footnote.wire import Json

POOL = 20  # passages of a search: enough to say at which rank a gold place stood
AT_ONCE = 4
ENDING = (BadRequestError, ConfigurationError, ForbiddenError, UnauthorizedError)
"""Errors that every case would meet: they end the run."""
UNREACHABLE = "unreachable"
"""The code of an error that does so too: no server answers there."""


def ask_all(
    client: Client,
    cases: Sequence[Case],
    setting: Setting,
    seen: Callable[[Asked], None],
    at_once: int = AT_ONCE,
) -> list[Asked]:
    """Asks cases, some at a time, and returns them in their order. `seen` gets each when it ends.

    The cases of one session are asked in turn, each after the one before.
    """

    def ask(turns: Sequence[Case]) -> list[Asked]:
        done = list(ask_conversation(client, turns, setting))
        for one in done:
            seen(one)
        return done

    with ThreadPoolExecutor(max_workers=at_once) as pool:
        asked = [one for done in pool.map(ask, conversations(cases)) for one in done]
    by_id = {one.case.id: one for one in asked}
    return [by_id[case.id] for case in cases]


def conversations(cases: Sequence[Case]) -> list[list[Case]]:
    """Returns the cases in groups: those of one session together, each other by itself."""
    alone = [[case] for case in cases if not case.session]
    talks = sorted((case for case in cases if case.session), key=lambda case: case.session)
    return alone + [list(turns) for _, turns in groupby(talks, lambda case: case.session)]


def ask_conversation(client: Client, turns: Sequence[Case], setting: Setting) -> Iterator[Asked]:
    session = f"eval-{uuid.uuid4().hex}" if turns[0].session else ""
    after = ""
    for case in turns:
        done = ask_case(client, case, setting, {"session": session, "after": after})
        after = done.reply.get("id", after)
        yield done
    if session and after:
        client.delete_session(session)


def ask_case(client: Client, case: Case, setting: Setting, talk: Json) -> Asked:
    """Asks a case. What footnote cannot do for this case alone is its error.

    Raises one of `ENDING` with the case's name, and the error of a server that is not there.
    """
    scope = case.scope
    if setting.filters:
        scope["filters"] = from_texts([*case.filters, *setting.filters])
    try:
        options = {**scope, **setting.ask_options, **talk}
        answer, ask_ms = _timed(lambda: client.ask(case.question, **options))
        reply = answer_of(client.question(answer["id"], trace=True))
        query = _alone(reply) if case.session else case.question
        options = {**scope, **setting.search_options}
        found, search_ms = _timed(lambda: client.search(query, k=POOL, **options))
    except ENDING as error:
        where = f"case {case.id!r}: {error.message}"
        raise type(error)(where, code=error.code, action=error.action) from None
    except FootnoteError as error:
        if error.code == UNREACHABLE:
            raise
        return Asked(case, error=f"{error.code}: {error.message}")
    return Asked(
        case,
        hits=found["hits"],
        reply=reply,
        trace=reply.get("trace", ()),
        standing=frozenset(one["n"] for one in reply["citations"] if stands(client, one)),
        search_ms=search_ms,
        ask_ms=ask_ms,
    )


def _timed(call: Callable[[], Json]) -> tuple[Json, float]:
    """Returns what a call gives, and the milliseconds that it took, HTTP included."""
    began = time.perf_counter()
    return call(), (time.perf_counter() - began) * 1000


def _alone(reply: Json) -> str:
    """Returns a question in words that need no conversation, where the plan knows them."""
    resolved: str = (reply["plan"] or {}).get("resolved") or reply["question"]
    return resolved


def stands(client: Client, citation: Json) -> bool:
    """Tells whether a quote's words stand in the text that the document has at its place."""
    try:
        part = client.text(
            citation["document_id"],
            citation["collection"],
            version=citation["version"],
            start=citation["start"],
            end=citation["end"],
        )
    except NotFoundError:  # the document was replaced or removed meanwhile
        return False
    return holds(" ".join(_texts(part["blocks"])), citation["quote"])


def _texts(blocks: Sequence[Json]) -> Iterator[str]:
    for block in blocks:
        yield block["text"]
