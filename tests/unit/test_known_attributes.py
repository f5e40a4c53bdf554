"""A filter on an attribute that no document has is told, as a collection that is not there is."""

import json

import pytest

from footnote.errors import NotFoundError
from footnote.service import Service
from tests.unit.faces import connect, small


@pytest.fixture
def pipeline():
    pipeline = small()
    add(pipeline, "port/fees.md", {"kind": "tariff", "year": 2025})
    add(pipeline, "board/plan.md", {"verdict": "closed"}, acl=["board"])
    return pipeline


def add(pipeline, name, attributes, acl=None):
    sidecar = {"metadataAttributes": attributes} | ({"acl": acl} if acl else {})
    pipeline.uploads.put(f"acme/{name}.metadata.json", json.dumps(sidecar).encode())
    pipeline.upload(f"acme/{name}", b"# Fees\n\nThe harbour fee for a barge is 84 crowns.")


def scope_of(pipeline, filters, *, collection=None, groups=()):
    return Service(pipeline, "acme", groups).searches.scope(collection, filters=filters)


def test_a_typo_is_told_with_what_is_there_spelled_alike_first(pipeline):
    with pytest.raises(NotFoundError, match="attribute 'yaer'") as refused:
        scope_of(pipeline, {"yaer": 2025})
    assert refused.value.code == "unknown_attribute"
    assert refused.value.action.startswith("There are: 'year', ")
    assert "'kind'" in refused.value.action


def test_attributes_of_documents_that_are_closed_are_neither_known_nor_named(pipeline):
    with pytest.raises(NotFoundError, match="attribute 'verdict'") as refused:
        scope_of(pipeline, {"verdict": "closed"})
    assert "verdict" not in refused.value.action
    assert scope_of(pipeline, {"verdict": "closed"}, groups=["board"])


def test_it_counts_in_the_collection_that_is_asked(pipeline):
    with pytest.raises(NotFoundError, match="'kind'"):
        scope_of(pipeline, {"kind": "tariff"}, collection="board", groups=["board"])
    assert scope_of(pipeline, {"kind": "tariff"}, collection="port")


@pytest.mark.parametrize(
    "filters",
    [
        {"kind": "law"},
        {"kind": {"exists": True}, "year": {"gte": 2030}},
        {"collection": "nowhere", "page": 9},
        {"end": {"exists": False}},
        {"not": {"end": 2025}},
        {"or": [{"end": 2025}, {"year": 2025}]},
    ],
)
def test_what_an_absent_attribute_leaves_something_to_find_in_is_searched(pipeline, filters):
    assert scope_of(pipeline, filters)


def test_it_is_told_inside_and_and_by_the_api(pipeline):
    nested = {"and": [{"kind": "tariff"}, {"end": 2025}]}
    with pytest.raises(NotFoundError, match="attribute 'end'") as refused:
        connect(pipeline).search("fee", filters=nested)
    assert refused.value.code == "unknown_attribute"
