"""Zips what `sam build` has made, once: `sam deploy` would zip all of it at each deployment."""

import hashlib
import os
import re
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TEMPLATE = "packed.yaml"
_LEVEL = 1  # 6, the default, takes twice as long and saves a sixteenth (260 MB and 277, our layers)
_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive knows: the same files, the same archive
_CONTENT = re.compile(r"^( +(?:ContentUri|CodeUri): )(\w+)$", re.MULTILINE)


def pack(build: Path, kept: Path) -> Path:
    """Zips each folder that the build's template names; returns a template that names the archives.

    `kept` has the archives of earlier builds, by what they hold: those that nothing names any more
    are removed.
    """
    kept.mkdir(exist_ok=True)
    template = (build / "template.yaml").read_text(encoding="utf-8")
    folders = sorted({found[2] for found in _CONTENT.finditer(template)})
    with ThreadPoolExecutor(os.process_cpu_count()) as pool:
        archives = pool.map(lambda folder: archive(build / folder, kept), folders)
        places = dict(zip(folders, archives, strict=True))
    for old in {*kept.iterdir()} - {*places.values()}:
        old.unlink()
    packed = build / TEMPLATE
    packed.write_text(
        _CONTENT.sub(lambda found: f"{found[1]}{places[found[2]]}", template), encoding="utf-8"
    )
    return packed


def archive(folder: Path, kept: Path) -> Path:
    """Returns the archive of a folder, made anew where `kept` has none of the same files."""
    target = kept / f"{digest(folder)}.zip"
    if target.exists():
        return target
    part = target.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as made:
        for name, file in _files(folder):
            member = zipfile.ZipInfo.from_file(file, name, strict_timestamps=False)
            member.date_time, member.compress_type = _TIME, zipfile.ZIP_DEFLATED
            made.writestr(member, file.read_bytes())
    part.rename(target)
    return target


def digest(folder: Path) -> str:
    """Returns a hash of a folder's files: their names, permissions and contents."""
    made = hashlib.sha256()
    for name, file in _files(folder):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        made.update(f"{name}\n{file.stat().st_mode:o}\n{content}\n".encode())
    return made.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), file
