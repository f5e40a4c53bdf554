"""Writes the answer to a catalogue question: a count, groups or documents, and what it rests on.

Code writes all of it. It cites no page, as no page says how many documents there are.
"""

from collections.abc import Callable, Iterator

from footnote.ask.catalogue.terms import WORKING
from footnote.ask.catalogue.wording import say_bytes, say_language, say_readers
from footnote.model import CELL
from footnote.model.catalogue import Catalogue, CatalogueEntry, CatalogueQuery

SHOWN = 20
"""Rows that the text of an answer has. Its part `catalogue` has more."""
RESTS_ON = (
    "This was counted in the table of documents, among those that you may read: no text was"
    " searched."
)
YEARS = (
    "The year of a document is that of its attribute year, date or published, else the only one in"
    " its name."
)
_NO_VALUE = {
    "year": "no known year",
    "language": "no known language",
    "reason": "no error",
    "readers": "everybody",
}


def write_catalogue(query: CatalogueQuery, stock: Catalogue) -> tuple[list[str], list[int]]:
    """Returns the sentences and rows of an answer, and those that begin a line."""
    sentences = [*_lead(query, stock)]
    breaks: list[int] = []
    rows = _group_rows(stock) if query.shows == "groups" else _document_rows(query, stock)
    for row in rows:
        breaks.append(len(sentences))
        sentences.append(row)
    breaks.append(len(sentences))
    sentences.append(RESTS_ON)
    if query.years or query.by == "year":
        sentences.append(YEARS)
    return sentences, breaks


def _lead(query: CatalogueQuery, stock: Catalogue) -> Iterator[str]:
    number = f"{'at least ' if not stock.complete else ''}{stock.count:,}"
    noun = "document" if stock.count == 1 else "documents"
    if not stock.count:
        yield f"No document {_meets(stock, 'meets')}."
    elif stock.conditions:
        yield _capital(f"{number} {noun} {_meets(stock, 'meets' if stock.count == 1 else 'meet')}.")
    else:
        yield f"There {'is' if stock.count == 1 else 'are'} {number} {noun}."
    if stock.count and query.measure != "documents":
        is_pages = query.measure == "pages"
        total = f"{stock.pages:,} pages" if is_pages else f"{say_bytes(stock.bytes)} as files"
        yield f"Together they have {total}."
    if _tells_statuses(query, stock):
        yield f"By status: {', '.join(f'{each.count:,} {each.value}' for each in stock.grouped)}."
    if not stock.complete:
        yield f"Only the first {stock.seen:,} documents, by name, were looked at: there are more."
    if query.shows == "list" and stock.count > (shown := _shown(query)):
        yield f"Shown: {shown:,} of them{_ordered(query)}."


def _meets(stock: Catalogue, verb: str) -> str:
    if not stock.conditions:
        return "is there that you may read"
    return f"{verb} this: {'; '.join(stock.conditions)}"


def _tells_statuses(query: CatalogueQuery, stock: Catalogue) -> bool:
    """Tells whether the statuses are worth a sentence: not all documents are READY."""
    is_plain = query.shows == "count" and stock.by == "status"
    is_open = len(query.statuses) != 1 and [one.value for one in stock.grouped] != ["READY"]
    return is_plain and is_open and bool(stock.grouped)


def _shown(query: CatalogueQuery) -> int:
    return min(query.limit or SHOWN, SHOWN)


def _ordered(query: CatalogueQuery) -> str:
    words = {
        "name": "first by name",
        "added": "added last" if query.descending else "added first",
        "changed": "changed last" if query.descending else "changed first",
        "size": "largest" if query.descending else "smallest",
        "pages": "longest" if query.descending else "shortest",
    }
    return f", those {words[query.order]}" if query.order != "name" else f", {words['name']}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- rows ------------------------------------------------------------------------------------------


def _group_rows(stock: Catalogue) -> Iterator[str]:
    if not stock.grouped:
        return
    yield _row(str(stock.by), "documents")
    for group in stock.grouped:
        value = say_language(group.value) if stock.by == "language" else group.value
        yield _row(value or _NO_VALUE.get(stock.by, "unknown"), f"{group.count:,}")


_COLUMNS: dict[str, Callable[[CatalogueEntry], str]] = {
    "document": lambda entry: entry.document,
    "collection": lambda entry: entry.collection,
    "status": lambda entry: entry.status,
    "format": lambda entry: entry.format,
    "language": lambda entry: say_language(entry.language) or "unknown",
    "pages": lambda entry: str(entry.pages or "none"),
    "size": lambda entry: say_bytes(entry.size),
    "year": lambda entry: str(entry.year or "unknown"),
    "readers": lambda entry: say_readers(entry.readers),
    "added": lambda entry: _moment(entry.added),
    "updated": lambda entry: _moment(entry.updated),
    "reason": lambda entry: f"{entry.code}: {entry.reason}" if entry.code else "none",
}


def _document_rows(query: CatalogueQuery, stock: Catalogue) -> Iterator[str]:
    if query.shows != "list" or not stock.documents:
        return
    columns = _columns(query)
    yield _row(*columns)
    for entry in stock.documents[: _shown(query)]:
        yield _row(*(_COLUMNS[column](entry) for column in columns))


def _columns(query: CatalogueQuery) -> list[str]:
    """Returns the columns of a list: those of every list, and what the question is about."""
    if query.files:
        columns = [name for name in _COLUMNS if name != "reason"]
    else:
        about = {
            "format": len(query.formats) > 1,
            "language": len(query.languages) > 1,
            "pages": query.order == "pages" or query.pages != type(query.pages)(),
            "size": query.order == "size" or query.size != type(query.size)(),
            "year": bool(query.years),
            "readers": bool(query.readers),
            "added": query.order == "added" or query.added != type(query.added)(),
        }
        asked = [name for name, is_asked in about.items() if is_asked]
        columns = ["document", "collection", "status", *asked, "updated"]
    may_fail = query.with_reasons or set(query.statuses) - {"READY", *WORKING}
    return [*columns, "reason"] if may_fail else columns


def _moment(moment: str) -> str:
    """Returns a moment to the minute, in UTC."""
    return moment[:16].replace("T", " ")


def _row(*cells: str) -> str:
    """Returns cells as a row. A name that has the mark of rows gets a slash instead."""
    flat = (" ".join(cell.replace("|", "/").split()) for cell in cells)
    return f" {CELL.strip()} ".join(flat)
