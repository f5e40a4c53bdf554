"""Gives a build's layers the wheels of this machine, where it is not Lambda's x86-64 Linux.

SAM builds layers for Lambda, whatever machine builds. The local stack runs them here.
"""

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from email import message_from_string
from pathlib import Path

from local.paths import WHEELS
from local.steps import call

LAMBDA = ("Linux", "x86_64")
LAMBDA_WHEELS = tuple(
    f"manylinux{tag}_x86_64" for tag in ("_2_34", "_2_28", "_2_27", "_2_26", "_2_17", "2014")
)
"""Newest first. Lambda's Python 3.13 runs on Amazon Linux 2023, which has glibc 2.34."""
type Install = Callable[[Path, Sequence[str]], None]


def is_lambda_platform() -> bool:
    return (platform.system(), platform.machine()) == LAMBDA


def compiled_packages(folder: Path) -> Iterator[str]:
    """Yields `name==version` of each package whose wheel is made for one platform."""
    for info in sorted(folder.glob("*.dist-info")):
        tags = message_from_string((info / "WHEEL").read_text()).get_all("Tag", [])
        if not any(tag.endswith("-any") for tag in tags):
            metadata = message_from_string((info / "METADATA").read_text())
            yield f"{metadata['Name']}=={metadata['Version']}"


def install(folder: Path, packages: Sequence[str]) -> None:
    """Replaces packages of a folder by the same versions for this machine.

    Raises StepError, which names the package, where a version has no wheel for it.
    """
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade")
    words = ("--no-index", "--find-links", WHEELS, "--only-binary=:all:", "--target", folder)
    call("layers", *pip, *words, *packages)


def exchange_wheels(build: Path, install: Install = install) -> None:
    """Does so in every layer of a build that has compiled packages."""
    for folder in sorted(build.glob("*Layer/python")):
        if packages := list(compiled_packages(folder)):
            install(folder, packages)
