"""Makes a collection hold what a folder holds: what is new, changed, unchanged, and gone."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.progress import add_progress
from footnote.cli.site_sync import SiteDifference
from footnote.cli.terminal import clip, err, out
from footnote.cli.upload import UPLOADERS, find_files, upload
from footnote.client import Client
from footnote.errors import BadRequestError
from footnote.metadata.attributes import SUFFIX
from footnote.wire import Json

SHOWN = 20  # names of one kind


class Difference(NamedTuple):
    """How a folder differs from a collection, by the names of documents.

    `files` are all of the folder, sidecars too.
    """

    files: list[tuple[Path, str]]
    new: list[str]
    changed: list[str]
    unchanged: list[str]
    gone: list[str]


def compare(client: Client, folder: Path, collection: str, *, may_delete: bool) -> Difference:
    """Returns how a folder differs from a collection. Sends no file.

    Raises BadRequestError unless it is a folder, and for one without files if that may delete: it
    is more likely the wrong one, or not there today.
    """
    if not folder.is_dir():
        raise BadRequestError(
            f"{folder} is not a folder",
            code="no_folder",
            action="Name a folder; `footnote add` takes files.",
        )
    files = list(find_files([folder]))
    if may_delete and not files:
        raise BadRequestError(
            f"{folder} holds no files: nothing is deleted by it",
            code="empty_folder",
            action="Look whether it is the right folder. `footnote remove` deletes documents.",
        )
    here = {name: file for file, name in files if not name.endswith(SUFFIX)}
    there = {
        record["document"]
        for record in client.documents(collection=collection)
        if record["collection"] == collection  # an older server lists all collections
    }
    kept = [name for name in here if name in there]
    with ThreadPoolExecutor(UPLOADERS) as pool:
        are_same = list(pool.map(lambda name: client.is_same(here[name], name, collection), kept))
    return Difference(
        files,
        new=[name for name in here if name not in there],
        changed=[name for name, is_same in zip(kept, are_same, strict=True) if not is_same],
        unchanged=[name for name, is_same in zip(kept, are_same, strict=True) if is_same],
        gone=sorted(there - here.keys()),
    )


def send(client: Client, difference: Difference, collection: str) -> Json:
    """Sends what is new or changed, and all sidecars. Returns ended documents, and refused ones."""
    wanted = {*difference.new, *difference.changed}
    files = [each for each in difference.files if each[1] in wanted or each[1].endswith(SUFFIX)]
    added: list[Json] = []
    with add_progress(len(files)) as progress:
        refused = upload(client, files, collection, {}, progress, added=added)
        ended = client.wait(added, progress.note) if added else []
    return {"documents": ended, "refused": refused}


def summary(difference: Difference | SiteDifference, *, dry_run: bool) -> Json:
    """Returns what is printed as JSON: the names by what became of them."""
    named = {name: list(names) for name, names in difference._asdict().items() if name != "files"}
    nothing: Json = {"deleted": [], "documents": [], "refused": []}
    return {**named, **nothing, "dry_run": dry_run}


def print_difference(difference: Difference | SiteDifference) -> None:
    """Prints a line for each document that is new, changed or gone."""
    _print_names("NEW", difference.new)
    _print_names("CHANGED", difference.changed)
    _print_names("GONE", difference.gone)


def _print_names(word: str, names: Sequence[str]) -> None:
    for name in names[:SHOWN]:
        err.print(Text(f"{word:<12}{clip(name, 80)}"))
    if (more := len(names) - SHOWN) > 0:
        err.print(Text(f"{'':<12}{more} more", "dim"))


def print_summary(report: Json, *, wants_deleted: bool) -> None:
    """Prints the counts of a sync: `2 new, 1 changed, 40 unchanged, 3 gone`."""
    words = ["new", "changed", "unchanged", "gone", *(["refused"] if report["refused"] else [])]
    counts = ", ".join(f"{len(report[word])} {word}" for word in words)
    if report["dry_run"]:
        counts += "; nothing was sent or deleted"
    elif report["gone"]:
        is_told = wants_deleted or report["deleted"]
        counts += f"; {len(report['deleted'])} deleted" if is_told else "; kept without --delete"
    out.print(Text(counts))
