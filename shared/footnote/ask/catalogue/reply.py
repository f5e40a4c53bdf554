"""Writes the answer to a catalogue question: a count, groups or documents, and what it rests on.

Code writes all of it. It cites no page, as no page says how many documents there are.
"""

from collections.abc import Callable, Iterator

from footnote.ask.catalogue.terms import WORKING
from footnote.ask.catalogue.wording import say_bytes, say_language, say_readers
from footnote.model import CELL
from footnote.model.catalogue import Catalogue, CatalogueEntry, CatalogueQuery
from footnote.text.own_language import OwnLanguage, say, say_value

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


def write_catalogue(
    query: CatalogueQuery, stock: Catalogue, own: OwnLanguage = "en"
) -> tuple[list[str], list[int]]:
    """Returns the sentences and rows of an answer, and those that begin a line."""
    sentences = [*_lead(query, stock, own)]
    breaks: list[int] = []
    is_grouped = query.shows == "groups"
    rows = _group_rows(stock, own) if is_grouped else _document_rows(query, stock, own)
    for row in rows:
        breaks.append(len(sentences))
        sentences.append(row)
    breaks.append(len(sentences))
    sentences.append(say(own, RESTS_ON))
    if query.years or query.by == "year":
        sentences.append(say(own, YEARS))
    return sentences, breaks


def _lead(query: CatalogueQuery, stock: Catalogue, own: OwnLanguage) -> Iterator[str]:
    number = say_value(own, stock.count)
    number = number if stock.complete else say(own, "at least {number}", number=number)
    conditions, is_one = "; ".join(stock.conditions), stock.count == 1
    if not stock.count:
        saying = "No document meets this: {conditions}."
        saying = saying if stock.conditions else "No document is there that you may read."
    elif stock.conditions:
        saying = "{number} documents meet this: {conditions}."
        saying = "{number} document meets this: {conditions}." if is_one else saying
    else:
        saying = "There is {number} document." if is_one else "There are {number} documents."
    yield _capital(say(own, saying, number=number, conditions=conditions))
    if stock.count and query.measure == "pages":
        yield say(own, "Together they have {pages} pages.", pages=stock.pages)
    elif stock.count and query.measure != "documents":
        yield say(own, "Together they have {size} as files.", size=say_bytes(stock.bytes))
    if _tells_statuses(query, stock):
        statuses = ", ".join(f"{say_value(own, e.count)} {e.value}" for e in stock.grouped)
        yield say(own, "By status: {statuses}.", statuses=statuses)
    if not stock.complete:
        saying = "Only the first {seen} documents, by name, were looked at: there are more."
        yield say(own, saying, seen=stock.seen)
    if query.shows == "list" and stock.count > (shown := _shown(query)):
        order = say(own, _ordered(query))
        yield say(own, "Shown: {shown} of them, {order}.", shown=shown, order=order)


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
        "added": "those added last" if query.descending else "those added first",
        "changed": "those changed last" if query.descending else "those changed first",
        "size": "those largest" if query.descending else "those smallest",
        "pages": "those longest" if query.descending else "those shortest",
    }
    return words[query.order]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- rows ------------------------------------------------------------------------------------------


def _group_rows(stock: Catalogue, own: OwnLanguage) -> Iterator[str]:
    if not stock.grouped:
        return
    yield _row(say(own, str(stock.by)), say(own, "documents"))
    for group in stock.grouped:
        value = say_language(group.value) if stock.by == "language" else group.value
        lacking = say(own, _NO_VALUE.get(stock.by, "unknown"))
        yield _row(value or lacking, say_value(own, group.count))


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


def _document_rows(query: CatalogueQuery, stock: Catalogue, own: OwnLanguage) -> Iterator[str]:
    if query.shows != "list" or not stock.documents:
        return
    columns = _columns(query)
    yield _row(*(say(own, column) for column in columns))
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
