"""Checks that every upload must pass before it is read."""

from footnote.errors import BadDocumentError
from footnote.model import NOBODY, Revision


def accept(revision: Revision, size: int, max_bytes: int) -> None:
    """Refuses a file by its key and size (bytes) alone, before anything is loaded.

    Raises BadDocumentError with the code `bad_key` or `too_large`.
    """
    if revision.tenant == NOBODY:
        raise BadDocumentError(
            f"the key {revision.key!r} is not <tenant>/<collection>/<path>",
            code="bad_key",
            action="Upload the file again under <tenant>/<collection>/.",
        )
    if size > max_bytes:
        raise BadDocumentError(
            f"{revision.path} has {size:,} bytes; the limit is {max_bytes:,}",
            code="too_large",
            action="Split the file, or deploy with a larger MaxUploadBytes.",
        )
