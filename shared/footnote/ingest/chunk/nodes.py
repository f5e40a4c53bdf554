"""Nodes: the pages and tables of a document, and the document itself, for search by words.

Pure. A chunk is too short to hold all words that name its subject: a statement's caption may be in
one chunk and its rows in the next. Nodes hold both, and lift the chunks inside them
(`ask/find/rank.py`). They have no vectors, so they cost an index little and no model anything.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from footnote.accounting.statements import statement_of
from footnote.model import CELL, Document, Node, Revision, Section, digest
from footnote.text.names import document_names, mentioned

STRETCH = 3_000  # characters of a stretch, which replaces the page where a format has none
FIRST = 300  # characters at the beginning of a document that may hold its name
CAPTION = 300  # characters before a table that may describe it
MOST_TEXT = 20_000  # characters of a node
MOST_CONTEXT = 4_000
_LABEL = 200  # characters of a row's label

type Span = tuple[int, int]


def make_nodes(document: Document, revision: Revision) -> list[Node]:
    """Returns the document's node, then those of pages and of tables, each in order."""
    nodes = [_document(document, revision), *_pages(document), *_tables(document)]
    return [
        node.model_copy(
            update={
                "id": digest(revision.document_id, revision.version, node.kind, str(number)),
                "language": document.language,
            }
        )
        for number, node in enumerate(nodes)
    ]


def _document(document: Document, revision: Revision) -> Node:
    name = revision.path.rpartition(".")[0] or revision.path
    first = document.text[:FIRST]
    return Node(
        id="",
        kind="document",
        start=0,
        end=len(document.text),
        names=document_names(document.title, name, first),
        # Mentions of short documents would make the index grow most, and
        # their names have nearly all.
        mentions=mentioned(document.text) if len(document.text) > STRETCH else (),
    )


def _pages(document: Document) -> Iterator[Node]:
    spans = [(page.start, page.end) for page in document.pages] or list(_stretches(document))
    for n, headings in enumerate(_headings(document, spans)):
        start, end = spans[n]
        if text := document.text[start : min(end, start + MOST_TEXT)].strip():
            yield Node(
                id="",
                kind="page",
                start=start,
                end=end,
                pages=(document.pages[n].number,) if document.pages else (),
                context="\n".join([document.title, *headings])[:MOST_CONTEXT],
                text=text,
            )


def _stretches(document: Document) -> Iterator[Span]:
    length = len(document.text)
    for start in range(0, length, STRETCH):
        yield start, min(start + STRETCH, length)


def _headings(document: Document, spans: Iterable[Span]) -> Iterator[list[str]]:
    """Yields the headings above and inside each span. Spans and sections are in order."""
    is_open: list[Section] = []
    upcoming = 0
    for start, end in spans:
        is_open = [section for section in is_open if section.end > start]
        while upcoming < len(document.sections) and document.sections[upcoming].start < end:
            if document.sections[upcoming].end > start:
                is_open.append(document.sections[upcoming])
            upcoming += 1
        yield [section.title for section in is_open]


def _tables(document: Document) -> Iterator[Node]:
    tables = sorted(document.tables, key=lambda table: table.start)
    above = _headings(document, [(table.start, table.start + 1) for table in tables])
    for table, headings in zip(tables, above, strict=True):
        caption = document.text[max(table.start - CAPTION, 0) : table.start].strip()
        labels = [row[0][:_LABEL] for row in table.rows if row and row[0]]
        context = "\n".join([*headings, caption, " ".join(labels)])[:MOST_CONTEXT]
        yield Node(
            id="",
            kind="table",
            start=table.start,
            end=table.end,
            pages=_pages_of(document, table.start, table.end),
            context=context,
            text=_rows(table.rows),
            statement=statement_of(row[0] for row in table.rows if row),
        )


def _rows(rows: Sequence[Sequence[str]]) -> str:
    lines: list[str] = []
    size = 0
    for row in rows:
        line = CELL.join(filter(None, row))
        size += len(line) + 1
        if size > MOST_TEXT:
            break
        lines.append(line)
    return "\n".join(lines)


def _pages_of(document: Document, start: int, end: int) -> tuple[int, ...]:
    last = bisect_left(document.pages, end, key=lambda page: page.start)
    first = bisect_left(document.pages, start, hi=last, key=lambda page: page.end)
    return tuple(page.number for page in document.pages[first:last] if page.end > start)
