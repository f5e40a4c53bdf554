"""Independent readers: what other programs show of a file, to compare with what footnote reads.

LibreOffice opens office files, w3m renders web pages and books, Python's own email package takes
messages apart, MuPDF gives the text layer of PDFs. They err, too, so a difference is a place to
look at, not a verdict. What they are known to add or to cut is mended by rules, each stated in the
module that applies it, and blind to who is measured: footnote and its peers meet the same words.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from evals.mail_readers import read_message
from evals.office_readers import OFFICE, Shown, read_office
from evals.printed import pages_of, text_of, without_furniture
from evals.web_readers import read_book, read_page
from evals.words import mend_breaks, whole_words

PACKAGES: Mapping[str, str] = {
    "soffice": "libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui",
    "w3m": "w3m",
}
"""Programs and the Debian packages that bring them. They are for this comparison alone."""
WEB = frozenset({".html", ".htm", ".xhtml", ".epub"})


def read_all(files: Sequence[Path]) -> dict[Path, Shown]:
    """Returns what the reader of each file's format shows; files without one are left out."""
    office = [file for file in files if file.suffix.lower() in OFFICE]
    shown = dict(read_office(office)) if shutil.which("soffice") else {}
    for file in files:
        reader = _READERS.get(file.suffix.lower())
        if reader is not None and (text := reader(file)) is not None:
            shown[file] = text
    return shown


def missing(files: Iterable[Path]) -> list[str]:
    """Returns the Debian packages of the readers that these files want and that are not there."""
    endings = {file.suffix.lower() for file in files}
    wanted = {"soffice"} if endings & OFFICE else set()
    wanted |= {"w3m"} if endings & WEB else set()
    return [PACKAGES[each] for each in sorted(wanted) if shutil.which(each) is None]


def _print(file: Path) -> Shown | None:
    """Gives a PDF's text layer; its running headers, which are no text of it, need not be found."""
    pages = pages_of(file)
    if pages is None:
        return None
    whole = whole_words(text_of(pages))
    must, may = without_furniture(pages, keep=0), text_of(pages)
    return Shown(mend_breaks(must, whole), mend_breaks(may, whole))


_READERS: Mapping[str, Callable[[Path], Shown | None]] = {
    ".html": read_page,
    ".htm": read_page,
    ".xhtml": read_page,
    ".epub": read_book,
    ".eml": read_message,
    ".pdf": _print,
}
