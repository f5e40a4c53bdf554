"""The folders of the local stack: tools and stacks lie under the checkout's `.footnote`."""

import hashlib
import os
import stat
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".footnote"
TOOLS = HOME / "tools"
WHEELS = TOOLS / "wheels"
STAMPS = HOME / "stamps"
LOGS = HOME / "logs"
STACKS = HOME / "stacks"
PINS = ROOT / "local" / "pins"
JARS = ROOT / "local" / "jars"

# OpenSearch refuses to run as root: root runs it as this user, "nobody".
SERVER_UID = 65534
READABLE = 0o022  # the umask that lets that user read what is made here


def is_root() -> bool:
    return os.getuid() == 0


def server_home() -> Path:
    """Returns the folder of OpenSearch and its Java: `.footnote`, or one its user can reach."""
    if not is_root() or is_open_to_all(ROOT):
        return HOME
    checkout = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    home = Path("/var/tmp") / f"footnote-{checkout}"
    home.mkdir(mode=0o755, exist_ok=True)
    if home.is_symlink() or home.stat().st_uid != os.getuid():
        message = f"{home} belongs to someone else. Remove it, then try again."
        raise PermissionError(message)
    return home


def is_open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents))


def stack_folder(name: str) -> Path:
    return STACKS / name


def server_folder(name: str) -> Path:
    """Returns the folder of a stack's OpenSearch node: its settings and data."""
    return server_home() / "stacks" / name / "opensearch"
