"""The rules for names of documents and collections: an upload's key is made of them."""

from collections.abc import Sequence

from footnote.errors import BadRequestError, ConflictError, NotFoundError
from footnote.model import NOBODY
from footnote.text.characters import is_text

MAX_KEY_BYTES = 1024  # S3's limit for a key


def is_collection(name: str, tenant: str) -> bool:
    """Tells whether a collection of a tenant may have this name."""
    size = len(f"{tenant}/{name}/".encode("utf-8", "replace"))
    return is_text(name) and "/" not in name and name not in {"", NOBODY} and size < MAX_KEY_BYTES


def key_of(tenant: str, collection: str, path: str) -> str:
    """Returns the upload's key. Raises BadRequestError for names that cannot form one."""
    if not is_collection(collection, tenant):
        raise BadRequestError(
            f"{collection[:100]!r} is not a collection: it is one path segment, not '_'",
            code="bad_collection",
        )
    segments = path.split("/")
    if not path or path.endswith("/") or any(s in {"", ".", ".."} for s in segments):
        raise BadRequestError(
            f"{path[:100]!r} is not a document path: no empty, '.' or '..' segments",
            code="bad_path",
        )
    if not path.isprintable():
        raise BadRequestError(
            "the document path has control characters", code="bad_path", action="Rename it."
        )
    key = f"{tenant}/{collection}/{path}"
    if (size := len(key.encode())) > MAX_KEY_BYTES:
        raise BadRequestError(
            f"the document's path is too long: a key of {size} bytes, S3 takes {MAX_KEY_BYTES}",
            code="path_too_long",
            action="Shorten the file's name or its folders' names.",
        )
    return key


def unknown_collection(name: str, names: Sequence[str], *, more: bool) -> NotFoundError:
    """Returns the error for a collection that holds no document the caller may read."""
    listed = ", ".join(repr(other[:100]) for other in names) + (", …" if names and more else "")
    return NotFoundError(
        f"no collection {name[:100]!r}: none of its documents is there, or for you",
        code="unknown_collection",
        action=f"Known: {listed}." if names else "Add documents first, or leave `collection` out.",
    )


def unknown_document(name: str, where: str) -> NotFoundError:
    """Returns the error for a name of no document, or of none that the caller may read."""
    return NotFoundError(
        f"no document {name[:200]!r} in {where}",
        code="unknown_document",
        action="Look for its name in the list of documents. One that was uploaded just now is"
        " known as soon as its event has come, mostly within a second.",
    )


def name_taken(name: str) -> ConflictError:
    """Returns the error for a new document whose name is taken."""
    return ConflictError(
        f"there is a document {name[:200]!r} already",
        code="document_exists",
        action="Choose another name. To replace it, upload a file; a tool sets `replace`.",
    )
