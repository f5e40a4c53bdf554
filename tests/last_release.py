"""The last release, its template and code: what a stack that is updated was deployed from.

usage: python -m tests.last_release REVISION

Where a release is made this writes `tests/data/last-release.tar.xz` anew, out of git. Tests read
the archive alone: a checkout of CI has no history. Libraries are the present ones.
"""

import io
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.template import Template

ROOT = Path(__file__).resolve().parents[1]
ARCHIVE = ROOT / "tests/data/last-release.tar.xz"
PARTS = ("template.yaml", "functions", "statemachines", "shared/footnote")
LAYER = re.compile(r"(ContentUri: )([\w/-]+)")


def write(revision: str) -> None:
    command = ("git", "archive", "--format=tar", revision, *PARTS)
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    ARCHIVE.write_bytes(lzma.compress(done.stdout, preset=9))


def unpack(folder: Path) -> Path:
    """Unpacks the release into a folder; returns its template."""
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(ARCHIVE.read_bytes()))) as packed:
        packed.extractall(folder, filter="data")
    return folder / "template.yaml"


def read(template: Path) -> Any:
    return yaml.load(template.read_text(), Template)  # noqa: S506  # a SafeLoader


def lay_out(folder: Path, built: Path, packaged: Mapping[str, str]) -> Path:
    """Unpacks the release so that `sam deploy` takes it; returns its template.

    `built` is the folder of `sam build`, whose libraries the shared layer gets. `packaged` says
    where the contents of the other layers are, by the folders that they are made of.
    """
    template = unpack(folder)
    layer = folder / "shared-layer"
    shutil.copytree(built / "SharedLayer", layer)
    shutil.rmtree(layer / "python/footnote")
    (folder / "shared/footnote").rename(layer / "python/footnote")
    places = {**packaged, "shared": str(layer)}
    text = LAYER.sub(lambda found: found[1] + places[found[2]], template.read_text())
    template.write_text(text)
    return template


if __name__ == "__main__":
    write(sys.argv[1])
