"""Questions as one caller asks them: ask, look, follow, stop, rate an answer."""

import uuid
from contextlib import ExitStack
from datetime import UTC, datetime

from footnote.ask.export.export import Exported, ExportFormat, export
from footnote.ask.plan import NO_OPTIONS
from footnote.ask.question.bounds import check_text
from footnote.ask.question.closed import close_sources, is_closed
from footnote.ask.question.expected_cost import check_estimate
from footnote.ask.question.feedback import make_feedback
from footnote.ask.question.history import (
    documents_of,
    exchanges_of,
    history_after,
    keep_readable,
    pairs_of,
)
from footnote.ask.question.sessions import Sessions, as_of, is_given_up
from footnote.ask.question.stop import stop
from footnote.ask.tools.established import keep_live, read_findings
from footnote.errors import FootnoteError, NotFoundError
from footnote.model import (
    ALL,
    AnswerOptions,
    Caller,
    Caps,
    Estimate,
    Event,
    Feedback,
    Finding,
    History,
    Opinion,
    Problem,
    QuestionRecord,
    Scope,
    Turn,
    covers,
)
from footnote.text.characters import replace_surrogates
from footnote.wiring.audit import note, note_documents
from footnote.wiring.estimates import estimate_question
from footnote.wiring.expected_work import expect_work
from footnote.wiring.services import Services

type Pairs = tuple[tuple[str, str], ...]

NOT_STARTED = Problem(
    code="internal",
    message="the question could not be started",
    action="Ask again; if it persists, look at the log of the API.",
)


class QuestionService:
    """The questions of a tenant that a caller may read or ask."""

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
        options: AnswerOptions = NO_OPTIONS,
    ) -> QuestionRecord:
        """Starts answering and returns the record. Its id leads to the trace and the answer.

        `after` is the earlier question that this one follows, in any session. By default it is the
        last one of `session` that has an answer. `seconds` is the time in which the answer should
        come. The setting `question_seconds` is its ceiling and its default. `budget` lowers other
        caps of the settings. `ask/planning/answer_options.py` makes and checks `options`.

        Raises BadRequestError, before anything is stored or paid, where the question is expected to
        cost more than `budget` allows, and LimitedError where a limit of the day is used up.
        """
        earlier, history = self._follow(session, after)
        asked = {
            "session": session or (earlier.session if earlier else ""),
            "history": pairs_of(history),
            "history_documents": documents_of(history),
            "after": earlier.question_id if earlier else "",
            "budget": budget or Caps(),
        }
        draft = self._draft(uuid.uuid4().hex, question, scope, options, seconds)
        return self._begin(draft.model_copy(update=asked), history)

    def ask_in_chat(
        self,
        question: str,
        exchanges: Pairs,
        scope: Scope | None = None,
        seconds: float | None = None,
        budget: Caps | None = None,
        *,
        options: AnswerOptions = NO_OPTIONS,
    ) -> QuestionRecord:
        """Starts answering a question of a conversation that is kept elsewhere, and brought along.

        Takes and raises what `ask` does.
        """
        history = exchanges_of(exchanges)
        asked = {"history": pairs_of(history), "budget": budget or Caps()}
        draft = self._draft(uuid.uuid4().hex, question, scope, options, seconds)
        return self._begin(draft.model_copy(update=asked), history)

    def ask_alone(
        self, question_id: str, question: str, scope: Scope, options: AnswerOptions
    ) -> QuestionRecord:
        """Starts answering a question that follows no other, under an id that is noted already.

        Raises what `ask` raises.
        """
        return self._begin(self._draft(question_id, question, scope, options), ())

    def _draft(
        self,
        question_id: str,
        question: str,
        scope: Scope | None,
        options: AnswerOptions,
        seconds: float | None = None,
    ) -> QuestionRecord:
        most = float(self._services.settings.question_seconds)
        return QuestionRecord(
            question_id=question_id,
            tenant=self._tenant,
            status="RUNNING",
            question=replace_surrogates(question.strip()),
            scope=scope or self._all(),
            created=datetime.now(UTC).isoformat(),
            deadline=self._services.clock() + min(seconds or most, most),
            wishes=options,
            person=self._who.person,
        )

    def _begin(self, draft: QuestionRecord, history: History) -> QuestionRecord:
        """Estimates, counts, stores and starts a question."""
        expected = self._expect(draft.question, history, draft.scope, draft.wishes, draft.budget)
        check_estimate(expected, draft.budget)
        record = draft.model_copy(update={"estimate": expected})
        limits = self._services.usage_limits
        limits.take_question(record)
        with ExitStack() as undo:  # whatever is raised, no question was asked
            undo.callback(limits.give_back, record)
            self._start(record)
            undo.pop_all()
        note(question=record.question_id)
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
        scope: Scope | None = None,
        after: str = "",
        options: AnswerOptions = NO_OPTIONS,
    ) -> Estimate:
        """Returns the expected cost of a question. It asks, stores and pays nothing.

        Where the documents in `scope` would be read whole, their sizes count.
        """
        _, history = self._follow(session, after)
        own = scope or self._all()
        return self._expect(question, history, own, options, budget or Caps())

    def _all(self) -> Scope:
        return Scope(tenant=self._tenant, groups=self._groups)

    def _expect(
        self, question: str, history: History, scope: Scope, options: AnswerOptions, caps: Caps
    ) -> Estimate:
        check_text(question, "question")
        services = self._services
        work = expect_work(services, scope, question, history, options=options, caps=caps)
        return estimate_question(services.settings, question, history, options, caps, work=work)

    def _follow(self, session: str, after: str) -> tuple[QuestionRecord | None, History]:
        """Returns the earlier question that a new one follows, and the history up to it.

        The history has nothing that rests on a document that is closed to the caller, and is empty
        where the last answer does.
        """
        earlier = sessions_of(self._services, self._who).earlier(session, after)
        catalog, groups = self._services.catalog, self._groups
        if earlier is None or is_closed(close_sources(earlier, catalog, groups)):
            return earlier, ()
        history = history_after(earlier, self._services.artifacts)
        return earlier, keep_readable(history, lambda ids: catalog.visible_versions(ids, groups))

    def asker_of(self, record: QuestionRecord) -> str:
        """Returns who asked a question, as `Caller` names persons.

        It is "" for who is neither that person nor in `@all`: colleagues who may read the same
        documents do not learn who asks what.
        """
        may_know = ALL in self._groups or record.person == self._who.person
        return record.person if may_know else ""

    def get(self, question_id: str) -> QuestionRecord:
        """Returns a question's record.

        It is FAILED, not RUNNING, if no process works on the question any more. It is FAILED with
        the code `sources_closed`, and has no answer, where the answer cites a document that the
        caller may not read now: deleted, or closed since.

        Raises NotFoundError, also where the caller lacks a group of the question.
        """
        record = self._services.questions.get(self._tenant, question_id)
        if not covers(self._groups, record.scope.groups):
            raise NotFoundError(f"no question {question_id}")
        note(question=record.question_id)
        if not is_given_up(record.status, record.created, self._services.clock()):
            shown = close_sources(record, self._services.catalog, self._groups)
            cited = shown.answer.citations if shown.answer else ()
            note_documents(*(citation.document_id for citation in cited))
            return shown
        self._services.usage_limits.settle(record)  # no step of its state machine has settled it
        problem = Problem(
            code="timeout",
            message="the question was not answered in time",
            action="Ask again; if it persists, look at the state machine's executions.",
        )
        return record.model_copy(update={"status": "FAILED", "error": problem})

    def newest(self, after: str = "") -> tuple[list[Turn], str]:
        """Returns a page of questions, newest first, and the cursor of the next page.

        It leaves out those that the caller may not read. One is FAILED, not RUNNING, if no process
        works on it any more.
        """
        turns, cursor = self._services.questions.newest(self._tenant, after)
        now = self._services.clock()
        readable = (turn for turn in turns if covers(self._groups, turn.groups))
        return [as_of(turn, now) for turn in readable], cursor

    def stop(self, question_id: str) -> QuestionRecord:
        """Ends a question that is being answered, and leaves an ended one as it is.

        Raises NotFoundError as `get` does.
        """
        record = self.get(question_id)
        if record.status == "RUNNING":
            self._services.usage_limits.settle(record)
        return stop(self._services.questions, record)

    def events(self, question_id: str, after: str = "") -> list[Event]:
        """Returns the trace of a question so far, or the events that came after `after`.

        Once the question has ended, the last event is `answered` or `failed`.
        """
        # The record is read first: that refuses another caller's question. All events that precede
        # the end are in the trace by then.
        record = self.get(question_id)
        end = record.last_event
        if is_closed(record):  # its trace holds words and names of closed documents
            return [end] if end and after != end.id else []
        stored = self._services.questions.events(question_id, after)
        events = [*stored, end] if end and after != end.id else stored
        begin = record.first_event
        # it comes with the first step, so that no client polls for it alone
        return [begin, *events] if begin and events and not after else events

    def findings(self, question_id: str) -> list[Finding]:
        """Returns what a question's work has found, then what its session had found before.

        It leaves out what rests on a document that has changed since, or is closed to the caller.
        Raises NotFoundError as `get` does.
        """
        if is_closed(self.get(question_id)):
            return []
        findings = read_findings(self._services.artifacts, question_id)
        live = keep_live(findings, self._services.catalog, self._groups)
        note_documents(*(place.document_id for each in live for place in each.places))
        return live

    def say(
        self,
        question_id: str,
        verdict: Opinion,
        reason: str = "",
        sentence: int | None = None,
        citation: int | None = None,
    ) -> Feedback:
        """Stores the caller's verdict on an answer.

        Raises BadRequestError for a sentence or citation that the answer lacks.
        """
        record = self.get(question_id)
        created = datetime.fromtimestamp(self._services.clock(), UTC).isoformat()
        feedback = make_feedback(
            record, verdict, reason, created, sentence=sentence, citation=citation
        )
        self._services.questions.add_feedback(feedback)
        return feedback

    def feedback(self, after: str = "") -> tuple[list[Feedback], str]:
        """Returns a page of feedback, newest first, and the cursor of the next page.

        It leaves out feedback on questions that the caller may not read.
        """
        feedback, cursor = self._services.questions.feedback(self._tenant, after)
        return [entry for entry in feedback if covers(self._groups, entry.groups)], cursor

    def export(self, question_id: str, form: ExportFormat) -> Exported:
        """Returns an answer as a file. Raises ConflictError for a question without an answer."""
        return export(self.get(question_id), form, self._services.artifacts)


def sessions_of(services: Services, who: Caller) -> Sessions:
    """Returns the sessions of a tenant that this caller may read, as of now."""
    now = services.clock()
    settle = services.usage_limits.settle
    ports = (services.questions, services.artifacts)
    return Sessions(*ports, who.tenant, who.groups, now, settle=settle)
