"""Questions as one caller asks them: ask, look, follow, stop, say what the answer is worth."""

import uuid
from contextlib import ExitStack
from datetime import UTC, datetime

from footnote.ask.export.export import Exported, Format, export
from footnote.ask.plan import MAX_HISTORY, NO_WISHES
from footnote.ask.question.bounds import check_text
from footnote.ask.question.closed import close_sources, is_closed
from footnote.ask.question.expected_cost import check_estimate
from footnote.ask.question.feedback import make_feedback
from footnote.ask.question.sessions import History, Sessions, history_after, is_given_up
from footnote.ask.question.stop import stop
from footnote.errors import FootnoteError, NotFoundError
from footnote.model import (
    Caller,
    Caps,
    Estimate,
    Event,
    Feedback,
    Opinion,
    Problem,
    QuestionRecord,
    Scope,
    Wishes,
    covers,
)
from footnote.text.surrogates import replace_surrogates
from footnote.wiring.estimates import estimate_question
from footnote.wiring.services import Services

NOT_STARTED = Problem(
    code="internal",
    message="the question could not be started",
    action="Ask again; if it persists, look at the log of the API.",
)


class QuestionService:
    """The questions of a tenant that a caller may read, and those that the caller asks."""

    def __init__(self, services: Services, who: Caller) -> None:
        self._services = services
        self._who = who
        self._tenant = who.tenant
        self._groups = who.groups

    def ask(
        self,
        question: str,
        scope: Scope | None = None,
        session: str = "",
        seconds: float | None = None,
        budget: Caps | None = None,
        *,
        after: str = "",
        wishes: Wishes = NO_WISHES,
        told: History = (),
    ) -> QuestionRecord:
        """Starts answering and returns the record, whose id leads to the trace and the answer.

        `after` is the earlier question that this one follows, in any session; without it, that is
        the last one of `session` that has an answer.
        `told` are exchanges of a conversation that is kept elsewhere; they take its place.
        `seconds` is the time in which the answer should be there. The setting `question_seconds`
        is its ceiling and its default. `budget` lowers other caps of the settings. `wishes` are
        made by `ask/planning/answer_options.py`, which checks them.

        Raises BadRequestError, before anything is stored or paid, where the question is expected
        to cost more than `budget` allows, and LimitedError where a limit of the day is used up.
        """
        most = float(self._services.settings.question_seconds)
        caps = budget or Caps()
        earlier, expected = self._expect(question, session, after, wishes, caps, told)
        check_estimate(expected, caps)
        record = QuestionRecord(
            question_id=uuid.uuid4().hex,
            tenant=self._tenant,
            status="RUNNING",
            question=replace_surrogates(question.strip()),
            scope=scope or Scope(tenant=self._tenant, groups=self._groups),
            session=session or (earlier.session if earlier else ""),
            history=self._history(earlier, told),
            after=earlier.question_id if earlier else "",
            created=datetime.now(UTC).isoformat(),
            deadline=self._services.clock() + min(seconds or most, most),
            wishes=wishes,
            budget=caps,
            estimate=expected,
            person=self._who.person,
        )
        limits = self._services.usage_limits
        limits.take_question(record)
        with ExitStack() as undo:  # whatever is raised, nothing was asked
            undo.callback(limits.give_back, record)
            self._start(record)
            undo.pop_all()
        return record

    def _start(self, record: QuestionRecord) -> None:
        questions = self._services.questions
        questions.create(record)
        problem: Problem | None = NOT_STARTED
        try:
            self._services.workflow.ask(self._tenant, record.question_id)
            problem = None
        except FootnoteError as error:
            problem = error.problem
            raise
        finally:
            if problem:
                failed = {"status": "FAILED", "error": problem}
                questions.finish(record.model_copy(update=failed))

    def estimate(
        self,
        question: str,
        session: str = "",
        budget: Caps | None = None,
        *,
        after: str = "",
        wishes: Wishes = NO_WISHES,
    ) -> Estimate:
        """Returns what the question would be expected to cost. Nothing is asked, stored or paid."""
        return self._expect(question, session, after, wishes, budget or Caps())[1]

    def _expect(  # noqa: PLR0917 - the caller's own words, as `ask` has them
        self,
        question: str,
        session: str,
        after: str,
        wishes: Wishes,
        caps: Caps,
        told: History = (),
    ) -> tuple[QuestionRecord | None, Estimate]:
        """Returns the question that this one follows, and its expected cost."""
        check_text(question, "question")
        earlier = sessions_of(self._services, self._who).earlier(session, after)
        history = self._history(earlier, told)
        settings = self._services.settings
        return earlier, estimate_question(settings, question, history, wishes, caps)

    def _history(self, earlier: QuestionRecord | None, told: History = ()) -> History:
        """Returns what was said before: what the caller tells of it, else the stored answers.

        Nothing is told of a last answer that is closed to the caller.
        """
        if told:
            return told[-MAX_HISTORY:]
        if earlier and is_closed(close_sources(earlier, self._services.catalog, self._groups)):
            return ()
        return history_after(earlier, MAX_HISTORY)

    def get(self, question_id: str) -> QuestionRecord:
        """Returns a question's record. It is FAILED, not RUNNING, if nobody works on it any more.

        It is FAILED with the code `sources_closed`, and has no answer, where the answer cites a
        document that the caller may not read now: deleted, or closed since.

        Raises NotFoundError, also when whoever asked it may read what this caller may not.
        """
        record = self._services.questions.get(self._tenant, question_id)
        if not covers(self._groups, record.scope.groups):
            raise NotFoundError(f"no question {question_id}")
        if not is_given_up(record.status, record.created, self._services.clock()):
            return close_sources(record, self._services.catalog, self._groups)
        self._services.usage_limits.settle(record)  # no step of its machine has ended it
        problem = Problem(
            code="timeout",
            message="the question was not answered in time",
            action="Ask again; if it persists, look at the state machine's executions.",
        )
        return record.model_copy(update={"status": "FAILED", "error": problem})

    def stop(self, question_id: str) -> QuestionRecord:
        """Ends a question that is being answered. One that has ended stays as it is.

        Raises NotFoundError as `get` does.
        """
        record = self.get(question_id)
        if record.status == "RUNNING":
            self._services.usage_limits.settle(record)
        return stop(self._services.questions, record)

    def events(self, question_id: str, after: str = "") -> list[Event]:
        """Returns the trace of a question so far, or what came after an event.

        Once the question has ended, the last event is `answered` or `failed`.
        """
        # The record is read first. That refuses another caller's question, and all events that
        # precede the end are in the trace by then.
        record = self.get(question_id)
        end = record.last_event
        if is_closed(record):  # its words and the names of documents are not told either
            return [end] if end and after != end.id else []
        found = self._services.questions.events(question_id, after)
        told = [*found, end] if end and after != end.id else found
        begin = record.first_event
        # with the first step, so that no client comes twice for it
        return [begin, *told] if begin and told and not after else told

    def say(
        self,
        question_id: str,
        verdict: Opinion,
        reason: str = "",
        sentence: int | None = None,
        citation: int | None = None,
    ) -> Feedback:
        """Stores what the caller says of an answer. Raises BadRequestError for a part it lacks."""
        record = self.get(question_id)
        created = datetime.fromtimestamp(self._services.clock(), UTC).isoformat()
        feedback = make_feedback(
            record, verdict, reason, created, sentence=sentence, citation=citation
        )
        self._services.questions.add_feedback(feedback)
        return feedback

    def feedback(self, after: str = "") -> tuple[list[Feedback], str]:
        """Returns a page of what was said, newest first, and the cursor of the next.

        It leaves out what was said of questions that the caller may not read.
        """
        found, cursor = self._services.questions.feedback(self._tenant, after)
        return [one for one in found if covers(self._groups, one.groups)], cursor

    def export(self, question_id: str, form: Format) -> Exported:
        """Returns an answer as a file. Raises ConflictError for a question without an answer."""
        return export(self.get(question_id), form, self._services.artifacts)


def sessions_of(services: Services, who: Caller) -> Sessions:
    """Returns the sessions of a tenant as they are now, for a caller who may read some of them."""
    now = services.clock()
    settle = services.usage_limits.settle
    ports = (services.questions, services.artifacts)
    return Sessions(*ports, who.tenant, who.groups, now, settle=settle)
