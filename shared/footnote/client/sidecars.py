"""Puts sidecars before their documents: nobody sees a document whom its sidecar shuts out."""

from collections.abc import Callable, Container, Iterable

from footnote.errors import ForbiddenError
from footnote.metadata.attributes import SUFFIX


def sidecars_first[T](files: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """Returns files with the sidecars in front, and otherwise in the order that they had."""
    return sorted(files, key=lambda one: not name(one).endswith(SUFFIX))


def check_sidecar(document: str, refused: Container[str]) -> None:
    """Raises ForbiddenError for a document whose sidecar is among the refused files."""
    if document + SUFFIX in refused:
        raise ForbiddenError(
            f"{document} is not sent without its sidecar, which was refused",
            code="sidecar_refused",
            action="Leave the sidecar out, or use an API key of the group @all.",
        )
