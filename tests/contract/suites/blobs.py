"""What every BlobStore must do."""

import pytest

from footnote.errors import BadRequestError, NotFoundError
from footnote.ports import BlobStore
from tests.contract.suites import ODD_PATHS, new_tenant


class BlobStoreSuite:
    @pytest.fixture
    def blobs(self) -> BlobStore:
        raise NotImplementedError

    @pytest.fixture
    def prefix(self) -> str:
        return f"{new_tenant()}/"

    @pytest.mark.parametrize("body", [b"", b"words", bytes(range(256)) * 5000])
    def test_a_blob_comes_back_as_it_was_put(self, blobs, prefix, body):
        blobs.put(prefix + "a.json", body)
        assert blobs.get(prefix + "a.json") == body

    def test_putting_again_replaces(self, blobs, prefix):
        blobs.put(prefix + "a", b"old and long")
        blobs.put(prefix + "a", b"new")
        assert blobs.get(prefix + "a") == b"new"

    def test_a_missing_blob_is_not_found_and_named(self, blobs, prefix):
        with pytest.raises(NotFoundError, match=prefix + "none"):
            blobs.get(prefix + "none")

    @pytest.mark.parametrize(
        ("span", "part"),
        [((0, 3), b"012"), ((4, 2), b"45"), ((9, 1), b"9"), ((8, 100), b"89"), ((3, 0), b"")],
    )
    def test_a_span_is_that_part_of_the_blob(self, blobs, prefix, span, part):
        blobs.put(prefix + "a", b"0123456789")
        assert blobs.get(prefix + "a", span) == part

    def test_a_span_beyond_the_end_is_not_found(self, blobs, prefix):
        blobs.put(prefix + "a", b"0123456789")
        with pytest.raises(NotFoundError):
            blobs.get(prefix + "a", (10, 5))

    def test_delete_prefix_deletes_what_starts_so_and_nothing_else(self, blobs, prefix):
        for name in ("doc1/a", "doc1/b/c", "doc10/a", "other"):
            blobs.put(prefix + name, b"x")
        assert blobs.delete_prefix(prefix + "doc1/") == 2
        left = [
            name for name in ("doc1/a", "doc1/b/c", "doc10/a", "other") if has(blobs, prefix + name)
        ]
        assert left == ["doc10/a", "other"]

    def test_delete_prefix_of_nothing_deletes_nothing(self, blobs, prefix):
        assert blobs.delete_prefix(prefix + "none") == 0

    def test_delete_prefix_refuses_an_empty_prefix(self, blobs, prefix):
        blobs.put(prefix + "a", b"x")
        with pytest.raises(BadRequestError):
            blobs.delete_prefix("")
        assert blobs.get(prefix + "a") == b"x"

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_odd_keys_are_kept_as_they_are(self, blobs, prefix, path):
        blobs.put(prefix + path, path.encode())
        assert blobs.get(prefix + path) == path.encode()
        assert blobs.delete_prefix(prefix + path) == 1
        assert not has(blobs, prefix + path)


def has(blobs: BlobStore, key: str) -> bool:
    try:
        blobs.get(key)
    except NotFoundError:
        return False
    return True
