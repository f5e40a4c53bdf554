"""Finds and installs what comes from the operating system: programs and OCR's language data."""

import os
import shutil
import subprocess

from local.paths import is_root
from local.tessdata import missing_languages

# program -> Debian package
PROGRAMS = {"make": "make", "mvn": "maven"}


class PackageError(Exception):
    """Raised when something must be installed by hand; the message holds the exact command."""


def missing_packages() -> list[str]:
    programs = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    return [*programs, *missing_languages()]


def install_command(packages: list[str]) -> list[str]:
    sudo = [] if is_root() else ["sudo"]
    return [*sudo, "apt-get", "install", "-y", "--no-install-recommends", *packages]


def may_install() -> bool:
    """Returns whether apt-get is there and works without a password: as root or through sudo."""
    if shutil.which("apt-get") is None:
        return False
    if is_root():
        return True
    sudo = shutil.which("sudo")
    return sudo is not None and subprocess.call([sudo, "-n", "true"]) == 0


def install_packages(packages: list[str]) -> None:
    """Installs these packages, or raises PackageError with the command that does."""
    if not packages:
        return
    command = install_command(packages)
    if not may_install():
        message = f"missing: {', '.join(packages)}. Install with: {' '.join(command)}"
        raise PackageError(message)
    print(f"installing {', '.join(packages)}: {' '.join(command)}", flush=True)
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    update = [*command[: command.index("install")], "update", "-qq"]
    subprocess.call(update, env=environ)
    if subprocess.call(command, env=environ):
        message = f"could not install {', '.join(packages)}. Try: {' '.join(command)}"
        raise PackageError(message)
