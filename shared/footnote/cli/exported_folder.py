"""The folder that an export writes: the originals by their digest, and the list of documents.

No path is made of a document's name. The folder holds `collection.json`, `documents.jsonl`
(a document a line) and `files/<sha256>`.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from footnote.errors import BadRequestError
from footnote.metadata.attributes import SUFFIX
from footnote.model import Acl, Metadata, Value

FORM = 1  # of the folder; raise it where an older release would misread a newer one
HEADER, LIST, STARTED, FILES = "collection.json", "documents.jsonl", "documents.part", "files"
BLOCK = 1_048_576  # bytes that are read at a time
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Entry(Value):
    """A document of an export. `metadata` holds the attributes from all sources, merged."""

    document: str
    version: str
    status: str
    sha256: str
    size: int
    media_type: str = ""
    metadata: Metadata
    acl: Acl
    received: str = ""
    updated: str = ""


class Missing(Value):
    """A document that could not be exported, and why."""

    document: str
    code: str
    message: str
    action: str


class Header(Value):
    """What an export holds. `groups` are the exporter's: what is closed to them is not in it.

    `list_sha256` is "" until the export has ended.
    """

    form: int = FORM
    collection: str
    exported: str = ""
    groups: tuple[str, ...] = ()
    documents: int = 0
    list_sha256: str = ""
    missing: tuple[Missing, ...] = ()


class ExportedFolder:
    """Reads and writes the files of an export."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.list = path / LIST
        self.started = path / STARTED

    def header(self) -> Header | None:
        """Returns what is exported here, or None where nothing is. Raises BadRequestError."""
        file = self.path / HEADER
        if not file.is_file():
            return None
        try:
            header = Header.model_validate_json(file.read_bytes())
        except ValidationError:
            raise no_export(self.path, f"its {HEADER} cannot be read") from None
        if header.form > FORM:
            raise no_export(self.path, "a newer release wrote it")
        return header

    def write_header(self, header: Header) -> None:
        """Replaces the header in one step."""
        file = self.path / f"{HEADER}.new"
        file.write_text(header.model_dump_json(indent=2), "utf-8")
        file.replace(self.path / HEADER)

    def finished(self) -> Header:
        """Returns the header of a finished export whose list is as it was written.

        Raises BadRequestError for any other folder.
        """
        try:
            header = self.header()
            if header is None:
                raise no_export(self.path, f"it has no {HEADER}")
            if not header.list_sha256:
                raise no_export(self.path, "the export has not ended: run it again")
            if not self.list.is_file() or digest_of(self.list) != header.list_sha256:
                raise no_export(self.path, f"its {LIST} is not the one that was written")
        except OSError as error:
            raise no_export(self.path, error.strerror or "it cannot be read") from None
        return header

    def entries(self) -> Iterator[Entry]:
        """Yields the documents of a finished export. Raises BadRequestError for a bad line."""
        with self.list.open("rb") as lines:
            for line in lines:
                try:
                    yield Entry.model_validate_json(line)
                except ValidationError:
                    raise no_export(self.path, f"a line of its {LIST} cannot be read") from None

    def earlier(self) -> dict[str, Entry]:
        """Returns what earlier runs have exported, by document. A line that broke off is not."""
        entries: dict[str, Entry] = {}
        for file in (self.list, self.started):
            if file.is_file():
                with file.open("rb") as lines:
                    for line in lines:
                        try:
                            entry = Entry.model_validate_json(line)
                        except ValidationError:
                            continue
                        entries[entry.document] = entry
        return entries

    def file(self, sha256: str) -> Path:
        """Returns where the original with a digest lies. Raises BadRequestError for no digest."""
        if not _DIGEST.fullmatch(sha256):
            raise no_export(self.path, f"{sha256[:100]!r} is no SHA-256")
        return self.path / FILES / sha256

    def holds(self, entry: Entry) -> bool:
        """Tells whether the original is here, a file of its own, and has its digest."""
        file = self.file(entry.sha256)
        try:
            return (
                not file.is_symlink()
                and file.is_file()
                and file.stat().st_size == entry.size
                and digest_of(file) == entry.sha256
            )
        except OSError:  # it may not be read, or has gone in between
            return False

    def drop_others(self, digests: set[str]) -> None:
        """Deletes the originals that have none of these digests: their documents are gone."""
        for file in (self.path / FILES).iterdir():
            if file.name not in digests:
                file.unlink()


def digest_of(file: Path) -> str:
    with file.open("rb") as content:
        digest = hashlib.sha256()
        while block := content.read(BLOCK):
            digest.update(block)
        return digest.hexdigest()


def check_name(document: str) -> None:
    """Refuses a document with the name of a sidecar: as a file it would say who may read another.

    All other names are judged by the API. Raises BadRequestError.
    """
    if document.endswith(SUFFIX):
        raise BadRequestError(
            f"{document[:100]!r} is the name of a sidecar, and no document's",
            code="bad_path",
            action="Find out who has changed the export.",
        )


def no_export(folder: Path, why: str) -> BadRequestError:
    return BadRequestError(
        f"{folder} is no export to import: {why}",
        code="no_export",
        action="Name the folder that `footnote export COLLECTION --to FOLDER` has written.",
    )
