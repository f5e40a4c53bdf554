"""Waiting for documents: which to look at next, how often, and until when."""

import time
from collections.abc import Callable, Collection, Sequence
from itertools import islice

from footnote.errors import UnavailableError
from footnote.model import TERMINAL
from footnote.wire import Json

LOOK = 50  # documents that one look asks for; the API takes up to 100 at a time
PATIENCE = 3  # looks at an unfinished document before others get their turn
# Seconds between two looks. They grow with the time waited, so a wait is at most a tenth too long.
# They also grow while few documents end, so each is read only a few times.
MIN_PAUSE, MAX_PAUSE, SHARE = 0.4, 5.0, 0.1
PAUSE_FACTOR = 4  # a pause is at least this many times as long as the look took

type Look = Callable[[Sequence[str]], list[Json]]
"""Returns the records of these ids, in no order. Unknown ids are left out."""


class Turns:
    """Chooses which documents to look at next, and the pause before.

    Documents end about in the order in which they were added. So a look takes the first unfinished
    ones. Slow ones make room for others after `PATIENCE` looks. If all of them have ended there is
    no pause: others will have ended, too. So thousands of documents are read a few times each, and
    the last one's end is seen soon.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self._looks = dict.fromkeys(ids, 0)  # in the order of their turns
        self._pause = MIN_PAUSE

    def next(self) -> list[str]:
        """Returns the documents to look at, at most `LOOK`."""
        return list(islice(self._looks, LOOK))

    def note(self, changed: Collection[str], ended: Collection[str], waited: float) -> float:
        """Notes the results of a look, after `waited` seconds. Returns the
        seconds until the next one.
        """
        turn = self.next()
        for document in turn:
            looks = self._looks[document] + 1
            if document in ended or looks >= PATIENCE or not changed:
                del self._looks[document]
            if document not in ended:
                self._looks[document] = looks % PATIENCE
        if len(ended) == len(turn):
            return 0.0
        if 4 * len(ended) < len(turn):
            self._pause = min(1.5 * self._pause, MAX_PAUSE, max(MIN_PAUSE, SHARE * waited))
        elif 2 * len(ended) > len(turn):
            self._pause = max(MIN_PAUSE, self._pause / 1.5)
        return self._pause


def wait_ended(
    look: Look, added: Sequence[Json], seen: Callable[[Json], None], seconds: float
) -> list[Json]:
    """Waits until uploads have ended. Calls `seen` with each change. Returns the last records.

    `seen` gets no record of the version that an upload replaces. Raises UnavailableError when
    nothing has changed for `seconds`. It names the first five documents that have not ended.
    """
    turns = Turns([item["id"] for item in added])
    waiting = {item["id"]: item for item in added}
    ended: dict[str, Json] = {}
    last: dict[str, object] = {}
    started = time.monotonic()
    until = started + seconds
    while waiting and time.monotonic() < until:
        began = time.monotonic()
        changed, over = set[str](), set[str]()
        for record in look(turns.next()):
            state = (record["status"], record["parts"]["done"], record["version"])
            ours = has_arrived(record, waiting[record["id"]])
            if last.get(record["id"]) != state:
                last[record["id"]] = state
                until = time.monotonic() + seconds
                changed.add(record["id"])
                if ours:
                    seen(record)
            if record["status"] in TERMINAL and ours:
                ended[record["id"]] = record
                over.add(record["id"])
                del waiting[record["id"]]
        now = time.monotonic()
        pause = turns.note(changed, over, now - started)
        if waiting and pause:
            time.sleep(max(pause, PAUSE_FACTOR * (now - began)))
    if waiting:
        names = ", ".join(item["document"] for item in list(waiting.values())[:5])
        raise UnavailableError(
            f"{len(waiting)} documents have not ended; nothing changed for {seconds:.0f} s: "
            f"{names}",
            action="`footnote status` shows where they are.",
        )
    return [ended[item["id"]] for item in added]


def wait_gone(look: Look, removed: Sequence[Json], seconds: float) -> list[Json]:
    """Waits until these documents are DELETED. Returns those that are not after `seconds`."""
    started = time.monotonic()
    turns = Turns([record["id"] for record in removed])
    waiting = {record["id"]: record for record in removed}
    while waiting and time.monotonic() < started + seconds:
        records = look(turns.next())
        gone = {record["id"] for record in records if record["status"] == "DELETED"}
        waiting = {document: record for document, record in waiting.items() if document not in gone}
        pause = turns.note(gone, gone, time.monotonic() - started)
        if waiting and pause:
            time.sleep(pause)
    return list(waiting.values())


def has_arrived(record: Json, upload: Json) -> bool:
    """Tells whether a record describes this upload, and not the version before it."""
    return not upload["version"] or record["version"] == upload["version"]
