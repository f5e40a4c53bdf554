"""What LibreOffice shows of office files, as words to find and words that may be found.

Documents and slides are printed, sheets are written as the cells show themselves: a printed cell is
cut where its column is narrow. What LibreOffice does not print, and the file yet shows, may be
found and need not: comments, notes of slides, names of sheets, the values behind a chart, headers
of other pages. LibreOffice's own words need not be found: its "Page 1", its errors ("Err:502"),
and, in files with charts, figures that stand nowhere in the file: the labels of its axes.
"""

import html
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from evals.printed import Page, pages_of, text_of, without_furniture
from evals.words import mend_breaks, words

OFFICE = frozenset(
    f".{ending}"
    for ending in re.findall(
        r"\w+",
        "docx docm dotx odt rtf pptx pptm ppsx potx odp xlsx xlsm xls ods",
    )
)
SHEETS = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
_BATCH = 20  # files that one start of LibreOffice prints
_SECONDS = 300  # for one batch
_AS_SHOWN = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1"
_OWN_ERROR = re.compile(r"#?Err:\d+")
_BESIDE = re.compile(
    r"(?:comments|threadedComments|persons|notesSlides|charts|diagrams|embeddings)/|comment|"
    r"(?:header|footer)\d*\.xml$|Object [^/]*/content\.xml$|styles\.xml$"
)
_CHART = re.compile(r"/charts?/|/charts?\d*\.xml$|Object [^/]*/content\.xml$")
_ANNOTATED = re.compile(
    r"<(office:annotation|presentation:notes)\b.*?</\1>", re.DOTALL
)  # of ODF: they stand among the text
_BREAK = re.compile(
    r"</(?:w:p|a:p|text:p|text:h|si|c:v|c:pt|t|text)>|<(?:w:tab|w:br|a:br|text:tab|text:line-break|text:s)\b[^>]*>"
)
_NAMES = re.compile(r'\b(?:w:author|author|name|displayName|w:date)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_HIDDEN_CELLS = re.compile(
    r'<(?:\w+:)?(?:row|col|sheet)\b[^>]*\b(?:hidden="(?:1|true)"|state="\w*[hH]idden")|'
    r'table:visibility="(?:collapse|filter)"|table:display="false"'
)


class Shown(NamedTuple):
    """What a reader shows of a file: words to find, and all words that may be found."""

    must: str
    may: str


def read_office(files: Sequence[Path]) -> Iterator[tuple[Path, Shown]]:
    """Yields what LibreOffice shows of each file that it opens."""
    for start in range(0, len(files), _BATCH):
        with tempfile.TemporaryDirectory() as folder:
            yield from _read_batch(files[start : start + _BATCH], Path(folder))


def _read_batch(files: Sequence[Path], folder: Path) -> Iterator[tuple[Path, Shown]]:
    """Prints files under names of their numbers: two may have the same stem."""
    numbered = {folder / f"{n}{file.suffix.lower()}": file for n, file in enumerate(files)}
    for copy, file in numbered.items():
        shutil.copyfile(file, copy)
    _convert("pdf", list(numbered), folder)
    _convert(_AS_SHOWN, [copy for copy in numbered if copy.suffix in SHEETS], folder)
    for copy, file in numbered.items():
        pages = pages_of(copy.with_suffix(".pdf"))
        if pages is not None:
            sheets = sorted(folder.glob(f"{copy.stem}-*.csv"))
            yield file, _shown(file, pages, {each.stem: each for each in sheets})


def _convert(target: str, files: Sequence[Path], folder: Path) -> None:
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder)]
    if not files:
        return
    try:
        subprocess.run(  # noqa: S603 - a program named here, without a shell
            [*command, *map(str, files)], capture_output=True, timeout=_SECONDS, check=False
        )
    except (subprocess.TimeoutExpired, OSError):
        return


def _shown(file: Path, pages: Sequence[Page], sheets: dict[str, Path]) -> Shown:
    own, beside, charts = own_text(file.read_bytes())
    whole = set(words(own))
    must = mend_breaks(without_furniture(pages, keep=1), whole)
    may = mend_breaks(text_of(pages), whole) + "\n" + beside
    if sheets:
        cells = "\n".join(each.read_text("utf-8", "replace") for each in sheets.values())
        names = "\n".join(name.partition("-")[2] for name in sheets)
        must = cells if not _hides_cells(file) else must
        may = _larger(cells, may) + "\n" + names
    must = _OWN_ERROR.sub(" ", must)
    if charts:
        must = " ".join(
            word for word in words(must) if word in whole or not word.isdecimal() or not whole
        )
    return Shown(must, may)


def _larger(one: str, other: str) -> str:
    """Returns the words of both texts, each as often as it stands in the one that has it more."""
    return " ".join((Counter(words(one)) | Counter(words(other))).elements())


def _hides_cells(file: Path) -> bool:
    """Tells whether a workbook hides something: its CSV has that, and only its print has not."""
    try:
        with ZipFile(file) as package:
            parts = [name for name in package.namelist() if name.endswith(".xml")]
            return any(
                _HIDDEN_CELLS.search(package.read(p).decode("utf-8", "replace")) for p in parts
            )
    except (BadZipFile, OSError, ValueError):
        return False


def own_text(content: bytes) -> tuple[str, str, bool]:
    """Returns all text of a package, that of its parts beside the page, and whether it has charts.

    Of a file that is no package the source itself stands for its text: RTF writes words plainly.
    """
    try:
        with ZipFile(BytesIO(content)) as package:
            parts = {name: package.read(name) for name in package.namelist()}
    except (BadZipFile, OSError, ValueError, RuntimeError):
        return content.decode("latin-1") if content[:5] == b"{\\rtf" else "", "", False
    texts, beside = [], []
    for name, part in parts.items():
        if name.endswith(".xml"):
            source = part.decode("utf-8", "replace")
            texts.append(plain(source))
            beside += [plain(each[0]) for each in _ANNOTATED.finditer(source)]
            if _BESIDE.search(name):
                beside += [texts[-1], *_NAMES.findall(source)]
        elif part[:2] == b"PK" or "/embeddings/" in name:
            beside += [name, own_text(part)[0]]
    return "\n".join([*texts, *beside]), "\n".join(beside), any(map(_CHART.search, parts))


def plain(source: str) -> str:
    """Returns the text of an XML part: a line for each paragraph, runs of it joined."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", source)))
