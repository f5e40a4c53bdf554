"""What a function's process is started from: what was deployed, or a checkout that overlays it."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

OVERLAY = os.environ.get("LAMBDA_PROCESS_OVERLAY")
COMPILED = "__pycache__"


class Sources(NamedTuple):
    """`code` is the folder of the handler, `path` goes before all layers.

    `watched` are folders whose change asks for a new process.
    """

    code: Path
    path: tuple[Path, ...] = ()
    watched: tuple[Path, ...] = ()

    @property
    def is_overlaid(self) -> bool:
        return bool(self.path)


class Look(NamedTuple):
    """What a process was started from: sources, and the time and size of each of their files."""

    sources: Sources
    files: frozenset[tuple[str, int, int]]


def look_at(version: Any, overlay: str | None = OVERLAY) -> Look:
    """Returns what a process of this function would be started from at this moment."""
    sources = sources_of(version, overlay)
    return Look(sources, frozenset(files_of(sources.watched)))


def sources_of(version: Any, overlay: str | None) -> Sources:
    """Reads the file `overlay`, and returns where the function's code is.

    The file need not be there. It is a JSON object: `functions` gives names of functions their
    folders, `path` lists folders to import from, `process` is who keeps it up to date: once that
    process is gone, the file says nothing. Functions that it does not name are as deployed.
    """
    deployed = version.config.code.get_unzipped_code_location()
    given = read(overlay)
    if folder := given.get("functions", {}).get(version.id.function_name):
        path = tuple(map(Path, given["path"]))
        return Sources(Path(folder), path, (Path(folder), *path))
    return Sources(deployed, (), (deployed,) if version.config.code.is_hot_reloading() else ())


def read(overlay: str | None) -> dict[str, Any]:
    try:
        given: dict[str, Any] = json.loads(Path(overlay).read_text()) if overlay else {}
    except FileNotFoundError:
        return {}
    return given if given and is_alive(given["process"]) else {}


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True


def files_of(folders: Iterable[Path]) -> Iterable[tuple[str, int, int]]:
    for top in folders:
        for folder, below, names in os.walk(top):
            below[:] = [name for name in below if name != COMPILED]
            for name in names:
                try:
                    found = os.stat(path := os.path.join(folder, name))  # noqa: PTH116, PTH118
                except FileNotFoundError:  # an editor's own file, or one that was just renamed
                    continue
                yield path, found.st_mtime_ns, found.st_size
