"""What every Uploads must do. `put` uploads as a user's tool would and tells the revision."""

from collections.abc import Callable

import pytest

from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Revision
from footnote.ports import Uploads
from tests.contract.suites import ODD_PATHS, new_tenant

type Put = Callable[[str, bytes], Revision]


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

    def test_a_deleted_document_keeps_its_versions_readable(self, uploads, put, folder):
        revision = put(folder + "a", b"one")
        uploads.delete(revision.key)
        assert uploads.read(revision.key, revision.version) == b"one"

    def test_deleting_what_is_not_there_is_no_error(self, uploads, folder):
        uploads.delete(folder + "none")

    def test_a_version_of_another_key_is_not_found(self, uploads, put, folder):
        revision = put(folder + "a", b"one")
        with pytest.raises(NotFoundError):
            uploads.read(folder + "b", revision.version)

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_odd_keys_are_kept_as_they_are(self, uploads, put, folder, path):
        revision = put(folder + path, path.encode())
        assert uploads.read(folder + path, revision.version) == path.encode()

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_a_presigned_form_is_for_exactly_this_key(self, uploads, folder, path):
        url, fields = uploads.presign(folder + path, 1000, 60)
        assert url
        assert fields["key"] == folder + path

    def test_a_name_that_s3_would_complete_is_refused(self, uploads, folder):
        with pytest.raises(BadRequestError):
            uploads.presign(folder + "${filename}", 1000, 60)
