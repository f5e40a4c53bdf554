"""The suite of the port Questions."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from footnote.errors import BadRequestError, ConfigurationError, ConflictError, NotFoundError
from footnote.model import (
    Answer,
    Feedback,
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


def add_answer(record: QuestionRecord, text: str = "It is 4,2.") -> QuestionRecord:
    answer = Answer(
        id=record.question_id,
        kind="answer",
        found=True,
        answer=text,
        sentences=(Sentence(text=text, citations=(1,)),),
        confidence=0.1 + 0.2,  # comes back only if all of its digits are stored
        plan=Plan(
            kind="retrieve",
            question=record.question,
            sub_questions=(SubQuestion(id="s1", text=record.question),),
        ),
        timings_ms={"plan": 12.5},
    )
    return record.model_copy(update={"status": "DONE", "answer": answer})


def add_error(record: QuestionRecord) -> QuestionRecord:
    problem = Problem(code="unavailable", message="search is down", action="Ask again.")
    return record.model_copy(update={"status": "FAILED", "error": problem})


def end_question(questions: Questions, record: QuestionRecord) -> QuestionRecord:
    """Creates the question as RUNNING, then finishes it as `record` says."""
    questions.create(record.model_copy(update={"status": "RUNNING", "answer": None, "error": None}))
    return questions.finish(record)


def kinds_and_numbers(events) -> list[tuple[str, object]]:
    return [(event.kind, event.data.get("n")) for event in events]


def walk(look) -> tuple[list, int]:
    """Returns what all pages of a list have, and how many there were."""
    found, after, pages = [], "", 0
    while pages < 20:
        page, after = look(after)
        found += page
        pages += 1
        if not after:
            return found, pages
    raise AssertionError(f"the list does not end: {found}")


WRITERS = 5  # as many as the parallel searches of a wave
EACH = 6


def said(record: QuestionRecord, n: int, created: str = "") -> Feedback:
    return Feedback(
        id=f"f{n}",
        question_id=record.question_id,
        tenant=record.tenant,
        question=record.question,
        groups=("board",),
        verdict="down",
        reason="Größe\n\U0001f600",
        sentence=0,
        citation=2,
        created=created or f"2026-11-20T10:00:{n:02}.000+00:00",
    )


class QuestionsSuite:
    @pytest.fixture
    def questions(self) -> Questions:
        raise NotImplementedError

    @pytest.fixture
    def another(self, questions) -> Questions:
        """The same store as seen by another process, whose clock is an hour behind."""
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

    def test_an_id_is_one_questions_for_ever(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        for other in ({"question": "Why?"}, {"tenant": new_tenant()}):
            with pytest.raises(ConflictError, match=record.question_id):
                questions.create(record.model_copy(update=other))
        assert questions.get(tenant, record.question_id) == record

    def test_creating_again_what_has_ended_changes_nothing(self, questions, tenant):
        done = end_question(questions, add_answer(question(tenant)))
        questions.create(question(tenant))
        assert questions.get(tenant, done.question_id) == done

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
        done = add_answer(question(tenant))
        assert questions.finish(done) == done
        assert questions.get(tenant, done.question_id) == done

    def test_a_failed_question_has_its_problem(self, questions, tenant):
        record = end_question(questions, add_error(question(tenant)))
        assert questions.get(tenant, record.question_id) == record == add_error(question(tenant))

    @pytest.mark.parametrize("first", [add_answer, add_error], ids=["DONE", "FAILED"])
    @pytest.mark.parametrize("second", [add_answer, add_error], ids=["DONE", "FAILED"])
    def test_what_has_ended_stays_as_it_is(self, questions, tenant, first, second):
        stays = end_question(questions, first(question(tenant)))
        late = second(question(tenant).model_copy(update={"history": ()}))
        assert questions.finish(late) == stays
        assert questions.get(tenant, stays.question_id) == stays

    def test_what_was_never_asked_cannot_be_finished(self, questions, tenant):
        with pytest.raises(NotFoundError):
            questions.finish(add_answer(question(tenant)))
        with pytest.raises(NotFoundError):
            questions.get(tenant, question(tenant).question_id)

    def test_of_two_that_finish_at_once_one_stands_and_both_are_told_which(self, questions, tenant):
        for n in range(5):
            questions.create(question(tenant, n))
            ends = [add_answer(question(tenant, n), f"By {k}.") for k in range(3)]
            ends.append(add_error(question(tenant, n)))
            with ThreadPoolExecutor(len(ends)) as pool:
                standing = list(pool.map(questions.finish, ends))
            assert standing == [questions.get(tenant, ends[0].question_id)] * len(ends)

    # -- whose turn it is ------------------------------------------------------------------------

    def test_a_question_is_claimed_by_one_run_at_a_time(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        assert questions.claim(record.question_id, "run-1", 60)
        assert not questions.claim(record.question_id, "run-2", 60)
        assert questions.claim(record.question_id, "run-1", 60)  # a retry of the same run
        assert questions.get(tenant, record.question_id) == record

    def test_a_claim_that_is_over_is_anybodys(self, questions, tenant):
        record = question(tenant)
        questions.create(record)
        assert questions.claim(record.question_id, "run-1", 0.3)
        time.sleep(0.4)
        assert questions.claim(record.question_id, "run-2", 60)
        assert not questions.claim(record.question_id, "run-1", 60)

    def test_what_has_ended_or_never_was_cannot_be_claimed(self, questions, tenant):
        questions.create(question(tenant))
        assert questions.claim(question(tenant).question_id, "run-1", 60)
        questions.finish(add_answer(question(tenant)))
        assert not questions.claim(question(tenant).question_id, "run-1", 60)
        assert not questions.claim(f"q-{tenant}-none", "run-1", 60)
        with pytest.raises(NotFoundError):
            questions.get(tenant, f"q-{tenant}-none")

    def test_of_many_that_claim_at_once_one_may(self, questions, tenant):
        for n in range(5):
            asked = question(tenant, n)
            questions.create(asked)
            with ThreadPoolExecutor(WRITERS) as pool:
                claims = pool.map(
                    lambda run, asked=asked: questions.claim(asked.question_id, run, 60), "abcde"
                )
            assert sorted(claims) == [False] * 4 + [True]

    # -- sessions --------------------------------------------------------------------------------

    @pytest.mark.parametrize("length", [299_000, 450_000, 1_500_000])
    def test_a_long_answer_is_kept_whole(self, questions, tenant, length):
        done = end_question(
            questions, add_answer(question(tenant), "Ein schöner Satz. " * (length // 18))
        )
        assert questions.get(tenant, done.question_id) == done

    def test_a_session_gives_its_last_answers_oldest_first(self, questions, tenant):
        done = [add_answer(question(tenant, n, "s1")) for n in range(1, 6)]
        for record in (done[3], done[0], done[4], done[2], done[1]):
            end_question(questions, record)
        questions.create(question(tenant, 6, "s1"))  # still running
        end_question(questions, add_answer(question(tenant, 7, "s2")))
        end_question(questions, add_answer(question(tenant, 8)))
        assert questions.session(tenant, "s1", 3) == done[2:]
        assert questions.session(tenant, "s1", 10) == done

    def test_a_session_of_the_same_name_is_each_tenants_own(self, questions, tenant):
        other = new_tenant()
        mine, theirs = add_answer(question(tenant, 1, "s")), add_answer(question(other, 1, "s"))
        end_question(questions, mine)
        end_question(questions, theirs)
        assert questions.session(tenant, "s", 10) == [mine]
        assert questions.session(other, "s", 10) == [theirs]

    def test_a_page_of_a_sessions_turns_has_them_all_in_order(self, questions, tenant):
        asked_as = [question(tenant, n, "s1") for n in range(5)]
        records = [one.model_copy(update={"after": one.question_id}) for one in asked_as]
        ended = [add_answer(records[0]), add_error(records[1]), None, add_answer(records[3]), None]
        for asked, end in reversed(list(zip(records, ended, strict=True))):
            questions.create(asked)
            if end:
                questions.finish(end)
        questions.create(question(tenant, 7, "s2"))
        questions.create(question(tenant, 8))
        expected = [(end or asked).turn for asked, end in zip(records, ended, strict=True)]
        assert [one.status for one in expected][:3] == ["DONE", "FAILED", "RUNNING"]
        assert expected[0].groups == ("board", "finance")
        for size in (1, 2, 4, 5, 50):
            turns, pages = walk(lambda after, n=size: questions.turns(tenant, "s1", after, n))
            assert turns == expected
            assert pages == -(-5 // size)
        assert questions.turns(tenant, "s9") == ([], "")

    def test_the_newest_turns_of_all_sessions_come_first(self, questions, tenant):
        records = [question(tenant, n, f"s{n % 2}") for n in range(5)]
        for asked in records:
            questions.create(asked)
        questions.create(question(tenant, 8))  # of no session
        other = new_tenant()
        questions.create(question(other, 9, "s1"))
        done = questions.finish(add_answer(records[2]))
        expected = [one.turn for one in records[::-1]]
        expected[2] = done.turn
        for size in (1, 2, 4, 5, 50):
            turns, pages = walk(lambda after, n=size: questions.latest(tenant, after, n))
            assert turns == expected
            assert pages == -(-5 // size)
        assert [one.session for one in questions.latest(other)[0]] == ["s1"]

    def test_the_newest_questions_are_those_of_sessions_and_of_none(self, questions, tenant):
        records = [question(tenant, n, "s" if n % 3 == 1 else "") for n in range(7)]
        for asked in records:
            questions.create(asked)
        questions.create(question(f"{tenant}x", 9))
        done = questions.finish(add_answer(records[2]))
        expected = [one.turn for one in records[::-1]]
        expected[4] = done.turn
        for size in (1, 2, 6, 7, 50):
            turns, pages = walk(lambda after, n=size: questions.newest(tenant, after, n))
            assert turns == expected
            assert pages == -(-7 // size)
        questions.delete(tenant, done.question_id)
        assert len(questions.newest(tenant)[0]) == 6
        assert [one.session for one in questions.newest(f"{tenant}x")[0]] == [""]

    def test_turns_of_the_same_moment_are_each_listed_once(self, questions, tenant):
        moment = question(tenant).created
        for n in range(4):
            asked = question(tenant, n, "s").model_copy(update={"created": moment})
            questions.create(asked)
        ids = {f"q-{tenant}-{n}" for n in range(4)}
        other = f"{tenant}x"
        for n in range(6):
            asked = question(other, n, "s" if n % 2 else "")
            questions.create(asked.model_copy(update={"created": moment}))
        for size in (1, 2, 5):
            turns, pages = walk(lambda after, n=size: questions.newest(other, after, n))
            assert sorted(one.question_id for one in turns) == [f"q-{other}-{n}" for n in range(6)]
            assert pages == -(-6 // size)
        for look in (lambda after: questions.latest(tenant, after, 1),
                     lambda after: questions.newest(tenant, after, 1),
                     lambda after: questions.turns(tenant, "s", after, 1)):  # fmt: skip
            turns, _ = walk(look)
            assert sorted(one.question_id for one in turns) == sorted(ids)

    @pytest.mark.parametrize("after", ["x", "bm8=", "WzFd", "e30=", "MQ=="])
    def test_what_is_no_cursor_is_a_bad_request(self, questions, tenant, after):
        looks = (
            (questions.turns, tenant, "s"),
            (questions.latest, tenant),
            (questions.newest, tenant),
        )
        for look, *where in looks:
            with pytest.raises(BadRequestError, match="not a page of this list"):
                look(*where, after)

    def test_what_is_deleted_is_gone_with_its_trace(self, questions, another, tenant):
        done = end_question(questions, add_answer(question(tenant, 1, "s")))
        failed = end_question(questions, add_error(question(tenant, 2, "s")))
        for n in range(60):  # more than one batch, in DynamoDB
            questions.add_event(done.question_id, "step", {"n": n})
        questions.add_event(failed.question_id, "step", {"n": 0})
        questions.delete(tenant, done.question_id)
        for who in (questions, another):
            with pytest.raises(NotFoundError):
                who.get(tenant, done.question_id)
            assert who.events(done.question_id) == []
            assert who.get(tenant, failed.question_id) == failed
            assert len(who.events(failed.question_id)) == 1
        assert [one.question_id for one in questions.turns(tenant, "s")[0]] == [failed.question_id]
        assert questions.session(tenant, "s", 9) == []
        assert questions.latest(tenant)[0] == [failed.turn]
        assert not questions.claim(done.question_id, "run-1", 60)
        with pytest.raises(NotFoundError):
            questions.finish(done)
        questions.delete(tenant, done.question_id)  # again

    def test_a_question_keeps_the_name_of_its_session(self, questions, another, tenant):
        done = end_question(questions, add_answer(question(tenant, 1, "s")))
        end_question(questions, add_answer(question(tenant, 2, "s")))
        questions.name_session(tenant, done.question_id, "Märkte <b>")
        named = done.model_copy(update={"session_name": "Märkte <b>"})
        assert another.get(tenant, done.question_id) == named
        assert another.turns(tenant, "s", "", 1)[0] == [named.turn]
        assert [one.session_name for one in another.latest(tenant)[0]] == ["", "Märkte <b>"]
        questions.create(question(tenant, 1, "s"))  # sent once more: it is there already
        questions.name_session(tenant, done.question_id, "")
        assert questions.get(tenant, done.question_id) == done
        assert questions.turns(tenant, "s", "", 1)[0] == [done.turn]

    def test_no_name_is_kept_where_no_question_of_this_tenant_has_ended(self, questions, tenant):
        running, gone = question(tenant, 1, "s"), question(tenant, 2, "s")
        questions.create(running)
        with pytest.raises(ConflictError):
            questions.name_session(tenant, running.question_id, "Markets")
        assert questions.get(tenant, running.question_id) == running
        end_question(questions, add_answer(question(tenant, 3, "s")))
        for whose, which in ((tenant, gone), (f"{tenant}x", question(tenant, 3))):
            with pytest.raises(NotFoundError):
                questions.name_session(whose, which.question_id, "Markets")
        assert [one.session_name for one in questions.latest(tenant)[0]] == ["", ""]

    def test_what_is_being_answered_is_not_deleted(self, questions, tenant):
        record = question(tenant, 1, "s")
        questions.create(record)
        questions.add_event(record.question_id, "step", {"n": 1})
        with pytest.raises(ConflictError, match="still being answered"):
            questions.delete(tenant, record.question_id)
        assert questions.get(tenant, record.question_id) == record
        assert len(questions.events(record.question_id)) == 1

    @pytest.mark.parametrize("question_id", ["", "q-none", "q" * 2049])
    def test_nobody_deletes_another_tenants_question_or_one_that_is_not(
        self, questions, tenant, question_id
    ):
        done = end_question(questions, add_answer(question(tenant, 1, "s")))
        questions.delete(new_tenant(), done.question_id)
        questions.delete(tenant, question_id)
        assert questions.get(tenant, done.question_id) == done

    # -- the trace -------------------------------------------------------------------------------

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

    def test_an_event_of_a_name_is_added_once_and_the_first_stays(self, questions, another, tenant):
        for n, (name, who) in enumerate(
            [("a", questions), ("b", another), ("a", another), ("c", questions), ("b", questions)]
        ):
            who.add_event(f"q-{tenant}", "step", {"n": n}, name)
        assert kinds_and_numbers(questions.events(f"q-{tenant}")) == [
            ("step", 0),
            ("step", 1),
            ("step", 3),
        ]
        another.add_event(f"q-{tenant}-2", "step", {"n": 9}, "a")  # a name counts per question
        assert kinds_and_numbers(another.events(f"q-{tenant}-2")) == [("step", 9)]

    def test_events_without_a_name_are_all_added(self, questions, tenant):
        for _ in range(3):
            questions.add_event(f"q-{tenant}", "restart", {})
        assert len(questions.events(f"q-{tenant}")) == 3

    def test_clocks_that_differ_do_not_matter(self, questions, another, tenant):
        seen = []
        for n in range(6):
            (another if n % 2 else questions).add_event(f"q-{tenant}", "step", {"n": n})
            after = seen[-1].id if seen else ""
            seen += questions.events(f"q-{tenant}", after)
        assert kinds_and_numbers(seen) == [("step", n) for n in range(6)]

    def test_one_process_serves_several_questions_in_turn(self, questions, another, tenant):
        for n in range(6):
            for who in (questions, another):
                who.add_event(f"q-{tenant}-{n % 3}", "step", {"n": n})
        for n in range(3):
            events = questions.events(f"q-{tenant}-{n}")
            assert kinds_and_numbers(events) == [("step", n)] * 2 + [("step", n + 3)] * 2

    @pytest.mark.parametrize("after", ["x", "1", "-0000001", "0000000²", "00000001-ab12", "~"])
    def test_what_is_no_events_id_is_a_bad_request(self, questions, tenant, after):
        questions.add_event(f"q-{tenant}", "step", {})
        with pytest.raises(BadRequestError, match="not the id of an event"):
            questions.events(f"q-{tenant}", after)

    def test_nothing_comes_after_an_id_that_is_yet_to_be(self, questions, tenant):
        questions.add_event(f"q-{tenant}", "step", {})
        for after in ("00000002", "99999999"):
            assert questions.events(f"q-{tenant}", after) == []

    def test_a_follower_sees_every_event_once_and_in_order(self, questions, another, tenant):
        """Lets several functions add events at once while a follower asks for newer ones."""
        where, seen = f"q-{tenant}", []

        def write(writer):
            who = another if writer % 2 else questions
            for n in range(EACH):
                who.add_event(where, f"by {writer}", {"n": n}, f"{writer}/{n}" if n % 2 else "")

        with ThreadPoolExecutor(WRITERS) as pool:
            writers = [pool.submit(write, writer) for writer in range(WRITERS)]
            while len(seen) < WRITERS * EACH:
                over = all(writer.done() for writer in writers)
                new = questions.events(where, seen[-1].id if seen else "")
                assert new or not over, f"the follower has {len(seen)} events; no more come"
                seen += new
        for writer in writers:
            writer.result()
        assert seen == questions.events(where)
        for writer in range(WRITERS):
            mine = [event for event in seen if event.kind == f"by {writer}"]
            assert kinds_and_numbers(mine) == [(f"by {writer}", n) for n in range(EACH)]

    def test_two_that_add_the_same_at_once_add_it_once(self, questions, another, tenant):
        for n in range(5):
            with ThreadPoolExecutor(WRITERS) as pool:
                for who in (questions, another, questions, another):
                    pool.submit(who.add_event, f"q-{tenant}", "plan", {"n": n}, f"plan {n}")
        assert kinds_and_numbers(questions.events(f"q-{tenant}")) == [("plan", n) for n in range(5)]

    # -- what the table does not take ------------------------------------------------------------

    @pytest.mark.parametrize("question_id", ["", "q" * 2049])
    def test_a_question_that_cannot_be_is_not_found_and_not_stored(
        self, questions, tenant, question_id
    ):
        with pytest.raises(NotFoundError):
            questions.get(tenant, question_id)
        asked = question(tenant).model_copy(update={"question_id": question_id})
        with pytest.raises(ConfigurationError, match="DynamoDB takes 1 to 2,048"):
            questions.create(asked)

    def test_a_record_or_a_session_that_is_too_large_is_refused(self, questions, tenant):
        long = question(tenant).model_copy(update={"history": (("why?", "x" * 410_000),)})
        for asked in (long, question(tenant, session="s" * 2049)):
            with pytest.raises(ConfigurationError, match="DynamoDB takes"):
                questions.create(asked)
            with pytest.raises(NotFoundError):
                questions.get(tenant, asked.question_id)

    def test_an_event_that_is_too_large_is_refused(self, questions, tenant):
        questions.create(question(tenant))
        with pytest.raises(ConfigurationError):
            questions.add_event(question(tenant).question_id, "found", {"text": "x" * 410_000})
        assert questions.events(question(tenant).question_id) == []

    def test_feedback_comes_back_newest_first_a_page_at_a_time(self, questions, tenant):
        first, second = (end_question(questions, add_answer(question(tenant, n))) for n in (1, 2))
        given = [said(first if n % 2 else second, n) for n in range(7)]
        for one in given:
            questions.add_feedback(one)
        found, pages = walk(lambda after: questions.feedback(tenant, after, 3))
        assert (found, pages) == (given[::-1], 3)

    def test_feedback_of_one_moment_is_all_there(self, questions, tenant):
        record = end_question(questions, add_answer(question(tenant)))
        for n in range(5):
            questions.add_feedback(said(record, n, "2026-11-20T10:00:00.000+00:00"))
        found, _ = walk(lambda after: questions.feedback(tenant, after, 2))
        assert sorted(one.id for one in found) == [f"f{n}" for n in range(5)]

    def test_feedback_that_is_sent_twice_is_there_once(self, questions, tenant):
        record = end_question(questions, add_answer(question(tenant)))
        for _ in range(2):
            questions.add_feedback(said(record, 1))
        assert len(questions.feedback(tenant)[0]) == 1

    def test_feedback_is_of_its_tenant_and_in_no_session_and_no_trace(self, questions, tenant):
        record = end_question(questions, add_answer(question(tenant, session="s")))
        questions.add_feedback(said(record, 1))
        assert questions.feedback(new_tenant()) == ([], "")
        assert [turn.question_id for turn in questions.turns(tenant, "s")[0]] == [
            record.question_id
        ]
        assert len(questions.latest(tenant)[0]) == 1
        assert questions.events(record.question_id) == []
        assert questions.get(tenant, record.question_id) == record

    def test_feedback_goes_with_its_question(self, questions, tenant):
        record = end_question(questions, add_answer(question(tenant)))
        questions.add_feedback(said(record, 1))
        questions.delete(tenant, record.question_id)
        assert questions.feedback(tenant) == ([], "")

    def test_a_cursor_of_feedback_that_is_none_is_refused(self, questions, tenant):
        with pytest.raises(BadRequestError):
            questions.feedback(tenant, "nonsense")
