"""Decides what a caller may put into the uploads bucket, and with which attributes."""

import json
from collections.abc import Mapping, Sequence

from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.metadata.attributes import check_attributes
from footnote.metadata.collect import JSON_ATTRIBUTE
from footnote.metadata.sidecar import document_of, sidecar_at
from footnote.model import ALL, Acl, document_id, may_read
from footnote.ports import Catalog, Uploads

MAX_METADATA_BYTES = 2048 - len(JSON_ATTRIBUTE)  # S3's limit includes the names


def must_be_writable(catalog: Catalog, uploads: Uploads, key: str, groups: Sequence[str]) -> None:
    """Refuses an upload that the caller's groups do not allow. Raises ForbiddenError.

    Only members of @all may upload a sidecar, because it says who may read. Nobody may overwrite a
    document that they may not read, nor add one whose waiting sidecar closes it to them.
    """
    if document_of(key) and ALL not in groups:
        raise ForbiddenError(
            f"a sidecar says who may read: only an API key of the group {ALL} may send one",
            code="sidecar_forbidden",
            action=f"Put it in the bucket, or use an API key with {ALL} in its tag `groups`.",
        )
    if not may_read(_acl(catalog, uploads, key), groups):
        raise ForbiddenError(
            f"{key.split('/', 2)[2]} cannot be written with this API key",
            action="Choose another name, or use a key of a group that may read it.",
        )


def _acl(catalog: Catalog, uploads: Uploads, key: str) -> Acl:
    """Returns the acl of the document at a key. If there is none yet, its sidecar decides."""
    try:
        record = catalog.get(document_id(key))
    except NotFoundError:
        record = None
    if record is None or record.status == "DELETED":
        return sidecar_at(uploads, key).acl
    return record.sidecar.acl


def pack_metadata(metadata: Mapping[str, object]) -> dict[str, str]:
    """Packs attributes into one attribute of the S3 object, as ASCII JSON.

    Raises BadRequestError when an attribute is malformed, or when S3 does not take so many bytes.
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
