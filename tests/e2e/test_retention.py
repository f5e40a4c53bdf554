"""Holds and erasures on the deployed system, with what the bucket itself then says."""

import pytest

from footnote.errors import ConflictError
from tests.e2e.test_metadata import becomes_ready, eventually

FEES = b"# Fees\n\nThe fee of the weighbridge for a barge is 84 crowns.\n"


@pytest.fixture(scope="module")
def officer(new_tenant):
    return new_tenant(groups="@all")


@pytest.fixture(scope="module")
def bucket(aws, stack, officer):
    """Puts, deletes and lists what is in the tenant's part of the uploads bucket."""
    s3, name, tenant = aws("s3"), stack["outputs"]["UploadsBucket"], officer[1]

    class Bucket:
        def put(self, path, body):
            s3.put_object(Bucket=name, Key=f"{tenant}/default/{path}", Body=body)

        def delete(self, path):
            s3.delete_object(Bucket=name, Key=f"{tenant}/default/{path}")

        def listed(self, path, kind):
            page = s3.list_object_versions(Bucket=name, Prefix=f"{tenant}/default/{path}")
            return page.get(kind, [])

    return Bucket()


def test_what_is_deleted_in_the_bucket_under_hold_is_put_back(officer, bucket):
    client, _ = officer
    bucket.put("held.md", FEES)
    assert becomes_ready(client, "held.md")
    client.set_retention("default", documents={"held.md": "case 12"})
    with pytest.raises(ConflictError, match="case 12"):
        client.remove("held.md")
    bucket.delete("held.md")
    assert eventually(lambda: not bucket.listed("held.md", "DeleteMarkers"))
    assert client.document("held.md")["status"] == "READY"
    client.set_retention("default")
    client.remove("held.md")
    assert eventually(lambda: client.document("held.md")["status"] == "DELETED")


def test_an_erased_document_is_nowhere_and_its_receipt_says_so(officer, bucket):
    client, _ = officer
    bucket.put("fees.md", b"# Fees\n\nAn older version.\n")
    bucket.put("fees.md", FEES)
    assert becomes_ready(client, "fees.md")
    asked = client.ask("What is the fee of the weighbridge for a barge?")
    assert asked["found"]
    begun = client.begin_erasure("fees.md")
    assert eventually(lambda: client.go_on_erasing(begun["id"])["status"] == "DONE")
    receipt = client.receipt(begun["id"])
    assert set(receipt["left"].values()) == {0}
    assert min(receipt["deleted"][name] for name in ("artifacts", "chunks", "vectors")) >= 1
    assert (receipt["deleted"]["files"], receipt["deleted"]["questions"]) == (2, 1)
    assert not bucket.listed("fees.md", "Versions") + bucket.listed("fees.md", "DeleteMarkers")
    assert client.search("weighbridge")["hits"] == []
