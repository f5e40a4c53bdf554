"""What LibreOffice shows of office files, as words to find and words that may be found.

Documents and slides are printed, sheets are written as the cells show themselves: a printed cell is
cut where its column is narrow. What LibreOffice does not print, and the file yet shows, may be
found and need not: comments, notes of slides, names of sheets, the values behind a chart, headers
of other pages.

LibreOffice's own words need not be found: its "Page 1", its errors ("Err:502"), today's date, which
it sets in fields; in files with charts, words that the file does not have so often: a chart's
labels stand at its axis and in its legend again. Workbooks with volatile formulas (NOW, RAND) are
left out: LibreOffice computes them anew, so it shows other figures than were saved.
"""

import html
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
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
_VOLATILE = re.compile(r"(?:<f\b[^>]*>|formula=\")[^<\"]*\b(?:RAND|RANDBETWEEN|NOW|TODAY)\(")
_DATES = "%A, %B %d, %Y;%B %d, %Y;%d %B %Y;%m/%d/%Y;%m/%d/%y;%d/%m/%Y;%d/%m/%y;%d.%m.%Y;%Y-%m-%d"
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
    _convert("ods", [copy for copy in numbered if copy.suffix == ".xls"], folder)
    for copy, file in numbered.items():
        pages = pages_of(copy.with_suffix(".pdf"))
        package = Package.of(copy if copy.suffix != ".xls" else copy.with_suffix(".ods"))
        if pages is not None and not package.is_volatile:
            yield file, show_office(package, pages, sorted(folder.glob(f"{copy.stem}-*.csv")))


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


def show_office(package: "Package", pages: Sequence[Page], sheets: Sequence[Path]) -> Shown:
    own = words(package.text)
    must = mend_breaks(without_furniture(pages, keep=1), set(own))
    may = mend_breaks(text_of(pages), set(own)) + "\n" + package.beside
    if sheets:
        cells = "\n".join(each.read_text("utf-8", "replace") for each in sheets)
        must = must if package.hides_cells else cells
        may = _larger(cells, may) + "\n" + "\n".join(each.stem.partition("-")[2] for each in sheets)
    must = _OWN_ERROR.sub(" ", _without_today(must))
    if package.has_charts:
        must = " ".join((Counter(words(must)) & Counter(own)).elements())
    return Shown(must, may)


def _without_today(text: str) -> str:
    for form in _DATES.split(";"):
        text = text.replace(datetime.now(UTC).strftime(form), " ")
    return text


def _larger(one: str, other: str) -> str:
    """Returns the words of both texts, each as often as it stands in the one that has it more."""
    return " ".join((Counter(words(one)) | Counter(words(other))).elements())


class Package(NamedTuple):
    """What a file's own parts say: all its text, that beside its pages, and what is special."""

    text: str
    beside: str
    has_charts: bool = False
    hides_cells: bool = False  # a workbook's CSV has hidden cells, and only its print has not
    is_volatile: bool = False

    @classmethod
    def of(cls, file: Path) -> "Package":
        """Reads the parts of a file. RTF is none, but writes words plainly: its source is taken."""
        content = file.read_bytes() if file.exists() else b""
        text, beside = own_text(content)
        if file.suffix == ".rtf":
            return cls(content.decode("latin-1"), "")
        sources = _sources(content)
        return cls(
            text,
            beside,
            any(map(_CHART.search, sources)),
            any(map(_HIDDEN_CELLS.search, sources.values())),
            any(map(_VOLATILE.search, sources.values())),
        )


def _sources(content: bytes) -> dict[str, str]:
    try:
        with ZipFile(BytesIO(content)) as package:
            return {
                name: package.read(name).decode(
                    "utf-8" if name.endswith(".xml") else "latin-1", "replace"
                )
                for name in package.namelist()
            }
    except (BadZipFile, OSError, ValueError, RuntimeError):
        return {}


def own_text(content: bytes) -> tuple[str, str]:
    """Returns all text of a package's parts, and that of parts beside its pages."""
    texts, beside = [], []
    for name, source in _sources(content).items():
        if name.endswith(".xml"):
            texts.append(plain(source))
            beside += [plain(each[0]) for each in _ANNOTATED.finditer(source)]
            if _BESIDE.search(name):
                beside += [texts[-1], *_NAMES.findall(source)]
        elif source.startswith("PK") or "/embeddings/" in name:
            beside += [name, own_text(source.encode("latin-1"))[0]]
    return "\n".join([*texts, *beside]), "\n".join(beside)


def plain(source: str) -> str:
    """Returns the text of an XML part: a line for each paragraph, runs of it joined."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", source)))
