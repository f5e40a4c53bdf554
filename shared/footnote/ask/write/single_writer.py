"""Writes an answer by one run at a time, pays for it once, ends it after all its events are added.

Only the run that holds the question's claim asks the model. What the model wrote is stored before
anything else is done with it. So a try that is throttled later leaves only the rest to the next.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from footnote.ask.question.handoff import read_stored, store
from footnote.ask.question.reply_cache import ReplayingLLM, Replies
from footnote.ask.question.trace import check_event, tell
from footnote.errors import ConflictError, UnavailableError
from footnote.model import Answer, Event, QuestionRecord, Value
from footnote.ports import LLM, BlobStore, Questions
from footnote.store.keys import answer_key, replies_key

SHOWN_KINDS = {"words", "removed", "restart"}  # kinds of events added while the answer is written
CLAIM_SECONDS = 120.0  # a run may take to end a question; longer than its function lives


class WrittenAnswer(Value):
    """An answer that is paid for, and the events that tell it; their ids are their unique names."""

    answer: Answer
    told: tuple[Event, ...]


class Writing:
    """One try of a run to write the answer of a question."""

    def __init__(self, questions: Questions, artifacts: BlobStore, question_id: str) -> None:
        self._questions = questions
        self._artifacts = artifacts
        self._question_id = question_id
        self._name = ""
        self._told: list[Event] = []
        self._untold: deque[Event] = deque()
        self._is_stored = True

    def begin(self, run: str) -> Answer | None:
        """Returns the answer if an earlier try has written it, else None.

        Raises ConflictError while another run writes it. Come again then: that run may have to be
        replaced.
        """
        if not self._questions.claim(self._question_id, run, CLAIM_SECONDS):
            raise ConflictError(
                f"another run writes the answer to question {self._question_id}",
                action=f"Try again: it ends, or is given up after {CLAIM_SECONDS:.0f} s.",
            )
        if written := read_stored(self._artifacts, answer_key(self._question_id), WrittenAnswer):
            self._untold.extend(written.told)
            return written.answer
        before = self._questions.events(self._question_id)
        # no other try has this name: an earlier one has left fewer events, or told nothing
        self._name = f"try-{len(before)}"
        shown = [event.kind for event in before if event.kind in SHOWN_KINDS]
        if shown and shown[-1] != "restart":
            self.tell("restart", {})  # an earlier try was cut short
        return None

    @contextmanager
    def remember(self, llm: LLM | None) -> Iterator[LLM | None]:
        """Yields the model, if there is one, as one that replays what an earlier try was told.

        If a service is unavailable meanwhile, the replies are stored for the next try.
        """
        if llm is None:
            yield None
            return
        key = replies_key(self._question_id)
        paid = ReplayingLLM(llm, read_stored(self._artifacts, key, Replies) or Replies())
        try:
            yield paid
        except UnavailableError:
            if (replies := paid.replies()).said:
                with suppress(UnavailableError):
                    self._artifacts.put(key, replies.model_dump_json().encode())
            raise

    def tell(self, kind: str, data: Mapping[str, object]) -> None:
        """Adds an event. One that cannot be added now is added with the next.

        A missing event is not worth having the model write again.
        """
        told = check_event(kind, data)
        event = Event(id=f"{self._name}/{len(self._told)}", kind=kind, data=told)
        self._told.append(event)
        self._untold.append(event)
        with suppress(UnavailableError):
            self._tell_all()

    def keep(self, answer: Answer) -> Answer:
        """Stores what was written; returns the answer to finish, another try's if that came first.

        If storing fails, this try can still finish its own.
        """
        written = WrittenAnswer(answer=answer, told=tuple(self._told))
        try:
            written = store(self._artifacts, answer_key(self._question_id), written)
        except UnavailableError:
            self._is_stored = False
        # another try's answer was there: its events are to be added
        if written.told != tuple(self._told):
            self._untold = deque(written.told)
        return written.answer

    def finish(self, record: QuestionRecord, answer: Answer) -> QuestionRecord:
        """Adds the events that are left, ends the question and returns its record."""
        try:
            self._tell_all()
        except UnavailableError:
            if self._is_stored:
                raise  # the next try goes on from here
        done = record.model_copy(update={"status": "DONE", "answer": answer})
        return self._questions.finish(done)

    def _tell_all(self) -> None:
        while self._untold:
            event = self._untold[0]
            tell(self._questions, self._question_id, event.kind, event.data, event.id)
            self._untold.popleft()
