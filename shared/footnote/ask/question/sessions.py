"""Sessions: questions that follow each other, each with its history.

A record has the id of the question that it follows and the history up to it (`history.py`). So a
session may branch at any of its turns. A session is its questions: it is there for a caller who may
read one of them.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.clock import age
from footnote.errors import ConflictError, NotFoundError, UnreadableError
from footnote.model import QuestionRecord, Turn, covers
from footnote.ports import BlobStore, Questions
from footnote.store.keys import question_folder
from footnote.text.characters import replace_surrogates

NEWEST = 10  # finished turns among which one is sought that the caller may read
PAGE = 50  # turns that are read at once: each may have 8,000 characters
# One call that lists sessions, or deletes one, does no more. The caller goes on where it ended.
MAX_PAGES = 10
MAX_DELETED = 100
# After so long nobody works on a question any more: an Express execution may take 300 s, and the
# API's function 29 s to start it.
QUESTION_SECONDS = 330


def is_given_up(status: str, created: str, now: float) -> bool:
    """Tells whether nobody works any more on a question that has not ended."""
    return status == "RUNNING" and age(created, now) >= QUESTION_SECONDS


def as_of(turn: Turn, now: float) -> Turn:
    """Returns the turn, as FAILED if nobody works on it any more."""
    if is_given_up(turn.status, turn.created, now):
        return turn.model_copy(update={"status": "FAILED"})
    return turn


class Listed(NamedTuple):
    """A session in a list: its newest turn there, the question of its oldest, and its name.

    `name` is what a reader called it, "" where no turn there keeps one.
    """

    last: Turn
    first: str
    name: str


class Sessions:
    """The sessions of a tenant as members of `groups` may read them, at the time `now`.

    `settle` uncounts the expected cost of a question.
    """

    def __init__(
        self,
        questions: Questions,
        artifacts: BlobStore,
        tenant: str,
        groups: Sequence[str],
        now: float,
        *,
        settle: Callable[[QuestionRecord], None],
    ) -> None:
        self._questions = questions
        self._artifacts = artifacts
        self._tenant = tenant
        self._groups = groups
        self._now = now
        self._settle_cost = settle

    def earlier(self, session: str, after: str) -> QuestionRecord | None:
        """Returns the question that a new one follows: `after`, or the session's last answered one.

        Raises NotFoundError where `after` is not there, ConflictError where it has no answer.
        """
        if not after:
            return self._last(session) if session else None
        record = self._questions.get(self._tenant, after)
        if not covers(self._groups, record.scope.groups) or session not in {"", record.session}:
            where = f" in session {session[:100]!r}" if session else ""
            raise NotFoundError(f"no question {after[:100]}{where}")
        if record.status != "DONE":
            raise ConflictError(
                f"question {after} is {record.status}: only an answered one can be followed",
                code="not_answered",
                action="Wait for its answer, or follow another one.",
            )
        return record

    def newest(self, after: str = "") -> tuple[list[Listed], str]:
        """Returns a page of sessions, the newest first, and the cursor of the next.

        One call looks at 500 turns at most. So a page may be short and not the last, and a session
        may come again on a later page, with older turns.
        """
        by_session: dict[str, Listed] = {}
        for _ in range(MAX_PAGES):
            turns, after = self._questions.latest(self._tenant, after, PAGE)
            for turn in filter(self._may_read, turns):
                listed = by_session.get(turn.session)
                last = listed.last if listed else as_of(turn, self._now)
                name = (listed.name if listed else "") or turn.session_name
                by_session[turn.session] = Listed(last, turn.question, name)
            if not after or len(by_session) >= PAGE:
                break
        return list(by_session.values()), after

    def turns(self, session: str, after: str = "") -> tuple[list[Turn], str]:
        """Returns a page of a session's turns, oldest first, and the cursor of the next.

        Raises NotFoundError when there is none that the caller may read.
        """
        turns, cursor = self._page(session, after)
        while not turns and cursor:
            turns, cursor = self._page(session, cursor)
        if not turns and not after:
            raise unknown_session(session)
        return turns, cursor

    def rename(self, session: str, name: str) -> str:
        """Calls a session by this name, "" by none. Returns the name as it is kept.

        Its newest question that has ended keeps the name, so whoever may read that question sees
        it, and it goes when the question goes. Raises NotFoundError for a session that is not
        there, ConflictError for one of which no question has ended.
        """
        name = replace_surrogates(name.strip())
        turns = list(self._stored(session))
        if not turns:
            raise unknown_session(session)
        ended = [turn for turn in turns if turn.status != "RUNNING"]
        if not ended:
            raise ConflictError(
                f"no question of session {session[:100]!r} has ended",
                code="question_running",
                action="Wait until one has ended, then name the session.",
            )
        # the new name first: if this is cut short the newer one is found before the older
        for turn in reversed(ended):
            called = name if turn is ended[-1] else ""
            if turn.session_name != called:
                self._questions.name_session(self._tenant, turn.question_id, called)
        return name

    def delete(self, session: str) -> tuple[int, bool]:
        """Deletes a session's questions, with their traces and artifacts.

        Returns how many it deleted, and whether there are more: then the caller calls again.
        Questions that the caller may not read stay. Raises NotFoundError for a session that is not
        there. Raises ConflictError, and deletes nothing, while one of the questions is being
        answered.
        """
        turns = list(islice(self._all(session), MAX_DELETED + 1))
        if not turns:
            raise unknown_session(session)
        if running := [turn for turn in turns if turn.status == "RUNNING"]:
            raise ConflictError(
                f"question {running[0].question_id} of session {session[:100]!r} is still being"
                " answered",
                code="question_running",
                action="Wait until it has ended, then delete the session.",
            )
        deleted = sum(map(self.delete_question, turns[:MAX_DELETED]))
        return deleted, len(turns) > MAX_DELETED

    def delete_question(self, turn: Turn) -> bool:
        """Deletes a question, its record last: a deletion that is cut short can be repeated.

        Returns False for a question that is not there, as the list is a moment older than the
        records. A record that cannot be read stays until it expires: nobody knows whose it is.
        """
        try:
            record = self._questions.get(self._tenant, turn.question_id)
        except (NotFoundError, UnreadableError):
            return False
        if not covers(self._groups, record.scope.groups):
            return False
        self._artifacts.delete(self._artifacts.keys(question_folder(turn.question_id)))
        if record.status == "RUNNING":  # given up, but not by a run that might still end it
            self._settle_cost(record)
            self._questions.finish(record.model_copy(update={"status": "FAILED"}))
        self._questions.delete(self._tenant, turn.question_id)
        return True

    def _all(self, session: str) -> Iterator[Turn]:
        return (as_of(turn, self._now) for turn in self._stored(session))

    def _stored(self, session: str) -> Iterator[Turn]:
        after, is_last = "", False
        while not is_last:
            turns, after = self._questions.turns(self._tenant, session, after, PAGE)
            yield from filter(self._may_read, turns)
            is_last = not after

    def _page(self, session: str, after: str) -> tuple[list[Turn], str]:
        turns, cursor = self._questions.turns(self._tenant, session, after, PAGE)
        return [as_of(turn, self._now) for turn in turns if self._may_read(turn)], cursor

    def _last(self, session: str) -> QuestionRecord | None:
        records = self._questions.session(self._tenant, session, NEWEST)
        return next((r for r in reversed(records) if covers(self._groups, r.scope.groups)), None)

    def _may_read(self, turn: Turn) -> bool:
        return covers(self._groups, turn.groups)


def unknown_session(session: str) -> NotFoundError:
    return NotFoundError(
        f"no session {session[:100]!r}",
        code="unknown_session",
        action="Look for it in the list of sessions.",
    )
