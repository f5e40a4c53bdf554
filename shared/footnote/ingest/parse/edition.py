"""Names what reads files: a digest of the parsers' source and of the libraries that they use.

Two deployments of the same edition read the same out of a file. It changes with any change of the
source, also where that changes nothing that is read: then a file is read once more than it need be.
"""

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = ("accounting", "ingest/parse", "metadata", "model/documents.py", "text", "wire.py")
"""Files and folders of the package that decide what a document is
(tests/unit/test_carried_documents.py).
"""
LIBRARIES = (
    "lxml",
    "markdown-it-py",
    "olefile",
    "pillow",
    "pymupdf",
    "python-docx",
    "python-pptx",
    "xlrd",
)


@cache
def edition() -> str:
    """Returns 20 hex digits. It reads 0.9 MB of source, once a process."""
    found = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for name in LIBRARIES:
        found.update(f"{name} {_version(name)}\n".encode())
    for path in sorted(sources()):
        found.update(f"{path.relative_to(_PACKAGE).as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()[:20]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def sources() -> list[Path]:
    named = [_PACKAGE / name for name in SOURCES]
    return [path for path in named if path.is_file()] + [
        path for folder in named for path in folder.rglob("*.py")
    ]
