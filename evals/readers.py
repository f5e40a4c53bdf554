"""Independent readers: what other programs show of a file, as words, to compare with ours.

LibreOffice prints office files, w3m renders web pages and books, Python's own email package takes
messages apart, MuPDF gives the text layer of PDFs. They err, too (page numbers that they add, cells
that they cut), so a difference is a place to look at, not a verdict.
"""

import email
import email.policy
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

import pymupdf

PACKAGES: Mapping[str, str] = {
    "soffice": "libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui",
    "w3m": "w3m",
}
"""Programs and the Debian packages that bring them. They are for this comparison alone."""
OFFICE = frozenset(
    f".{ending}"
    for ending in re.findall(
        r"\w+",
        "docx docm dotx odt rtf pptx pptm ppsx potx odp xlsx xlsm xls ods",
    )
)
_BATCH = 20  # files that one start of LibreOffice prints
_SECONDS = 300  # for one batch
_SPINE = re.compile(r'<itemref[^>]+idref="([^"]+)"')
_ITEM = re.compile(r"<item\b[^>]*>")
_ATTRIBUTE = re.compile(r'(\w[\w:-]*)="([^"]*)"')

type Texts = Mapping[Path, str]


def read_all(files: Sequence[Path]) -> Texts:
    """Returns what the reader of each file's format shows; files without one are left out."""
    office = [file for file in files if file.suffix.lower() in OFFICE]
    texts = dict(_print_office(office)) if shutil.which("soffice") else {}
    for file in files:
        reader = _READERS.get(file.suffix.lower())
        if reader is not None and (text := reader(file)) is not None:
            texts[file] = text
    return texts


def missing(files: Iterable[Path]) -> list[str]:
    """Returns the Debian packages of the readers that these files want and that are not there."""
    endings = {file.suffix.lower() for file in files}
    wanted = {"soffice"} if endings & OFFICE else set()
    wanted |= {"w3m"} if endings & {".html", ".htm", ".xhtml", ".epub"} else set()
    return [PACKAGES[each] for each in sorted(wanted) if shutil.which(each) is None]


def _print_office(files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    for start in range(0, len(files), _BATCH):
        with tempfile.TemporaryDirectory() as folder:
            yield from _print_batch(files[start : start + _BATCH], Path(folder))


def _print_batch(files: Sequence[Path], folder: Path) -> Iterator[tuple[Path, str]]:
    """Prints files to PDF under names of their numbers: two may have the same stem."""
    numbered = {folder / f"{n}{file.suffix.lower()}": file for n, file in enumerate(files)}
    for copy, file in numbered.items():
        shutil.copyfile(file, copy)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder)]
    _run([*command, *map(str, numbered)])
    for copy, file in numbered.items():
        printed = copy.with_suffix(".pdf")
        if printed.exists():
            yield file, _text_layer(printed) or ""


def _run(command: Sequence[str], given: bytes = b"") -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a program named here, without a shell
            command, input=given, capture_output=True, timeout=_SECONDS, check=False
        )
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return done.stdout.decode("utf-8", "replace")


def _text_layer(file: Path) -> str | None:
    try:
        with pymupdf.open(file) as pages:  # type: ignore[no-untyped-call]
            return "\n".join(str(page.get_text()) for page in pages)
    except (RuntimeError, ValueError):
        return None


def _render(body: bytes) -> str | None:
    if shutil.which("w3m") is None:
        return None
    command = ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "1000"]
    return _run(command, body)


def _page(file: Path) -> str | None:
    return _render(file.read_bytes())


def _book(file: Path) -> str | None:
    """Renders the chapters of a book in reading order."""
    try:
        with ZipFile(file) as book:
            package = next(name for name in book.namelist() if name.endswith(".opf"))
            listed = book.read(package).decode("utf-8", "replace")
            items = [dict(_ATTRIBUTE.findall(item)) for item in _ITEM.findall(listed)]
            places = {item.get("id", ""): item.get("href", "") for item in items}
            folder = package.rpartition("/")[0]
            texts = [
                _render(book.read(f"{folder}/{places[key]}".lstrip("/")))
                for key in _SPINE.findall(listed)
                if places.get(key)
            ]
    except (StopIteration, KeyError, OSError, ValueError):
        return None
    return "\n".join(filter(None, texts)) or None


def _message(file: Path) -> str | None:
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    lines = [str(message.get("subject", ""))]
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.get_filename():
            try:
                text = str(part.get_content())
            except (LookupError, ValueError):
                continue
            lines.append(_without_tags(text) if part.get_content_subtype() == "html" else text)
    return "\n".join(lines)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._skips = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - its name up there
        self._skips += tag in {"style", "script"}

    def handle_endtag(self, tag: str) -> None:
        self._skips -= tag in {"style", "script"}

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.pieces.append(data)


def _without_tags(page: str) -> str:
    words = _Words()
    words.feed(page)
    return " ".join(words.pieces)


_READERS: Mapping[str, Callable[[Path], str | None]] = {
    ".html": _page,
    ".htm": _page,
    ".xhtml": _page,
    ".epub": _book,
    ".eml": _message,
    ".pdf": _text_layer,
}
