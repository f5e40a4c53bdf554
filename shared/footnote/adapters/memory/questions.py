"""The Questions port in memory: records, claims, traces and feedback."""

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from footnote.adapters.rules.limits import is_key, must_be_key, must_fit_item
from footnote.adapters.rules.questions import (
    decode_feedback_cursor,
    decode_turn_cursor,
    event_id,
    feedback_cursor_after,
    feedback_order,
    must_be_equal,
    must_be_storable,
    must_be_storable_feedback,
    must_have_ended,
    number_of,
    turn_cursor_after,
    turn_order,
)
from footnote.errors import NotFoundError
from footnote.model import Event, Feedback, QuestionRecord, Turn


class MemoryQuestions:
    """Keeps questions and their traces. Threads may share it, as functions share the table."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._records: dict[str, QuestionRecord] = {}
        self._claims: dict[str, tuple[str, float]] = {}  # (run, end of its claim)
        self._events: dict[str, list[tuple[str, Event]]] = defaultdict(list)  # (name, event)
        self._feedback: dict[str, dict[str, Feedback]] = defaultdict(dict)  # by question, by id
        self._clock = clock
        self._one = threading.RLock()

    def create(self, record: QuestionRecord) -> None:
        must_be_storable(record)
        must_be_equal(self._records.setdefault(record.question_id, record), record)

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        record = self._records.get(question_id)
        if record is None or record.tenant != tenant:
            raise NotFoundError(f"no question {question_id}")
        return record

    def claim(self, question_id: str, run: str, seconds: float) -> bool:
        if not (is_key(question_id) and is_key(run)):
            return False
        with self._one:
            record, now = self._records.get(question_id), self._clock()
            holder, until = self._claims.get(question_id, (run, now))
            if record is None or record.status != "RUNNING" or (holder != run and until > now):
                return False
            self._claims[question_id] = (run, now + seconds)
            return True

    def finish(self, record: QuestionRecord) -> QuestionRecord:
        must_be_storable(record)
        with self._one:
            if self.get(record.tenant, record.question_id).status == "RUNNING":
                self._records[record.question_id] = record
            return self._records[record.question_id]

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        done = [
            record
            for record in self._records.values()
            if (record.tenant, record.session, record.status) == (tenant, session, "DONE")
            and session
        ]
        return sorted(done, key=lambda record: record.created)[-limit:]

    def turns(
        self, tenant: str, session: str, after: str = "", limit: int = 50
    ) -> tuple[list[Turn], str]:
        mine = [turn for turn in self._turns(tenant) if turn.session == session]
        return self._page(mine, after, limit)

    def latest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        return self._page(self._turns(tenant)[::-1], after, limit, newest_first=True)

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        return self._page(self._all(tenant)[::-1], after, limit, newest_first=True)

    def _turns(self, tenant: str) -> list[Turn]:
        return [turn for turn in self._all(tenant) if turn.session]

    def _all(self, tenant: str) -> list[Turn]:
        turns = [record.turn for record in self._records.values() if record.tenant == tenant]
        return sorted(turns, key=turn_order)

    @staticmethod
    def _page(
        turns: Sequence[Turn], after: str, limit: int, *, newest_first: bool = False
    ) -> tuple[list[Turn], str]:
        if after:
            last = decode_turn_cursor(after)
            turns = [
                turn
                for turn in turns
                if (turn_order(turn) < last if newest_first else turn_order(turn) > last)
            ]
        page = list(turns[:limit])
        return page, turn_cursor_after(page[-1]) if len(turns) > limit else ""

    def name_session(self, tenant: str, question_id: str, name: str) -> None:
        with self._one:
            record = self.get(tenant, question_id)
            must_have_ended(question_id, record.status)
            self._records[question_id] = record.model_copy(update={"session_name": name})

    def delete(self, tenant: str, question_id: str) -> None:
        with self._one:
            record = self._records.get(question_id)
            if record is None or record.tenant != tenant:
                return
            must_have_ended(question_id, record.status)
            for kept in (self._records, self._claims, self._events, self._feedback):
                kept.pop(question_id, None)

    def add_feedback(self, feedback: Feedback) -> None:
        must_be_storable_feedback(feedback)
        with self._one:
            self._feedback[feedback.question_id].setdefault(feedback.id, feedback)

    def feedback(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Feedback], str]:
        mine = [
            feedback
            for of_question in self._feedback.values()
            for feedback in of_question.values()
            if feedback.tenant == tenant
        ]
        mine.sort(key=feedback_order, reverse=True)
        if after:
            last = decode_feedback_cursor(after)
            mine = [feedback for feedback in mine if feedback_order(feedback) < last]
        page = mine[:limit]
        return page, feedback_cursor_after(page[-1]) if len(mine) > limit else ""

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        must_be_key(f"{kind} of question {question_id[:100]}", question_id)
        with self._one:
            events = self._events[question_id]
            must_fit_item(
                kind, {"question_id": question_id, "data": json.dumps(data), "name": name}
            )
            if name and any(earlier == name for earlier, _ in events):
                return
            events.append((name, Event(id=event_id(len(events) + 1), kind=kind, data=data)))

    def events(self, question_id: str, after: str = "") -> list[Event]:
        return [event for _, event in self._events.get(question_id, [])[number_of(after) :]]
