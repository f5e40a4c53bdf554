"""Exports a collection: each document's original, attributes and acl go into a folder."""

import tempfile
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from itertools import batched, chain
from pathlib import Path
from threading import Lock
from typing import IO

from footnote.cli.document_lines import print_refusal
from footnote.cli.exported_folder import (
    FILES,
    LIST,
    Entry,
    ExportedFolder,
    Header,
    Missing,
    digest_of,
)
from footnote.cli.terminal import err
from footnote.cli.upload import UPLOADERS
from footnote.client import Client
from footnote.errors import (
    BadRequestError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import ALL, TERMINAL
from footnote.wire import Json

AT_ONCE = 100  # documents that are held in memory; their files are not


def export_collection(client: Client, collection: str, path: Path) -> Header:
    """Writes a collection into a folder, and returns its header.

    An export that was interrupted goes on: originals of the same version are not fetched again.
    What cannot be exported is printed, and `missing` in the header. Raises BadRequestError for a
    folder that holds something else, NotFoundError for a collection without documents.
    """
    records = _records(client, collection)
    folder = ExportedFolder(path)
    try:
        _begin(folder, collection)
        return _write(client, collection, records, folder)
    except OSError as error:
        raise BadRequestError(
            f"{path} cannot be written: {error.strerror or error}",
            code="unwritable_file",
            action="Make room, or name another folder with --to; then run the export again.",
        ) from None


def _write(
    client: Client, collection: str, records: Iterator[Json], folder: ExportedFolder
) -> Header:
    groups = tuple(client.me()["groups"])
    if ALL not in groups:
        err.print(f"this key is not of the group {ALL}: documents closed to it are left out")
    run = _Run(client, folder)
    fresh = folder.path / f"{LIST}.new"
    with fresh.open("w", encoding="utf-8") as lines, folder.started.open("a") as log:
        log.write("\n")  # ends a line that broke off
        with closing(run.entries(records, log)) as entries:  # its threads end before their log
            for entry in entries:
                lines.write(entry.model_dump_json() + "\n")
    header = Header(
        collection=collection,
        exported=datetime.now(UTC).isoformat(timespec="seconds"),
        groups=groups,
        documents=run.documents,
        list_sha256=digest_of(fresh),
        missing=tuple(run.missing),
    )
    fresh.replace(folder.list)
    folder.write_header(header)
    folder.started.unlink()
    folder.drop_others(run.digests)
    return header


def _records(client: Client, collection: str) -> Iterator[Json]:
    """Returns the documents of a collection. Raises NotFoundError where there is none."""
    records = (
        record
        for record in client.documents(collection=collection)
        if record["collection"] == collection and record["status"] != "DELETED"
    )
    first = next(records, None)
    if first is None:
        raise NotFoundError(
            f"no collection {collection[:100]!r}: none of its documents is there, or for you",
            code="unknown_collection",
            action="`footnote status --json` shows the collections.",
        )
    return chain([first], records)


def _begin(folder: ExportedFolder, collection: str) -> None:
    """Makes the folder, or takes one up that an export of this collection has begun.

    Only this person may read it: it holds documents that few may read. Raises BadRequestError for
    one that holds something else.
    """
    path = folder.path
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    header = folder.header()
    if (header is None and any(path.iterdir())) or (header and header.collection != collection):
        raise BadRequestError(
            f"{path} holds something else than an export of {collection[:100]!r}",
            code="other_folder",
            action="Name a new folder with --to.",
        )
    folder.write_header(Header(collection=collection))
    (path / FILES).mkdir(exist_ok=True)


class _Run:
    """One run of an export: what it has listed, and what it could not fetch."""

    def __init__(self, client: Client, folder: ExportedFolder) -> None:
        self._client = client
        self._folder = folder
        self._earlier = folder.earlier()
        self.documents = 0
        self.digests: set[str] = set()
        self.missing: list[Missing] = []
        self._turn = Lock()

    def entries(self, records: Iterator[Json], log: IO[str]) -> Generator[Entry]:
        """Yields documents whose originals are in the folder, and logs each for a later run."""
        with ThreadPoolExecutor(UPLOADERS) as pool:
            for some in batched(records, AT_ONCE, strict=False):
                for result in pool.map(partial(self._fetch, log), some):
                    if isinstance(result, Missing):
                        self.missing.append(result)
                        continue
                    self.documents += 1
                    self.digests.add(result.sha256)
                    yield result

    def _fetch(self, log: IO[str], record: Json) -> Entry | Missing:
        """Returns a document's entry once its original is in the folder, or why it is not.

        It is logged here: whoever waits for an earlier document may be interrupted before.
        """
        try:
            entry = self._entry(record)
        except FootnoteError as error:
            print_refusal(record["document"], error)
            problem = error.problem.model_dump()
            return Missing(document=record["document"], **problem)
        with self._turn:
            log.write(entry.model_dump_json() + "\n")
            log.flush()
        return entry

    def _entry(self, record: Json) -> Entry:
        if record["status"] not in TERMINAL:
            raise ConflictError(
                f"{record['document']} is {record['status']}: its attributes are not known yet",
                code="not_ended",
                action="Wait until it has ended; then run the export again.",
            )
        earlier = self._earlier.get(record["document"])
        if earlier and earlier.version == record["version"] and self._folder.holds(earlier):
            return Entry.model_validate({**record, "sha256": earlier.sha256, "size": earlier.size})
        link = self._client.original(
            record["document"], record["collection"], version=record["version"]
        )
        with tempfile.NamedTemporaryFile(dir=self._folder.path / FILES, delete=False) as target:
            size = self._client.save(link, target)
        if size != record["size"]:
            raise UnavailableError(
                f"{record['document']} came with {size:,} bytes of {record['size']:,}",
                action="Run the export again.",
            )
        fetched = Path(target.name)
        digest = digest_of(fetched)
        fetched.replace(self._folder.file(digest))
        return Entry.model_validate({**record, "sha256": digest, "size": size})
