"""Values as DynamoDB's attributes, and what a request may cap."""

import pytest
from pydantic import ValidationError

from footnote.adapters.dynamodb import attribute, attributes
from footnote.adapters.dynamodb_catalog import DynamoCatalog
from footnote.errors import UnreadableError
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


# -- records that this release cannot read ---------------------------------------------------------


class Table:
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

    def paginate(self, **_):
        return [{"Items": self.items}]


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
    catalog = DynamoCatalog(Table(), "t")
    assert [one.document_id for one in LISTS[name](catalog)] == ["d2"]
    assert [("d1" in one.reason, "d3" in one.reason) for one in caplog.records] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("name", WHOLE)
def test_where_all_records_are_needed_one_that_cannot_be_read_is_an_error(name):
    """A re-index that left one out would lose it."""
    with pytest.raises(UnreadableError, match="document d1 cannot be read") as caught:
        WHOLE[name](DynamoCatalog(Table(), "t"))
    assert caught.value.code == "unreadable"
