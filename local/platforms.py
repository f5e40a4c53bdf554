"""Asks the package index which pins have no wheel for machines other than this one.

`python -m local.platforms` fails where one is missing that is not known to be. Files of pins are
resolved, not downloaded.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from local.paths import PINS, ROOT
from local.steps import say

PLATFORMS = {
    "Linux on arm64": (
        *(f"manylinux_2_{minor}_aarch64" for minor in (39, 34, 28, 17)),
        "manylinux2014_aarch64",
    ),
    "macOS on arm64": ("macosx_15_0_arm64",),
}
SOURCES = {"airspeed-ext", "crontab", "jsonpath-rw"}  # Python alone: built anywhere
KNOWN = {
    "Linux on arm64": SOURCES,
    "macOS on arm64": {*SOURCES, "awslambdaric"},  # hence the container
}
"""Packages without a wheel there."""
MISSING = re.compile(r"No matching distribution found for ([\w.-]+)")
type Ask = Callable[[Path, Sequence[str]], str]


def pin_files() -> list[Path]:
    """Returns what a local stack needs; real models to try are not among it."""
    names = ("localstack", "model", "multilingual", "runtime", "sam")
    layers = sorted(ROOT.glob("layers/*/requirements.txt"))
    files = [PINS / f"{name}.txt" for name in names]
    return [*files, ROOT / "shared" / "requirements.txt", *layers, ROOT / "constraints.txt"]


def ask_pip(pins: Path, platforms: Sequence[str]) -> str:
    """Returns what pip complains of when asked to install these pins there."""
    options = [word for name in platforms for word in ("--platform", name)]
    words = ["install", "--quiet", "--dry-run", "--no-deps", "--only-binary=:all:"]
    words += ["--python-version", "3.13", "--target", str(pins.parent), *options, "-r", str(pins)]
    reply = subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False
    )
    if reply.returncode and not MISSING.search(reply.stderr):
        raise SystemExit(f"pip could not ask: {reply.stderr.strip()[-500:]}")
    return reply.stderr if reply.returncode else ""


def missing_wheels(lines: Sequence[str], platforms: Sequence[str], ask: Ask = ask_pip) -> set[str]:
    """Returns the packages of these lines without a wheel for any of the platforms."""
    missing: set[str] = set()
    left = [line for line in lines if line.split("#")[0].strip()]
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        while left:
            pins.write_text("\n".join(left))
            if not (named := MISSING.search(ask(pins, platforms))):
                break
            missing.add(normal_name(named[1]))
            left = [line for line in left if normal_name(line.split("==")[0]) not in missing]
    return missing


def normal_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def main() -> int:
    files = [path.read_text().splitlines() for path in pin_files()]
    unknown = False
    for platform, names in PLATFORMS.items():
        missing = set[str]().union(*(missing_wheels(lines, names) for lines in files))
        unknown |= bool(missing - KNOWN[platform])
        say(f"{platform}: without a wheel: {', '.join(sorted(missing)) or 'nothing'}")
    return int(unknown)


if __name__ == "__main__":
    sys.exit(main())
