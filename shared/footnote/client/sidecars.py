"""Sends sidecars before their documents, so that no one reads a
document that its sidecar closes.
"""

from collections.abc import Callable, Container, Iterable

from footnote.errors import ForbiddenError
from footnote.metadata.attributes import SUFFIX


def sidecars_first[T](files: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """Returns files with the sidecars first, otherwise in order."""
    return sorted(files, key=lambda file: not name(file).endswith(SUFFIX))


def check_sidecar(document: str, refused: Container[str]) -> None:
    """Raises ForbiddenError for a document whose sidecar was refused."""
    if document + SUFFIX in refused:
        raise ForbiddenError(
            f"{document} is not sent without its sidecar, which was refused",
            code="sidecar_refused",
            action="Leave the sidecar out, or use an API key of the group @all.",
        )
