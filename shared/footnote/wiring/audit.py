"""The audit log: one line for each act of a caller, who did what to which documents.

An act begins where a face knows its caller, and ends with the face's reply. Meanwhile services name
the documents that they show or change. A line has ids and no words of questions or documents.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from footnote.clock import iso
from footnote.errors import FootnoteError
from footnote.model import Caller
from footnote.wiring.logs import correlation, logger
from footnote.wiring.services import Services

MOST_DOCUMENTS = 1_000  # that a line names, some 25 KB; CloudWatch takes 256 KB. A list has 500


class Act:
    """What a request does. `name` is "" until the face knows it, `who` None until it is checked.

    `outcome` is the code of the error that ended it, "" while it goes on.
    """

    def __init__(self) -> None:
        self.name = ""
        self.who: Caller | None = None
        self.outcome = ""
        self.asks_who = False
        self.documents: dict[str, None] = {}
        self.things: dict[str, str] = {}
        self.correlation_id = correlation()

    def line(self, moment: float) -> dict[str, object]:
        who = self.who or Caller(tenant="")
        named = [*self.documents]
        return {
            "moment": iso(moment),
            "act": self.name,
            "outcome": self.outcome or "internal",
            "tenant": who.tenant,
            "caller": who.person,
            "by": who.by if self.who else "",
            "documents": named[:MOST_DOCUMENTS],
            "documents_left_out": len(named[MOST_DOCUMENTS:]),
            **self.things,
            "correlation_id": self.correlation_id,
        }


_NOW: ContextVar[Act | None] = ContextVar("act", default=None)


def act_now() -> Act:
    """Returns the act of the current request. Where nobody asks, what is noted of it is lost."""
    return _NOW.get() or Act()


def note_documents(*document_ids: str) -> None:
    """Notes documents that the current act shows or changes."""
    act_now().documents |= dict.fromkeys(document_ids)


def note(**things: str) -> None:
    """Notes ids of other things: of a question, a grid, a session, a batch, a re-index."""
    act_now().things |= things


@contextmanager
def auditing(deployment: Services) -> Iterator[Act]:
    """Keeps the line of the act inside, if it asks who the caller is. So open routes leave none."""
    act = Act()
    token = _NOW.set(act)
    try:
        yield act
        act.outcome = act.outcome or "done"
    finally:
        _NOW.reset(token)
        if act.name and act.asks_who:
            keep(act, deployment)


def keep(act: Act, deployment: Services) -> None:
    """Keeps a line in the audit log; in the function's log where there is no other or it fails."""
    line = act.line(deployment.clock())
    if deployment.settings.audit_group:
        try:
            deployment.audit_log.keep(json.dumps(line, ensure_ascii=False))
        except FootnoteError as error:
            logger.error("act not kept apart", code=error.code, reason=error.reason)
        else:
            return
    logger.info("act", audit=line)
