"""Uploads files from the command line: finds them, orders them, reports on each."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

from footnote.cli.document_lines import print_refusal, print_sidecar
from footnote.cli.progress import AddProgress, AddTotals
from footnote.client import Client
from footnote.client.sidecars import check_sidecar
from footnote.errors import BadRequestError, FootnoteError, NotFoundError
from footnote.metadata.attributes import SUFFIX
from footnote.wire import Json

UPLOADERS = 4


def find_files(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    """Yields files with their document paths: the name, or the path within the given folder.

    It skips hidden files and folders in a given folder. A file that is named twice comes once.
    Raises NotFoundError for a path that is neither a file nor a folder, and BadRequestError for two
    files of one path: the second would replace the first.
    """
    owners: dict[str, Path] = {}
    for file, name in _named_files(paths):
        other = owners.setdefault(name, file)
        if other is file:
            yield file, name
        elif not other.samefile(file):
            raise BadRequestError(
                f"{other} and {file} would both be the document {name}",
                code="same_name",
                action="Add the folder that holds both, or rename one.",
            )


def _named_files(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        if path.is_file():
            yield path, path.name
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.is_file() and not any(
                    part.startswith(".") for part in file.relative_to(path).parts
                ):
                    yield file, file.relative_to(path).as_posix()
        else:
            raise NotFoundError(f"{path} is neither a file nor a folder", code="no_such_file")


def upload(
    client: Client,
    files: list[tuple[Path, str]],
    collection: str,
    attributes: Json,
    progress: AddProgress | AddTotals,
    *,
    added: list[Json],
    again: bool = False,
) -> list[Json]:
    """Uploads files in parallel. Adds accepted ones to `added` and returns refused ones.

    Sidecars go first, so that no document is readable by more people than its sidecar allows. A
    document whose sidecar was refused is not sent.
    """
    refused: list[Json] = []
    sidecars = [file for file in files if file[1].endswith(SUFFIX)]
    documents = [file for file in files if not file[1].endswith(SUFFIX)]
    for group, metadata in ((sidecars, None), (documents, attributes)):
        closed = {item["document"] for item in refused}
        send = partial(_send, client, again=again)
        jobs = [
            (name, partial(send, file, name, collection, metadata, closed)) for file, name in group
        ]
        send_in_parallel(jobs, added, refused, progress)
    return refused


def send_in_parallel(
    jobs: Iterable[tuple[str, Callable[[], Json]]],
    added: list[Json],
    refused: list[Json],
    progress: AddProgress | AddTotals,
) -> None:
    """Runs jobs that each send the document named beside it, and notes how each ended."""
    with ThreadPoolExecutor(UPLOADERS) as pool:
        running = {pool.submit(send): name for name, send in jobs}
        try:
            for done in as_completed(running):
                note(done, running[done], added, refused, progress)
        except KeyboardInterrupt:
            # running uploads end, no new one begins
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def is_page(path: str) -> bool:
    """Tells whether a word of the command line is a page's address, and not a file's name."""
    return path.casefold().startswith(("https://", "http://"))


def add_pages(
    client: Client,
    urls: list[str],
    collection: str,
    attributes: Json,
    progress: AddProgress | AddTotals,
    *,
    added: list[Json],
) -> list[Json]:
    """Fetches pages one after the other and adds them. Returns refused ones, as `upload` does."""
    refused: list[Json] = []
    for url in urls:
        done: Future[Json] = Future()
        try:
            done.set_result(client.add_page(url, collection, attributes))
        except FootnoteError as error:
            done.set_exception(error)
        note(done, url, added, refused, progress)
    return refused


def _send(  # noqa: PLR0917 - a file and where it goes
    client: Client,
    file: Path,
    name: str,
    collection: str,
    metadata: Json | None,
    closed: set[str],
    *,
    again: bool,
) -> Json:
    check_sidecar(name, closed)
    try:
        return client.add(file, name, collection, metadata, again=again)
    except OSError as error:
        raise BadRequestError(
            f"{file} cannot be read: {error.strerror or error}",
            code="unreadable_file",
            action="Look whether it is still there and may be read; then add it again.",
        ) from None


def note(
    done: Future[Json],
    name: str,
    added: list[Json],
    refused: list[Json],
    progress: AddProgress | AddTotals,
) -> None:
    """Notes and prints what became of one file or page."""
    try:
        item = done.result()
    except FootnoteError as error:
        problem = {"code": error.code, "message": error.message, "action": error.action}
        refused.append({"document": name, "error": problem})
        print_refusal(name, error)
        return
    added.append(item)
    if item["same"]:
        progress.skip(item["id"], item["document"])
    elif item["sidecar"]:
        print_sidecar(name)
    else:
        progress.begin(item["id"], item["document"])
