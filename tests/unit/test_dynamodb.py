"""Values as DynamoDB's attributes, what a request may cap, and what a look costs."""

import pytest
from pydantic import ValidationError

from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.dynamodb.values import attribute, attributes
from footnote.errors import UnreadableError
from footnote.model import Feedback, QuestionRecord, Revision, Scope
from footnote.model.budget import Caps
from tests.dynamo import Dynamo


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        (0.25, "0.25"),
        (0, "0"),
        (-3, "-3"),
        (1e-130, "1e-130"),
        (1.1125369292536007e-308, "0"),  # DynamoDB refuses what is nearer to 0 than 1E-130
        (-1e-200, "0"),
    ],
)
def test_a_number_too_small_for_the_table_is_stored_as_nought(number, stored):
    assert attribute(number) == {"N": stored}


@pytest.mark.parametrize("given", [{"usd": 1e-308}, {"usd": 1e308}, {"usd": 0}, {"tokens": 10**40}])
def test_a_budget_that_means_nothing_is_refused(given):
    with pytest.raises(ValidationError):
        Caps(**given)


def test_a_small_budget_is_kept():
    assert Caps(usd=0.000_001, tokens=1).usd == 0.000_001


class Table:
    """Answers queries of the index by tenant, with one document a key, and counts what it reads."""

    def __init__(self, *keys):
        self.keys = sorted(keys)
        self.read = 0

    def query(self, **asked):
        given = {name: value["S"] for name, value in asked["ExpressionAttributeValues"].items()}
        tenant, after = given[":tenant"], given.get(":after", "")
        following = [one for one in self.keys if one.startswith(f"{tenant}/") and one > after]
        page = following[: asked["Limit"]]
        self.read += len(page)
        more = {"LastEvaluatedKey": attributes({"key": page[-1]})} if following[len(page) :] else {}
        return {"Items": list(map(item, page)), "ScannedCount": len(page), **more}


def item(key):
    revision = Revision(key=key, version="v1", sequencer="10")
    known = {
        "status": "READY",
        "live_version": "v1",
        "size": 1,
        "updated": "",
        "sidecar": '{"acl": ["board"]}',
    }
    named = revision.model_dump() | {"document_id": revision.document_id}
    return attributes(named | known)


def test_looking_into_a_collection_reads_no_more_than_one_page_beyond_it():
    others = [f"acme/b/{n:05}" for n in range(6000)]
    table = Table("acme/a-b/1", "acme/a/1", "acme/a/2", "acme/a0/1", *others)
    catalog = DynamoCatalog(table, "documents")
    found, after = catalog.documents("acme", None, "", 1, ("board",), collection="a")
    assert ([one.key for one in found], bool(after), table.read) == (["acme/a/1"], True, 2)
    found, after = catalog.documents("acme", None, after, 1, ("board",), collection="a")
    assert ([one.key for one in found], after) == (["acme/a/2"], "")
    for groups, collection in [(("board",), "none"), ((), "a"), ((), "a0")]:
        table.read = 0
        assert catalog.documents("acme", None, "", 1, groups, collection=collection) == ([], "")
        assert table.read <= 2 + 1000


# -- records that this release cannot read ---------------------------------------------------------


class Spoilt:
    """A documents table with a record that this release reads, between two that it does not."""

    def __init__(self):
        good = {"document_id": "d2", "key": "acme/default/2.md", "version": "v", "sequencer": "01"}
        good |= {"status": "PARSING", "updated": "2026-11-27T10:00:00Z"}
        newer = {"document_id": "d1", "status": "PAUSED"}
        damaged = {"document_id": "d3", "metadata": "{"}
        self.items = [attributes(good | one) for one in (newer, {}, damaged)]

    def query(self, **_):
        return {"Items": self.items, "ScannedCount": 3}

    def scan(self, **_):
        return {"Items": self.items}

    def get_item(self, **_):
        return {"Item": self.items[0]}

    def batch_get_item(self, **_):
        return {"Responses": {"t": self.items}, "UnprocessedKeys": {}}

    def get_paginator(self, _):
        return self

    def paginate(self, **given):
        mark = given.get("ExpressionAttributeValues", {}).get(":unfinished")
        return [{"Items": self.items if mark in (None, {"S": "d"}) else []}]


LISTS = {
    "documents": lambda catalog: catalog.documents("acme")[0],
    "records": lambda catalog: catalog.records(["d1", "d2", "d3"]),
    "unfinished": lambda catalog: catalog.unfinished(),
    "page": lambda catalog: catalog.page("", 9, whole=False)[0],
}
WHOLE = {
    "get": lambda catalog: catalog.get("d1"),
    "live": lambda catalog: list(catalog.live()),
    "page": lambda catalog: catalog.page("", 9),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_record_that_cannot_be_read_is_left_out_of_a_list_and_logged(name, caplog):
    catalog = DynamoCatalog(Spoilt(), "t")
    assert [one.document_id for one in LISTS[name](catalog)] == ["d2"]
    assert [("d1" in one.reason, "d3" in one.reason) for one in caplog.records] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("name", WHOLE)
def test_where_all_records_are_needed_one_that_cannot_be_read_is_an_error(name):
    """A re-index that left one out would lose it."""
    with pytest.raises(UnreadableError, match="document d1 cannot be read") as caught:
        WHOLE[name](DynamoCatalog(Spoilt(), "t"))
    assert caught.value.code == "unreadable"


# -- questions and feedback that this release cannot read ------------------------------------------


class Questions:
    """A table with three turns of a session and three feedbacks, the middle ones spoilt."""

    def __init__(self, spoil):
        self.dynamo = Dynamo()
        self.port = DynamoQuestions(self.dynamo, "QuestionsTable")
        for n in (1, 2, 3):
            created = f"2026-11-27T10:00:0{n}Z"
            named = {"question_id": f"q{n}", "tenant": "acme", "created": created}
            named |= {"question": "?", "session": "s"}
            scope = Scope(tenant="acme")
            self.port.create(QuestionRecord(**named, status="DONE", scope=scope))
            self.port.add_feedback(Feedback(**named, id=f"f{n}", verdict="up"))
        for item in ("record", "feedback#f2"):
            key = attributes({"question_id": "q2", "item": item})
            [stored] = self.dynamo.get_item(TableName="QuestionsTable", Key=key).values()
            self.dynamo.put_item(TableName="QuestionsTable", Item=stored | attributes(spoil))


SPOILT = {
    "names of a newer release": {"status": "PAUSED", "verdict": "maybe"},
    "what is damaged": {"turn": {"question_id": "q2"}, "verdict": None, "scope": 7},
}
ASKED = {
    "turns": (lambda port, **page: port.turns("acme", "s", **page), ["q1", "q3"]),
    "latest": (lambda port, **page: port.latest("acme", **page), ["q3", "q1"]),
    "feedback": (lambda port, **page: port.feedback("acme", **page), ["q3", "q1"]),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_read_is_left_out_of_a_session_and_logged(name, spoil, caplog):
    table, (look, wanted) = Questions(spoil), ASKED[name]
    found, after = look(table.port)
    assert ([one.question_id for one in found], after) == (wanted, "")
    assert ["q2" in one.reason for one in caplog.records] == [True]


@pytest.mark.parametrize("name", ASKED)
def test_a_page_of_a_session_ends_behind_one_that_can_be_read(name):
    table, (look, wanted) = Questions(SPOILT["names of a newer release"]), ASKED[name]
    first, after = look(table.port, limit=1)
    second, end = look(table.port, limit=1, after=after)
    assert ([one.question_id for one in (*first, *second)], end) == (wanted, "")


def test_a_question_that_cannot_be_read_is_no_history(caplog):
    table = Questions({"answer": "{"})
    assert [one.question_id for one in table.port.session("acme", "s", 2)] == ["q1", "q3"]
    assert ["q2" in one.reason for one in caplog.records] == [True]
