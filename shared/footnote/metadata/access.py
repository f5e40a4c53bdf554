"""What a caller may put into the uploads bucket, and with which attributes."""

import json
from collections.abc import Mapping, Sequence

from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.metadata.attributes import checked
from footnote.metadata.collect import TYPED
from footnote.metadata.sidecar import document_of, sidecar_at
from footnote.model import ALL, Acl, document_id, may_read
from footnote.ports import Catalog, Uploads

MAX_METADATA_BYTES = 2048 - len(TYPED)  # S3's limit counts names too


def must_be_writable(catalog: Catalog, uploads: Uploads, key: str, groups: Sequence[str]) -> None:
    """Refuse to put what the caller may not read, there already or closed by a sidecar that waits
    for it; and to say who may read, but for @all. Raises ForbiddenError.
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
    """Who may read what is at a key, or would be."""
    try:
        record = catalog.get(document_id(key))
    except NotFoundError:
        record = None
    if record is None or record.status == "DELETED":
        return sidecar_at(uploads, key).acl
    return record.sidecar.acl


def packed(metadata: Mapping[str, object]) -> dict[str, str]:
    """Attributes as one attribute of the object in S3: ASCII, and within what S3 takes.

    Raises BadRequestError.
    """
    if not metadata:
        return {}
    text = json.dumps(checked(metadata), separators=(",", ":"))
    if len(text) > MAX_METADATA_BYTES:
        raise BadRequestError(
            f"the metadata has {len(text):,} bytes as JSON; S3 takes {MAX_METADATA_BYTES:,}",
            code="metadata_too_large",
            action="Put it in a sidecar: a file <document>.metadata.json of up to 10 KB beside it.",
        )
    return {TYPED: text}
