"""Decides what a caller may put into the uploads bucket, and which late uploads are refused."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from footnote.errors import BadDocumentError, BadRequestError, ForbiddenError, NotFoundError
from footnote.metadata.attributes import SUFFIX, check_attributes
from footnote.metadata.collect import JSON_ATTRIBUTE, SEEN_ACL
from footnote.metadata.sidecar import document_of, sidecar_at
from footnote.model import ALL, Acl, Record, Upload, digest, document_id, may_read
from footnote.ports import Catalog, Uploads

MARK_BYTES = len(SEEN_ACL) + len(digest(""))
MAX_METADATA_BYTES = 2048 - len(JSON_ATTRIBUTE) - MARK_BYTES  # S3's limit includes the names


def must_be_writable(
    catalog: Catalog, uploads: Uploads, key: str, groups: Sequence[str]
) -> dict[str, str]:
    """Refuses an upload that the caller's groups do not allow. Raises ForbiddenError.

    Only members of @all may upload a sidecar, because it says who may read. A caller may not
    overwrite a document that it may not read, nor add one that a waiting sidecar closes to it.

    Returns attributes for the upload to carry. They hold a mark of the acl that was
    checked, because the acl may change before the upload comes: see `must_be_as_allowed`.
    Members of @all get no mark.
    """
    if document_of(key) and ALL not in groups:
        raise ForbiddenError(
            f"a sidecar says who may read: only an API key of the group {ALL} may send one",
            code="sidecar_forbidden",
            action=f"Put it in the bucket, or use an API key with {ALL} in its tag `groups`.",
        )
    acl = _acl(catalog, uploads, key)
    if not may_read(acl, groups):
        raise ForbiddenError(
            f"{key.split('/', 2)[2]} cannot be written with this API key",
            action="Choose another name, or use a key of a group that may read it.",
        )
    return {} if ALL in groups else {SEEN_ACL: _mark(acl)}


def must_be_as_allowed(there: Upload, record: Record, uploads: Uploads) -> None:
    """Refuses an upload that was allowed under an older acl of the document.

    A form may be used late, after others have closed the document. An upload from before the
    document was closed passes, unless it replaces the version that is read now. Uploads without a
    mark come from @all, or from writers to the bucket. Raises BadDocumentError.
    """
    mark, acl = there.attributes.get(SEEN_ACL), record.sidecar.acl
    if mark is None or acl is None or mark == _mark(acl) or record.live_version == there.version:
        return
    sidecar = uploads.current(there.key + SUFFIX)
    is_later = sidecar is not None and _moment(sidecar) > _moment(there)
    if is_later and not record.live_version:
        return
    raise BadDocumentError(
        f"who may read {record.revision.path} was changed after this upload had been allowed",
        code="acl_changed",
        action="Nothing, if it was not yours: the version before it is read as ever. Else upload it"
        " again, with a key of a group that may read it.",
    )


def _mark(acl: Acl) -> str:
    return digest("open") if acl is None else digest("closed", *sorted(acl))


def _moment(upload: Upload) -> datetime:
    return datetime.fromisoformat(upload.modified)


def _acl(catalog: Catalog, uploads: Uploads, key: str) -> Acl:
    """Returns the acl of the document at a key. If there is no document
    yet, its sidecar decides.
    """
    try:
        record = catalog.get(document_id(key))
    except NotFoundError:
        record = None
    if record is None or record.status == "DELETED":
        return sidecar_at(uploads, key).acl
    return record.sidecar.acl


def pack_metadata(metadata: Mapping[str, object]) -> dict[str, str]:
    """Packs attributes into one attribute of the S3 object, as ASCII JSON.

    Raises BadRequestError for a malformed attribute, or for more bytes than S3 takes.
    """
    if not metadata:
        return {}
    text = json.dumps(check_attributes(metadata), separators=(",", ":"))
    if len(text) > MAX_METADATA_BYTES:
        raise BadRequestError(
            f"the metadata has {len(text):,} bytes as JSON; S3 takes {MAX_METADATA_BYTES:,}",
            code="metadata_too_large",
            action="Put it in a sidecar: a file <document>.metadata.json of up to 10 KB beside it.",
        )
    return {JSON_ATTRIBUTE: text}
