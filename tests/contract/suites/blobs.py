"""The suite of the port BlobStore."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from footnote.errors import BadRequestError, NotFoundError
from footnote.model import LinkHeaders
from footnote.ports import BlobStore
from tests.contract.suites import ODD_PATHS, new_tenant
from tests.contract.suites.uploads import Follow
from tests.naming import raises_naming


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

    @pytest.fixture
    def follow(self) -> Follow:
        raise NotImplementedError

    def test_a_link_gives_the_blob_as_it_says(self, blobs, prefix, follow):
        blobs.put(prefix + "a b+c.webp", b"picture")
        url = blobs.link(prefix + "a b+c.webp", 60, LinkHeaders(media_type="image/webp"))
        assert follow(url) == (b"picture", "image/webp", "inline")

    def test_putting_again_replaces(self, blobs, prefix):
        blobs.put(prefix + "a", b"old and long")
        blobs.put(prefix + "a", b"new")
        assert blobs.get(prefix + "a") == b"new"

    def test_what_is_put_once_stays_and_whoever_comes_later_gets_it(self, blobs, prefix):
        assert blobs.put_once(prefix + "a", b"first") == b"first"
        assert blobs.put_once(prefix + "a", b"second, longer") == b"first"
        assert blobs.get(prefix + "a") == b"first"
        blobs.put(prefix + "b", b"put")
        assert blobs.put_once(prefix + "b", b"late") == b"put"

    def test_of_many_that_put_once_all_get_what_one_put(self, blobs, prefix):
        with ThreadPoolExecutor(5) as pool:
            got = list(pool.map(lambda n: blobs.put_once(prefix + "a", b"%d" % n), range(5)))
        assert set(got) == {blobs.get(prefix + "a")}

    def test_what_was_deleted_can_be_put_once_again(self, blobs, prefix):
        blobs.put(prefix + "a", b"old")
        blobs.delete([prefix + "a"])
        assert blobs.put_once(prefix + "a", b"new") == b"new"

    def test_what_is_erased_is_gone_and_what_begins_otherwise_stays(self, blobs, prefix):
        for name in ("a/1", "a/2", "b/1"):
            blobs.put(prefix + name, b"one")
        assert blobs.erase(prefix + "a/") >= 2
        assert blobs.erase(prefix + "a/") == 0
        assert blobs.keys(prefix) == [prefix + "b/1"]

    def test_a_missing_blob_is_not_found_and_named(self, blobs, prefix):
        with raises_naming(NotFoundError, prefix + "none"):
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

    def test_keys_are_those_that_start_so_in_order(self, blobs, prefix):
        for name in ("doc10/a", "doc1/b/c", "doc1/a", "other"):
            blobs.put(prefix + name, b"x")
        assert blobs.keys(prefix + "doc1/") == [prefix + "doc1/a", prefix + "doc1/b/c"]
        assert blobs.keys(prefix + "none") == []

    def test_keys_can_be_had_a_few_at_a_time(self, blobs, prefix):
        names = [f"{prefix}doc/{n}" for n in range(5)]
        for name in names:
            blobs.put(name, b"x")
        assert blobs.keys(prefix + "doc/", limit=2) == names[:2]
        assert blobs.keys(prefix + "doc/", names[1], limit=2) == names[2:4]
        assert blobs.keys(prefix + "doc/", names[3]) == names[4:]

    def test_delete_deletes_these_and_nothing_else(self, blobs, prefix):
        for name in ("a", "b", "c"):
            blobs.put(prefix + name, b"x")
        blobs.delete([prefix + "a", prefix + "c", prefix + "never was"])
        blobs.delete([])
        assert blobs.keys(prefix) == [prefix + "b"]

    @pytest.mark.parametrize("key", ["", "x" * 1025, "ü" * 513])
    @pytest.mark.parametrize("call", ["put", "put_once"])
    def test_a_key_that_s3_does_not_take_is_a_bad_request(self, blobs, call, key):
        with pytest.raises(BadRequestError, match="S3 takes 1 to 1,024"):
            getattr(blobs, call)(key, b"x")

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_odd_keys_are_kept_as_they_are(self, blobs, prefix, path):
        blobs.put(prefix + path, path.encode())
        assert blobs.get(prefix + path) == path.encode()
        assert blobs.keys(prefix + path) == [prefix + path]
        blobs.delete([prefix + path])
        assert not has_blob(blobs, prefix + path)


def has_blob(blobs: BlobStore, key: str) -> bool:
    try:
        blobs.get(key)
    except NotFoundError:
        return False
    return True
