"""The suite of the port Uploads; `put` uploads as a user's tool would, returns the revision."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from footnote.errors import BadDocumentError, BadRequestError, ConflictError, NotFoundError
from footnote.model import LinkHeaders, Revision
from footnote.ports import Uploads
from tests.contract.suites import ODD_PATHS, new_tenant

type Put = Callable[..., Revision]
type Follow = Callable[[str], tuple[bytes, str, str]]
"""URL → the body, its media type and its disposition."""


class UploadsSuite:
    @pytest.fixture
    def uploads(self) -> Uploads:
        raise NotImplementedError

    @pytest.fixture
    def put(self) -> Put:
        raise NotImplementedError

    @pytest.fixture
    def folder(self) -> str:
        return f"{new_tenant()}/docs/"

    def test_each_version_is_read_as_it_was_uploaded(self, uploads, put, folder):
        first, second = put(folder + "a", b"one"), put(folder + "a", b"two")
        assert uploads.read(first.key, first.version) == b"one"
        assert uploads.read(second.key, second.version) == b"two"

    @pytest.fixture
    def follow(self) -> Follow:
        raise NotImplementedError

    def test_a_link_gives_that_version_as_it_says(self, uploads, put, folder, follow):
        first = put(folder + "a b.pdf", b"one")
        put(folder + "a b.pdf", b"two")
        headers = LinkHeaders(media_type="application/pdf", name="a \u00fc.pdf", attachment=True)
        body, kind, how = follow(uploads.link(first.key, first.version, 60, headers))
        assert (body, kind) == (b"one", "application/pdf")
        assert how == "attachment; filename=\"a _.pdf\"; filename*=UTF-8''a%20%C3%BC.pdf"

    @pytest.mark.parametrize("version", ["none", "null", "../x", "null:abc"])
    def test_to_a_version_that_is_not_there_is_no_link(self, uploads, put, folder, version):
        key = put(folder + "a", b"one").key
        for call in (
            lambda: uploads.link(key, version, 60, LinkHeaders(media_type="text/plain")),
            lambda: uploads.read(key, version),
        ):
            with pytest.raises(NotFoundError):
                call()
        assert not uploads.is_kept(key, version)

    def test_more_bytes_than_are_wanted_are_not_read(self, uploads, put, folder):
        revision = put(folder + "a", b"12345")
        assert uploads.read(revision.key, revision.version, 5) == b"12345"
        with pytest.raises(BadDocumentError) as caught:
            uploads.read(revision.key, revision.version, 4)
        assert caught.value.code == "too_large"

    def test_a_replaced_version_is_kept_and_one_from_before_a_deletion_is_not(
        self, uploads, put, folder
    ):
        longer = put(folder + "a.more", b"of another key")
        first = put(folder + "a", b"one")
        second = put(folder + "a", b"two")
        assert uploads.is_kept(first.key, first.version)
        assert uploads.is_kept(second.key, second.version)
        uploads.delete(first.key)
        time.sleep(1.1)  # S3 tells the time of a version in seconds
        third = put(folder + "a", b"three")
        kept = [uploads.is_kept(one.key, one.version) for one in (first, second, third, longer)]
        assert kept == [False, False, True, True]

    def test_a_deleted_document_keeps_its_versions_readable(self, uploads, put, folder):
        revision = put(folder + "a", b"one")
        uploads.delete(revision.key)
        assert uploads.read(revision.key, revision.version) == b"one"

    def test_a_deletion_is_taken_back_and_the_newest_version_is_there_again(
        self, uploads, put, folder
    ):
        put(folder + "a.more", b"of another key")
        put(folder + "a", b"one")
        second = put(folder + "a", b"two")
        for _ in range(2):
            uploads.delete(second.key)
        uploads.delete(folder + "a.more")
        uploads.restore(second.key)
        assert uploads.current(second.key).version == second.version
        assert uploads.current(folder + "a.more") is None

    def test_what_is_erased_is_gone_in_all_versions_and_longer_keys_stay(
        self, uploads, put, folder
    ):
        longer = put(folder + "a.more", b"of another key")
        first, second = put(folder + "a", b"one"), put(folder + "a", b"two")
        uploads.delete(folder + "a")
        assert [uploads.erase(folder + "a") for _ in range(2)] == [3, 0]
        for one in (first, second):
            with pytest.raises(NotFoundError):
                uploads.read(one.key, one.version)
        assert uploads.current(longer.key).version == longer.version

    def test_where_nothing_was_deleted_or_nothing_is_left_nothing_is_restored(
        self, uploads, put, folder
    ):
        there = put(folder + "a", b"one")
        uploads.restore(there.key)
        uploads.restore(folder + "never")
        assert uploads.current(there.key).version == there.version
        assert uploads.current(folder + "never") is None

    def test_what_is_stored_is_the_newest_version_with_its_attributes(self, uploads, put, folder):
        put(folder + "a", b"one")
        version = uploads.store(folder + "a", b"two", {"team": "pilots"})
        assert uploads.read(folder + "a", version) == b"two"
        current = uploads.current(folder + "a")
        assert (current.version, current.size) == (version, 3)
        assert current.attributes == {"team": "pilots"}

    def test_of_many_who_store_something_new_at_a_key_one_does(self, uploads, folder):
        def stored(n):
            try:
                return uploads.store(folder + "a", f"text {n}".encode(), new=True)
            except ConflictError:
                return ""

        with ThreadPoolExecutor(8) as pool:
            [version] = [one for one in pool.map(stored, range(16)) if one]
        first = uploads.read(folder + "a", version)
        assert (uploads.current(folder + "a").version, stored(17)) == (version, "")
        uploads.delete(folder + "a")
        assert uploads.read(folder + "a", stored(18)) == b"text 18" != first

    def test_deleting_what_is_not_there_is_no_error(self, uploads, folder):
        uploads.delete(folder + "none")

    def test_what_is_at_a_key_now_is_its_newest_version(self, uploads, put, folder):
        put(folder + "a", b"one")
        newest = put(folder + "a", b"three")
        now = uploads.current(folder + "a")
        assert (now.key, now.version, now.size) == (folder + "a", newest.version, 5)
        assert now.modified.endswith("+00:00")

    def test_nothing_is_at_a_key_that_was_never_put_or_is_deleted(self, uploads, put, folder):
        put(folder + "a", b"one")
        uploads.delete(folder + "a")
        assert (uploads.current(folder + "a"), uploads.current(folder + "b")) == (None, None)

    def test_attributes_and_tags_are_those_of_the_version(self, uploads, put, folder):
        first = put(folder + "a", b"one", {"team": "port", "year": "2023"}, {"kind": "Größe +1"})
        second = put(folder + "a", b"two")
        assert uploads.current(folder + "a").attributes == {}
        assert uploads.tags(first.key, first.version) == {"kind": "Größe +1"}
        assert uploads.tags(second.key, second.version) == {}
        put(folder + "a", b"three", {"team": "port", "year": "2023"})
        assert uploads.current(folder + "a").attributes == {"team": "port", "year": "2023"}

    def test_tags_of_a_version_that_is_not_there_are_not_found(self, uploads, put, folder):
        revision = put(folder + "a", b"one")
        with pytest.raises(NotFoundError):
            uploads.tags(folder + "b", revision.version)

    def test_the_bucket_is_listed_in_key_order_a_few_at_a_time(self, uploads, put, folder):
        put(folder + "b", b"older")
        made = {name: put(folder + name, b"x") for name in ("c", "a", "d", "b")}
        put(folder + "e", b"x")
        uploads.delete(folder + "e")
        assert list_names(uploads, folder, 2) == ["a", "b", "c", "d"]
        assert list_names(uploads, folder, 100) == ["a", "b", "c", "d"]
        now = {name: uploads.current(folder + name) for name in made}
        found = uploads.listing(folder, 4)
        assert [one.version for one in found] == [made[name].version for name in sorted(made)]
        assert [(one.key, one.size) for one in found] == [
            (now[name].key, now[name].size) for name in sorted(now)
        ]

    def test_a_version_of_another_key_is_not_found(self, uploads, put, folder):
        revision = put(folder + "a", b"one")
        with pytest.raises(NotFoundError):
            uploads.read(folder + "b", revision.version)

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_odd_keys_are_kept_as_they_are(self, uploads, put, folder, path):
        revision = put(folder + path, path.encode())
        assert uploads.read(folder + path, revision.version) == path.encode()

    def test_a_presigned_form_carries_attributes(self, uploads, folder):
        _, fields = uploads.presign(folder + "a", 1000, 60, {"footnote": '{"year":2023}'})
        assert fields["x-amz-meta-footnote"] == '{"year":2023}'

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_a_presigned_form_is_for_exactly_this_key(self, uploads, folder, path):
        url, fields = uploads.presign(folder + path, 1000, 60)
        assert url
        assert fields["key"] == folder + path

    @pytest.mark.parametrize(
        ("name", "attributes"),
        [("x" * 1024, {}), ("a", {"footnote": "x" * 2041}), ("a", {"ü" * 512: "ü" * 513})],
    )
    def test_a_form_that_s3_would_refuse_is_not_made(self, uploads, folder, name, attributes):
        with pytest.raises(BadRequestError, match="S3 takes"):
            uploads.presign(folder + name, 1000, 60, attributes)

    def test_a_form_with_as_many_attributes_as_s3_takes_is_made(self, uploads, folder):
        attributes = {"footnote": "x" * 2040}
        _, fields = uploads.presign(folder + "a", 1000, 60, attributes)
        assert fields["x-amz-meta-footnote"] == attributes["footnote"]

    def test_a_name_that_s3_would_complete_is_refused(self, uploads, folder):
        with pytest.raises(BadRequestError):
            uploads.presign(folder + "${filename}", 1000, 60)


def list_names(uploads: Uploads, folder: str, limit: int) -> list[str]:
    """Returns the names in a folder, all pages together; other tests' files sort after it."""
    names: list[str] = []
    after = folder
    while page := [one.key for one in uploads.listing(after, limit) if one.key.startswith(folder)]:
        names += [key.removeprefix(folder) for key in page]
        after = page[-1]
    return names
