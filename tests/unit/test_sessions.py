"""Sessions through all faces: follow-ups of follow-ups, branches, lists, what is deleted."""

import json

import pytest
from typer.testing import CliRunner

from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.adapters.memory.small import MemoryTenants
from footnote.adapters.rules import questions as question_rules
from footnote.ask.question import sessions as asking
from footnote.ask.question.history import ANSWER_TOKENS
from footnote.ask.question.sessions import QUESTION_SECONDS
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.client import Client
from footnote.clock import iso
from footnote.errors import BadRequestError, ConflictError, NotFoundError, UnreadableError
from footnote.model import QuestionRecord, Scope
from footnote.service import Service
from tests.dynamo import Dynamo
from tests.unit.faces import URL, InProcess, small

FACTS = "# Ottermoss\n\n" + "\n\n".join(
    f"Revenue of Ottermoss in {year} was {n} million crowns." for year, n in
    [(2020, 31), (2021, 47), (2022, 58), (2023, 66)]
)  # fmt: skip
GROUPS = {"k1": (), "board": ("board",), "all": ("@all",)}
KEYS = {name: name for name in ("k1", "board", "all", "k2")}


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/default/revenue.md", FACTS.encode())
    made.tenants = MemoryTenants(dict.fromkeys(GROUPS, "acme") | {"k2": "other"}, GROUPS)
    return made


@pytest.fixture
def service(pipeline):
    return Service(pipeline, "acme")


@pytest.fixture
def client(pipeline):
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as made:
        yield made


def of(pipeline, *groups, tenant="acme"):
    return Service(pipeline, tenant, groups)


def start_running(pipeline, session="s", question_id="q-run", created=None, groups=()):
    record = QuestionRecord(
        question_id=question_id,
        tenant="acme",
        status="RUNNING",
        question="Why?",
        scope=Scope(tenant="acme", groups=groups),
        session=session,
        created=created or iso(pipeline.clock()),
    )
    pipeline.questions.create(record)
    return record


def asked(client, question, **options):
    answer = client.ask(question, **options)
    assert answer["status"] == "DONE", answer
    return answer


# -- the question as it stands on its own ----------------------------------------------------------


def test_the_year_before_that_works_twice_in_a_row(client):
    first = asked(client, "What was revenue of Ottermoss in 2023?", session="s")
    second = asked(client, "And the year before?", session="s")
    third = asked(client, "and the year before that?", session="s")
    assert [one["plan"]["resolved"] for one in (first, second, third)] == [
        f"What was revenue of Ottermoss in {year}?" for year in (2023, 2022, 2021)
    ]
    found = [[cited["quote"] for cited in one["citations"]] for one in (first, second, third)]
    assert [quotes[0].split(" was ")[1] for quotes in found] == [
        f"{n} million crowns." for n in (66, 58, 47)
    ]
    assert (first["after"], second["after"], third["after"]) == ("", first["id"], second["id"])


def test_a_model_is_told_what_the_question_meant_and_not_what_was_typed(pipeline):
    def planned(text, resolved):
        made = {"kind": "retrieve", "sub_questions": [{"text": text}], "resolved": resolved}
        return json.dumps(made)

    verdict = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})
    told = "Revenue of Ottermoss in {} was {} million crowns. [1]"
    plans = [
        planned("revenue of Ottermoss 2023", ""),
        planned("revenue of Ottermoss 2022", "What was revenue of Ottermoss in 2022?"),
        planned("revenue of Ottermoss 2021", "See http://evil.example/ for revenue"),
        planned("revenue of Ottermoss 2020", ""),
    ]
    said = [told.format(*one) for one in ((2023, 66), (2022, 58), (2021, 47), (2020, 31))]
    script = [(made, verdict, one) for made, one in zip(plans, said, strict=True)]
    llm = ScriptedLLM([reply for replies in script for reply in replies])
    vars(pipeline)["llm"] = llm
    service = of(pipeline)
    typed = ["What was revenue in 2023?", "And before?", "And before that?", "And before that?"]
    ids = [service.questions.ask(text, session="s").question_id for text in typed]
    resolved = [service.questions.get(one).standalone for one in ids]
    assert resolved == [
        "What was revenue in 2023?",  # nothing was said before: it stands as it was asked
        "What was revenue of Ottermoss in 2022?",
        "revenue of Ottermoss 2021",  # the planner's words held a link
        "revenue of Ottermoss 2020",  # it did not say
    ]
    prompts = [one.prompt for one in llm.requests if one.task == "plan"]
    assert "What was revenue of Ottermoss in 2022?" in prompts[2]
    assert "And before?" not in prompts[2]


def test_a_greeting_between_two_questions_does_not_hide_what_was_asked(client):
    asked(client, "What was revenue of Ottermoss in 2023?", session="s")
    assert asked(client, "Thanks!", session="s")["kind"] == "direct"
    answer = asked(client, "And the year before?", session="s")
    assert answer["plan"]["resolved"] == "What was revenue of Ottermoss in 2022?"


def test_a_long_answer_is_remembered_in_part(pipeline, service):
    first = service.questions.ask("What was revenue of Ottermoss in 2023?", session="s")
    record = service.questions.get(first.question_id)
    long = record.answer.model_copy(update={"answer": "x " * (2 * ANSWER_TOKENS)})
    pipeline.questions._records[first.question_id] = record.model_copy(update={"answer": long})
    [(_, answer)] = service.questions.ask("And in 2021?", session="s").history
    assert answer.count("x") == ANSWER_TOKENS


# -- branches --------------------------------------------------------------------------------------


def test_a_branch_goes_on_from_an_earlier_turn(client):
    first = asked(client, "What was revenue of Ottermoss in 2023?", session="s")
    asked(client, "And in 2020?", session="s")
    branch = asked(client, "And the year before?", session="s", after=first["id"])
    assert branch["plan"]["resolved"] == "What was revenue of Ottermoss in 2022?"
    assert branch["after"] == first["id"]
    onward = asked(client, "And the year before that?", session="s")  # the newest turn's
    assert (onward["after"], onward["plan"]["resolved"][-5:]) == (branch["id"], "2021?")


def test_after_alone_goes_on_in_that_questions_session(client):
    first = asked(client, "What was revenue of Ottermoss in 2023?", session="s")
    second = asked(client, "And the year before?", after=first["id"])
    assert (second["session"], second["plan"]["resolved"][-5:]) == ("s", "2022?")
    single = asked(client, "What was revenue of Ottermoss in 2021?")
    follow = asked(client, "And the year before?", after=single["id"])
    assert (follow["session"], follow["plan"]["resolved"][-5:]) == ("", "2020?")


def test_only_an_answered_question_of_the_session_can_be_followed(pipeline, client):
    first = asked(client, "What was revenue of Ottermoss in 2023?", session="s")
    for unknown in (
        {"session": "t", "after": first["id"]},
        {"after": "none"},
        {"after": "q" * 200},
    ):
        with pytest.raises(NotFoundError, match="no question"):
            client.start("And the year before?", **unknown)
    start_running(pipeline)
    with pytest.raises(ConflictError, match="is RUNNING") as running:
        client.start("And the year before?", session="s", after="q-run")
    assert running.value.code == "not_answered"
    with pytest.raises(BadRequestError, match="after"):
        client.start("And the year before?", after="q" * 201)


def test_nobody_follows_what_they_may_not_read(pipeline):
    secret = of(pipeline, "board").questions.ask(
        "What was revenue of Ottermoss in 2023?", session="s"
    )
    for service in (of(pipeline), of(pipeline, tenant="other")):
        with pytest.raises(NotFoundError):
            service.questions.ask("And the year before?", session="s", after=secret.question_id)
    mine = of(pipeline).questions.ask("And the year before?", session="s")
    assert (mine.history, mine.after) == ((), "")
    follow = of(pipeline, "@all").questions.ask("And the year before?", after=secret.question_id)
    assert follow.after == secret.question_id


# -- lists -----------------------------------------------------------------------------------------


def test_sessions_are_listed_newest_first_and_shown_in_order(pipeline, client):
    for session, question in [
        ("a", "What was revenue of Ottermoss in 2023?"),
        ("b/ö ?", "Hello!"),
        ("a", "And the year before?"),
        ("", "What was revenue of Ottermoss in 2020?"),
    ]:
        client.ask(question, session=session)
    listed = list(client.sessions())
    assert [(one["session"], one["last"]["question"]) for one in listed] == [
        ("a", "And the year before?"),
        ("b/ö ?", "Hello!"),
    ]
    first, second = client.session("a")
    assert (first["kind"], first["found"], first["status"]) == ("answer", True, "DONE")
    assert (second["question"], second["resolved"]) == (
        "And the year before?",
        "What was revenue of Ottermoss in 2022?",
    )
    assert second["after"] == first["id"]
    assert [turn["kind"] for turn in client.session("b/ö ?")] == ["direct"]


@pytest.mark.parametrize("page", [1, 2, 3, 50])
def test_lists_are_whole_whatever_the_size_of_a_page(pipeline, client, monkeypatch, page):
    monkeypatch.setattr(asking, "PAGE", page)
    monkeypatch.setattr(asking, "MAX_PAGES", 1)
    for n in range(7):
        client.ask(f"Hello {n}!", session=f"s{n % 3}")
    assert [one["session"] for one in client.sessions()] == ["s0", "s2", "s1"]
    assert [turn["question"] for turn in client.session("s0")] == [
        "Hello 0!",
        "Hello 3!",
        "Hello 6!",
    ]


def test_a_session_is_there_for_those_who_may_read_one_of_its_questions(pipeline):
    of(pipeline, "board").questions.ask("Hello!", session="closed")
    of(pipeline).questions.ask("Hello!", session="open")
    of(pipeline, "board").questions.ask("Thanks!", session="open")
    guest, board = of(pipeline), of(pipeline, "board")
    listed = [
        (one.last.session, one.last.question, one.first) for one in board.sessions.newest()[0]
    ]
    assert listed == [("open", "Thanks!", "Hello!"), ("closed", "Hello!", "Hello!")]
    listed = [
        (one.last.session, one.last.question, one.first) for one in guest.sessions.newest()[0]
    ]
    assert listed == [("open", "Hello!", "Hello!")]
    assert [turn.question for turn in guest.sessions.turns("open")[0]] == ["Hello!"]
    for service in (guest, of(pipeline, tenant="other")):
        with pytest.raises(NotFoundError) as unknown:
            service.sessions.turns("closed")
        assert unknown.value.code == "unknown_session"
    assert of(pipeline, tenant="other").sessions.newest() == ([], "")


# -- names -----------------------------------------------------------------------------------------


def names(service):
    return {one.last.session: one.name for one in service.sessions.newest()[0]}


def test_a_session_keeps_the_name_it_was_given_last(pipeline, client):
    client.ask("Hello!", session="s")
    client.ask("Hello!", session="t")
    assert client.name_session("s", "  Revenue ") == {"session": "s", "name": "Revenue"}
    client.ask("And the year before?", session="s")
    assert [(one["session"], one["name"], one["first"]) for one in client.sessions()] == [
        ("s", "Revenue", "Hello!"),
        ("t", "", "Hello!"),
    ]
    client.name_session("s", "Sales")
    assert [turn.session_name for turn in pipeline.questions.turns("acme", "s")[0]] == ["", "Sales"]
    client.name_session("s", "")
    assert [one["name"] for one in client.sessions()] == ["", ""]
    with pytest.raises(NotFoundError, match="no session 'u'"):
        client.name_session("u", "Sales")
    with pytest.raises(BadRequestError):
        client.name_session("s", "x" * 201)


def test_a_name_is_for_those_who_may_read_the_question_that_keeps_it(pipeline):
    guest, board = of(pipeline), of(pipeline, "board")
    guest.questions.ask("Hello!", session="s")
    board.questions.ask("Hello!", session="s")
    assert board.sessions.rename("s", "The secret \ud800merger") == "The secret ?merger"
    board.sessions.rename("s", "The secret merger")
    assert (names(guest), names(board)) == ({"s": ""}, {"s": "The secret merger"})
    guest.sessions.rename("s", "Greetings")
    assert (names(guest), names(board)) == ({"s": "Greetings"}, {"s": "The secret merger"})
    with pytest.raises(NotFoundError):
        of(pipeline, tenant="other").sessions.rename("s", "Mine")


def test_a_session_is_named_while_one_of_its_questions_is_answered(pipeline, service):
    start_running(pipeline, question_id="q1", created="2020-01-01T00:00:00+00:00")
    with pytest.raises(ConflictError, match="no question of session 's' has ended") as busy:
        service.sessions.rename("s", "Facts")  # the one that was given up may yet end
    assert busy.value.code == "question_running"
    service.questions.ask("Hello!", session="s")
    start_running(pipeline)
    service.sessions.rename("s", "Facts")
    assert names(service) == {"s": "Facts"}


def test_a_name_is_found_on_a_later_page_than_the_session(pipeline, client, monkeypatch):
    monkeypatch.setattr(asking, "PAGE", 1)
    monkeypatch.setattr(asking, "MAX_PAGES", 1)
    client.ask("Hello!", session="s")
    client.name_session("s", "Greetings")
    client.ask("And the year before?", session="s")
    [one] = client.sessions()
    assert (one["name"], one["first"]) == ("Greetings", "Hello!")
    assert len(client.sessions(enough=1)) == 1


@pytest.mark.parametrize("after", ["x", "bm8=", "WzFd", "e30="])
def test_what_is_no_cursor_is_a_bad_request(service, after):
    service.questions.ask("Hello!", session="s")
    for look in (
        lambda: service.sessions.newest(after),
        lambda: service.sessions.turns("s", after),
    ):
        with pytest.raises(BadRequestError, match="not a page of this list"):
            look()


# -- deleting --------------------------------------------------------------------------------------


def test_what_is_deleted_is_unknown_and_leaves_nothing(pipeline, client):
    ids = [client.ask("What was revenue of Ottermoss in 2023?", session="s")["id"]]
    ids.append(client.ask("And the year before?", session="s")["id"])
    kept = client.ask("What was revenue of Ottermoss in 2020?", session="t")["id"]
    assert pipeline.artifacts.keys(f"questions/{ids[0]}/")
    assert client.delete_session("s") == 2
    for one in ids:
        assert pipeline.artifacts.keys(f"questions/{one}/") == []
        assert pipeline.questions.events(one) == []
        for look in (client.question, client.events):
            with pytest.raises(NotFoundError):
                look(one)
    for look in (lambda: list(client.session("s")), lambda: client.delete_session("s")):
        with pytest.raises(NotFoundError, match="no session 's'"):
            look()
    assert [one["session"] for one in client.sessions()] == ["t"]
    assert client.question(kept)["found"]
    assert pipeline.artifacts.keys(f"questions/{kept}/")
    again = client.ask("And the year before?", session="s")
    assert pipeline.questions.get("acme", again["id"]).history == ()


def test_a_session_that_is_being_answered_is_not_deleted(pipeline, client):
    done = client.ask("Hello!", session="s")["id"]
    start_running(pipeline)
    with pytest.raises(ConflictError, match="q-run of session 's' is still being answered") as busy:
        client.delete_session("s")
    assert busy.value.code == "question_running"
    assert client.question(done)["answer"]


def test_a_question_that_nobody_works_on_any_more_is_deleted_with_its_session(pipeline, client):
    long_ago = iso(pipeline.clock() - QUESTION_SECONDS - 1)
    start_running(pipeline, created=long_ago)
    [turn] = client.session("s")
    assert turn["status"] == "FAILED"
    assert client.delete_session("s") == 1
    assert list(client.sessions()) == []


def test_deleting_leaves_what_the_caller_may_not_read(pipeline):
    secret = of(pipeline, "board").questions.ask("Hello!", session="s").question_id
    guest, board = of(pipeline), of(pipeline, "board")
    with pytest.raises(NotFoundError):
        guest.sessions.delete("s")
    guest.questions.ask("Hello!", session="s")
    start_running(pipeline, question_id="q-board", groups=("board",))
    assert guest.sessions.delete("s") == (1, False)
    assert [turn.question_id for turn in board.sessions.turns("s")[0]] == [secret, "q-board"]
    with pytest.raises(NotFoundError):
        of(pipeline, tenant="other").sessions.delete("s")


def test_a_question_that_cannot_be_read_keeps_no_other_from_being_deleted(
    pipeline, service, monkeypatch
):
    spoilt, other = (service.questions.ask("Hello!", session="s").question_id for _ in range(2))
    real = pipeline.questions.get

    def get(tenant, question_id):
        if question_id == spoilt:
            raise UnreadableError(f"question {question_id} cannot be read")
        return real(tenant, question_id)

    monkeypatch.setattr(pipeline.questions, "get", get)
    assert service.sessions.delete("s") == (1, False)
    assert [turn.question_id for turn in service.sessions.turns("s")[0]] == [spoilt]
    assert pipeline.artifacts.keys(f"questions/{spoilt}/")
    assert not pipeline.artifacts.keys(f"questions/{other}/")


def test_a_deletion_that_was_cut_short_is_done_again(pipeline, service, monkeypatch):
    ids = [service.questions.ask("Hello!", session="s").question_id for _ in range(3)]
    real, left = pipeline.questions.delete, [1]

    def once(tenant, question_id):
        if not left:
            raise ConflictError("cut short")
        left.pop()
        real(tenant, question_id)

    monkeypatch.setattr(pipeline.questions, "delete", once)
    with pytest.raises(ConflictError):
        service.sessions.delete("s")
    monkeypatch.setattr(pipeline.questions, "delete", real)
    assert service.sessions.delete("s") == (2, False)
    assert all(not pipeline.artifacts.keys(f"questions/{one}/") for one in ids)


def test_a_long_session_is_deleted_in_several_calls(pipeline, client, monkeypatch):
    monkeypatch.setattr(asking, "MAX_DELETED", 2)
    for n in range(5):
        client.ask(f"Hello {n}!", session="s")
    assert client.delete_session("s") == 5
    assert list(client.sessions()) == []


class Counted:
    """Counts the pages that are read of sessions."""

    def __init__(self, questions):
        self._questions = questions
        self.pages = 0

    def turns(self, *where):
        self.pages += 1
        return self._questions.turns(*where)

    def __getattr__(self, name):
        return getattr(self._questions, name)


def test_twice_as_many_questions_are_deleted_with_twice_the_reading(pipeline):
    pipeline.questions = Counted(pipeline.questions)
    read = []
    for many in (200, 400):
        for n in range(many):
            start_running(pipeline, question_id=f"q{n}", created="2020-01-01T00:00:00+00:00")
        before = pipeline.questions.pages
        while of(pipeline).sessions.delete("s")[1]:
            pass
        read.append(pipeline.questions.pages - before)
    assert read[1] <= 2 * read[0] + 1


def test_a_question_that_is_no_longer_there_keeps_nobody_from_deleting_the_others(
    pipeline, service, monkeypatch
):
    gone = service.questions.ask("Hello!", session="s")
    service.questions.ask("Hello!", session="s")
    turns = pipeline.questions.turns("acme", "s")
    pipeline.questions.delete("acme", gone.question_id)
    monkeypatch.setattr(pipeline.questions, "turns", lambda *_: turns)  # the index is behind
    assert service.sessions.delete("s") == (1, False)


# -- names that hold a mark ------------------------------------------------------------------------


@pytest.mark.parametrize("key", [None, "{}#{}"], ids=["stored now", "stored by an old release"])
def test_a_session_of_a_tenant_whose_name_has_a_mark_is_its_own(pipeline, monkeypatch, key):
    """Gives a tenant's session the name that was once the key of another tenant's session."""
    pipeline.questions = DynamoQuestions(Dynamo(), "QuestionsTable")
    pipeline.upload("acme#corp/default/revenue.md", FACTS.encode())
    theirs = of(pipeline, tenant="acme#corp")
    with monkeypatch.context() as old:
        if key:
            old.setattr(question_rules, "session_key", key.format)
        asked_first = theirs.questions.ask("What was revenue of Ottermoss in 2023?", session="26")
        folder = pipeline.artifacts.keys(f"questions/{asked_first.question_id}/")
        theirs.questions.say(asked_first.question_id, "down", "secret")
    acme = of(pipeline, "@all")
    for look in (acme.sessions.turns, acme.sessions.delete):
        with pytest.raises(NotFoundError):
            look("corp#26")
    assert acme.questions.ask("And in 2022?", session="corp#26").history == ()
    assert len(acme.sessions.turns("corp#26")[0]) == 1
    assert acme.questions.feedback() == ([], "")
    assert acme.sessions.delete("corp#26") == (1, False)
    assert pipeline.artifacts.keys(f"questions/{asked_first.question_id}/") == folder != []
    assert theirs.questions.get(asked_first.question_id).answer.found
    if not key:
        assert len(theirs.sessions.turns("26")[0]) == len(theirs.questions.feedback()[0]) == 1


def test_a_question_that_is_not_the_callers_keeps_its_artifacts(pipeline, monkeypatch):
    """Lists another tenant's question, as a table would that confuses the two."""
    theirs = of(pipeline, tenant="other").questions.ask("Hello!", session="s")
    pipeline.artifacts.put(f"questions/{theirs.question_id}/plan-0.json", b"{}")
    monkeypatch.setattr(pipeline.questions, "turns", lambda *_: ([theirs.turn.model_copy(
        update={"status": "DONE"})], ""))  # fmt: skip
    assert of(pipeline).sessions.delete("s") == (0, False)
    assert pipeline.artifacts.keys(f"questions/{theirs.question_id}/")


# -- the command line ------------------------------------------------------------------------------


@pytest.fixture
def run(pipeline, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(pipeline))

    def runs(*words):
        result = CliRunner().invoke(commands.app, words)
        if isinstance(result.exception, Exception):
            raise result.exception
        return result.stdout

    yield runs
    transport.reset(token)


def test_sessions_are_listed_shown_and_deleted_from_the_command_line(run):
    assert run("sessions") == "no sessions yet: `footnote ask QUESTION --session ID`\n"
    first = json.loads(
        run("ask", "What was revenue of Ottermoss in 2023?", "--session", "s", "--json")
    )
    run("ask", "And the year before?", "--session", "s")
    run("ask", "And in 2020?", "--session", "s", "--after", first["id"])
    [line] = run("sessions").splitlines()
    assert line.split("  ")[1:] == ["s", "And in 2020?"]
    shown = run("sessions", "show", "s").splitlines()
    assert [line.strip() for line in shown if "understood" in line] == [
        "understood: What was revenue of Ottermoss in 2022?",
        "understood: What was revenue of Ottermoss in 2020?",
    ]
    assert [line.strip() for line in shown if line.strip().startswith("after ")] == [
        f"after {first['id']}"
    ]
    assert len(json.loads(run("sessions", "show", "s", "--json"))["turns"]) == 3
    assert json.loads(run("sessions", "--json"))["sessions"][0]["session"] == "s"
    assert run("sessions", "delete", "s") == "deleted s: 3 questions\n"
    with pytest.raises(NotFoundError):
        run("sessions", "show", "s")


def test_what_a_session_is_named_cannot_write_to_the_terminal(run, client):
    client.ask("Hello \x1b]8;;http://evil.example\x07!", session="s\x1b[31m[bold]x")
    for words in (("sessions",), ("sessions", "show", "s\x1b[31m[bold]x")):
        shown = run(*words)
        assert "\x1b" not in shown
        assert "\x07" not in shown
    assert "[bold]x" in run("sessions")
