"""What every Questions must do."""

import pytest

from footnote.errors import NotFoundError
from footnote.model import (
    Answer,
    Plan,
    Problem,
    QuestionRecord,
    Range,
    Scope,
    Sentence,
    SubQuestion,
)
from footnote.ports import Questions
from tests.contract.suites import new_tenant


def question(tenant: str, n: int = 1, session: str = "") -> QuestionRecord:
    return QuestionRecord(
        question_id=f"q-{tenant}-{n}",
        tenant=tenant,
        status="RUNNING",
        question=f"How many öre are {n} %?",
        scope=Scope(
            tenant=tenant,
            collection="docs",
            documents=("a b.pdf",),
            groups=("board", "finance"),
            filters={
                "year": 2023,
                "share": 0.25,
                "final": True,
                "kind": ("report", "note"),
                "at": Range(gte="2023-05", lt=2024),
            },
        ),
        session=session,
        history=(("before?", "That."),),
        created=f"2026-11-20T10:00:{n:02}.000+00:00",
        deadline=1_795_168_800.0625 + n,
    )


def answered(record: QuestionRecord, text: str = "It is 4,2.") -> QuestionRecord:
    answer = Answer(
        id=record.question_id,
        kind="answer",
        found=True,
        answer=text,
        sentences=(Sentence(text=text, citations=(1,)),),
        confidence=0.1 + 0.2,  # a number that only its full text gives back
        plan=Plan(
            kind="retrieve",
            question=record.question,
            sub_questions=(SubQuestion(id="s1", text=record.question),),
        ),
        timings_ms={"plan": 12.5},
    )
    return record.model_copy(update={"status": "DONE", "answer": answer})


class QuestionsSuite:
    @pytest.fixture
    def questions(self) -> Questions:
        raise NotImplementedError

    @pytest.fixture
    def tenant(self) -> str:
        return new_tenant()

    def test_a_question_comes_back_as_created(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        assert questions.get(tenant, record.question_id) == record

    def test_creating_twice_is_harmless(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        questions.create(record)
        assert questions.get(tenant, record.question_id) == record

    def test_an_unknown_question_is_not_found(self, questions, tenant):
        with pytest.raises(NotFoundError):
            questions.get(tenant, "q-none")

    def test_another_tenants_question_is_not_found(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        with pytest.raises(NotFoundError):
            questions.get(new_tenant(), record.question_id)

    def test_a_finished_question_has_its_answer(self, questions, tenant):
        questions.create(question(tenant))
        done = answered(question(tenant))
        questions.finish(done)
        assert questions.get(tenant, done.question_id) == done

    def test_a_failed_question_has_its_problem(self, questions, tenant):
        questions.create(question(tenant))
        problem = Problem(code="unavailable", message="search is down", action="Ask again.")
        failed = question(tenant).model_copy(update={"status": "FAILED", "error": problem})
        questions.finish(failed)
        assert questions.get(tenant, failed.question_id) == failed

    @pytest.mark.parametrize("length", [299_000, 450_000, 1_500_000])
    def test_a_long_answer_is_kept_whole(self, questions, tenant, length):
        done = answered(question(tenant), "Ein schöner Satz. " * (length // 18))
        questions.finish(done)
        assert questions.get(tenant, done.question_id) == done

    def test_a_session_gives_its_last_answers_oldest_first(self, questions, tenant):
        done = [answered(question(tenant, n, "s1")) for n in range(1, 6)]
        for record in (done[3], done[0], done[4], done[2], done[1]):
            questions.finish(record)
        questions.create(question(tenant, 6, "s1"))  # still running
        questions.finish(answered(question(tenant, 7, "s2")))
        questions.finish(answered(question(tenant, 8)))
        assert questions.session(tenant, "s1", 3) == done[2:]
        assert questions.session(tenant, "s1", 10) == done

    def test_a_session_of_the_same_name_is_each_tenants_own(self, questions, tenant):
        other = new_tenant()
        mine, theirs = answered(question(tenant, 1, "s")), answered(question(other, 1, "s"))
        questions.finish(mine)
        questions.finish(theirs)
        assert questions.session(tenant, "s", 10) == [mine]
        assert questions.session(other, "s", 10) == [theirs]

    def test_events_come_in_order_with_their_data(self, questions, tenant):
        data = [{"n": n, "text": "größer", "nested": {"share": 0.5, "x": None}} for n in range(5)]
        for one in data:
            questions.add_event(f"q-{tenant}", "found", one)
        events = questions.events(f"q-{tenant}")
        assert [(event.kind, event.data) for event in events] == [("found", one) for one in data]

    def test_a_client_gets_only_what_came_after_the_last(self, questions, tenant):
        for n in range(4):
            questions.add_event(f"q-{tenant}", "step", {"n": n})
        events = questions.events(f"q-{tenant}")
        assert questions.events(f"q-{tenant}", events[1].id) == events[2:]
        assert questions.events(f"q-{tenant}", events[3].id) == []

    def test_event_ids_rise_and_need_no_escaping_in_a_url(self, questions, tenant):
        for n in range(3):
            questions.add_event(f"q-{tenant}", "step", {"n": n})
        ids = [event.id for event in questions.events(f"q-{tenant}")]
        assert ids == sorted(set(ids))
        assert all(one.replace("-", "").isalnum() for one in ids)

    def test_a_question_without_events_has_none(self, questions, tenant):
        questions.create(question(tenant))
        assert questions.events(question(tenant).question_id) == []
