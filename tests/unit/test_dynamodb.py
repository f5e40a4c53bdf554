"""Values as DynamoDB's attributes, what a request may cap, and what a look costs."""

import pytest
from pydantic import ValidationError

from footnote.adapters.dynamodb import attribute, attributes
from footnote.adapters.dynamodb_catalog import DynamoCatalog
from footnote.model import Revision
from footnote.model.budget import Caps


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
