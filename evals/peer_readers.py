"""What markitdown and docling read of files, without the marks that Markdown sets."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from local.paths import HOME, ROOT

PEERS = ("markitdown", "docling")
_MARKS = re.compile(
    r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)\s]*(?: \"[^\"]*\")?\)|</?(?:sup|sub|br|u)/?>",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " "}


def read_with(peer: str, files: Sequence[Path]) -> Mapping[Path, str]:
    """Returns what a peer reads of the files of those formats of which it reads anything."""
    python = HOME / "bench-venv" / "bin" / "python"
    if not python.exists():
        print(f"\n{peer}: not installed; `make eval-reading BESIDE=peers` does it")
        return {}
    program = ROOT / "tests" / "bench" / "peers" / "read.py"
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder)
        copies = {f"{n}{file.suffix.lower()}": file for n, file in enumerate(files)}
        for name, file in copies.items():
            shutil.copyfile(file, inside / name)
        paths = [str(inside / name) for name in copies]
        subprocess.run(  # noqa: S603 - our own program, without a shell
            [python, program, peer, "0", folder, *paths], capture_output=True, check=False
        )
        texts = {file: inside / f"{name}.txt" for name, file in copies.items()}
        read = {
            file: without_marks(text.read_text(encoding="utf-8", errors="replace"))
            for file, text in texts.items()
            if text.exists()
        }
    return only_known_formats(read)


def only_known_formats(read: Mapping[Path, str]) -> Mapping[Path, str]:
    """Leaves out files of formats of which nothing at all was read: it does not claim them."""
    known = {file.suffix.lower() for file, text in read.items() if text.strip()}
    return {file: text for file, text in read.items() if file.suffix.lower() in known}


def without_marks(markdown: str) -> str:
    """Takes off addresses of links, pictures, comments and escapes: no words of the document."""
    text = _ESCAPED.sub("", _MARKS.sub(" ", markdown))
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    return text
