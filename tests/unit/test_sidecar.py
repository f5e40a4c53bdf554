"""Sidecars: what they may say. A sidecar that cannot be used closes its document."""

import json

import pytest

from footnote.adapters.memory.buckets import MemoryUploads
from footnote.errors import NotFoundError, UnavailableError
from footnote.metadata.sidecar import document_of, parse_sidecar, sidecar_at
from footnote.model import Sidecar


@pytest.mark.parametrize(
    ("key", "document"),
    [
        ("acme/docs/a.pdf.metadata.json", "acme/docs/a.pdf"),
        ("acme/docs/a.pdf.metadata.json.metadata.json", "acme/docs/a.pdf.metadata.json"),
        ("acme/docs/a.pdf", ""),
        ("acme/docs/metadata.json", ""),
        ("acme/docs/.metadata.json", ""),
        (".metadata.json", ""),
        ("acme/docs/a.pdf.METADATA.JSON", ""),
    ],
)
def test_a_sidecar_is_told_by_its_name(key, document):
    assert document_of(key) == document


def test_a_sidecar_says_attributes_in_both_forms_and_who_may_read():
    body = {
        "metadataAttributes": {
            "year": 2023,
            "by": "Ana",
            "final": True,
            "tags": ["a", "b"],
            "quarter": {"value": {"type": "NUMBER", "numberValue": 3}, "includeForEmbedding": True},
            "kind": {"value": {"type": "STRING", "stringValue": "report"}},
            "draft": {"value": {"type": "BOOLEAN", "booleanValue": False}},
            "places": {"value": {"type": "STRING_LIST", "stringListValue": ["Oslo"]}},
        },
        "acl": ["board", "finance", "board"],
    }
    assert parse_sidecar(json.dumps(body).encode("utf-8-sig"), "v1") == Sidecar(
        version="v1",
        attributes={
            "year": 2023,
            "by": "Ana",
            "final": True,
            "tags": ["a", "b"],
            "quarter": 3,
            "kind": "report",
            "draft": False,
            "places": ["Oslo"],
        },
        acl=("board", "finance"),
    )


@pytest.mark.parametrize(
    ("body", "acl"),
    [(b"{}", None), (b'{"acl": []}', ()), (b'{"metadataAttributes": {}}', None)],
)
def test_without_an_acl_everyone_may_read_and_with_an_empty_one_nobody(body, acl):
    assert parse_sidecar(body, "v1") == Sidecar(version="v1", acl=acl)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[" * 10_000, "not JSON"),
        (b'{"a":' * 2_000, "not JSON"),
        (b"[]", "not an object"),
        (b"null", "not an object"),
        (b'{"acls": ["board"]}', "'acls' is no field"),
        (b'{"Acl": ["board"]}', "'Acl' is no field"),
        (b'{"acl": "board"}', "`acl`"),
        (b'{"acl": null}', "`acl`"),
        (b'{"acl": [1]}', "'1'"),
        (b'{"acl": ["*"]}', "'*'"),
        (b'{"acl": ["two words"]}', "'two words'"),
        (b'{"acl": [""]}', "''"),
        (b'{"acl": ["board"], "acl": []}', "twice"),
        (b'{"metadataAttributes": {"a": 1, "a": 2}}', "twice"),
        (b'{"metadataAttributes": []}', "`metadataAttributes`"),
        (b'{"metadataAttributes": {"acl": ["board"]}}', "`acl`"),
        (b'{"metadataAttributes": {"a": null}}', "'a'"),
        (b'{"metadataAttributes": {"a": NaN}}', "NaN"),
        (b'{"metadataAttributes": {"a": 1e999}}', "'a'"),
        (b'{"metadataAttributes": {"a": ' + b"1" * 5000 + b"}}", "not JSON"),
        (b'{"metadataAttributes": {"a": [1]}}', "'a'"),
        (b'{"metadataAttributes": {"a": "\\ud800"}}', "'a'"),
        (b'{"metadataAttributes": {"a": {"b": 1}}}', "'a'"),
        (b'{"metadataAttributes": {"a": {"value": {"type": "DATE"}}}}', "'a'"),
        (b'{"metadataAttributes": {"a": {"value": {"type": "STRING"}}}}', "'a'"),
        (
            b'{"metadataAttributes": {"a": {"value": {"type": "NUMBER", "numberValue": true}}}}',
            "'a'",
        ),
        (
            b'{"metadataAttributes": {"a": {"value": {"type": "BOOLEAN", "booleanValue": 1}}}}',
            "'a'",
        ),
    ],
)
def test_a_sidecar_that_cannot_be_used_says_why_and_lets_nobody_read(body, why):
    found = parse_sidecar(body, "v1")
    assert (found.version, found.attributes, found.acl) == ("v1", {}, ())
    assert why in found.problem
    assert "only keys of the group @all" in found.problem


def test_the_sidecar_that_is_there_now_is_read():
    uploads = MemoryUploads()
    key = "acme/docs/a.pdf"
    assert sidecar_at(uploads, key) == Sidecar()
    uploads.put(f"{key}.metadata.json", b'{"acl": ["board"]}')
    newest = uploads.put(f"{key}.metadata.json", b'{"acl": ["legal"]}')
    assert sidecar_at(uploads, key) == Sidecar(version=newest.version, acl=("legal",))
    uploads.delete(f"{key}.metadata.json")
    assert sidecar_at(uploads, key) == Sidecar()


def test_a_sidecar_over_ten_kilobytes_is_not_even_read():
    uploads = MemoryUploads()
    uploads.put("acme/docs/a.pdf.metadata.json", b" " * 10_239 + b"{}")
    found = sidecar_at(uploads, "acme/docs/a.pdf")
    assert (found.acl, "10,241 bytes; the limit is 10,240" in found.problem) == ((), True)


class Vanishing(MemoryUploads):
    """Deletes every version for good between the look-up and the read."""

    def read(self, key, version):
        raise NotFoundError(f"no version {version} of {key}")


def test_a_sidecar_that_vanishes_again_and_again_is_tried_later():
    uploads = Vanishing()
    uploads.put("acme/docs/a.pdf.metadata.json", b"{}")
    with pytest.raises(UnavailableError):
        sidecar_at(uploads, "acme/docs/a.pdf")
