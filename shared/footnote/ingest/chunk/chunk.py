"""Chunk step: cuts a document along its section tree, at sentence ends, within a token budget.

Pure: the embedder's tokenizer comes in as `count`. The title and headings go into a chunk's
`context`, so that "Total | 5,466" is found by its statement's name. Chunks that begin inside a
table get its header in `above`, to be read with them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from footnote.ingest.chunk.above import above
from footnote.ingest.chunk.packing import Piece, pieces
from footnote.ingest.chunk.units import Count, Leaf, leaves, units
from footnote.model import (
    CELL,
    Chunk,
    Document,
    Page,
    Revision,
    TableHeader,
    digest,
    how_read,
    labels_of,
)

BUDGET = 200  # tokens of a chunk: with its context it fits the embedder's input (256)
CONTEXT = 40  # tokens of title and section path; a table's header row may take as many again
_TITLE = 18  # tokens of the document's title
_HEADING = 14  # tokens of one heading


def chunk(
    document: Document, revision: Revision, count: Count, budget: int = BUDGET, overlap: int = 30
) -> list[Chunk]:
    """Cuts a document into chunks, in order. Together they hold all text but blanks.

    `budget` and `overlap` are tokens, as `count` counts them.
    """
    parts = leaves(document)
    cut = list(pieces(units(document, parts, count, budget), parts, budget, overlap))
    context = _Context(document, count)
    chunks = []
    for ordinal, piece in enumerate(cut):
        start, end = piece.units[0].start, piece.units[-1].end
        path, pages = _path(piece, parts), _pages(document, start, end)
        chunks.append(
            Chunk(
                id=digest(revision.document_id, revision.version, str(ordinal)),
                ordinal=ordinal,
                text=document.text[start:end],
                start=start,
                end=end,
                pages=tuple(page.number for page in pages),
                labels=labels_of(pages),
                section=tuple(document.sections[i].title for i in path),
                title=document.title,
                context=context.of(path, piece),
                language=document.language,
                above=_above(document, piece),
                read=how_read(pages),
            )
        )
    return chunks


def _above(document: Document, piece: Piece) -> TableHeader | None:
    first = piece.units[0]
    return above(document, document.tables[first.table], first.start) if first.table >= 0 else None


def _path(piece: Piece, parts: Sequence[Leaf]) -> tuple[int, ...]:
    """Returns the path of the leaf with most of the piece's tokens; of equals, the first."""
    sizes: dict[int, int] = {}
    for unit in piece.units:
        sizes[unit.leaf] = sizes.get(unit.leaf, 0) + unit.tokens
    return parts[max(sizes, key=lambda leaf: sizes[leaf])].path


def _pages(document: Document, start: int, end: int) -> list[Page]:
    """Returns the pages that hold a part of the span."""
    first = bisect_right(document.pages, start, key=lambda page: page.start) - 1
    last = bisect_left(document.pages, end, key=lambda page: page.start)
    touched = document.pages[max(first, 0) : last]
    return [page for page in touched if page.end > start and page.start < page.end]


class _Context:
    """Makes contexts. Measures each title and each table's header once."""

    def __init__(self, document: Document, count: Count) -> None:
        self._document = document
        self._count = count
        names = [document.title, *dict.fromkeys(section.title for section in document.sections)]
        limits = [_TITLE, *(_HEADING for _ in names[1:])]
        sizes = count(names)
        self._short = {
            name: (name, size) if size <= limit else self._clip(name, limit)
            for name, size, limit in zip(names, sizes, limits, strict=True)
        }
        self._headers: dict[int, str] = {}  # by the table's number: a table is slow to hash

    def of(self, path: Sequence[int], piece: Piece) -> str:
        line = f"[{' > '.join(self._names(path))}]"
        if not piece.continued:
            return line
        header = self._header(piece.units[0].table)
        return f"{line}\n{header}" if header else line

    def _names(self, path: Sequence[int]) -> Iterator[str]:
        """Yields title and headings. If they are too long, it leaves out the outermost headings."""
        title, size_so_far = self._short[self._document.title]
        inner: list[str] = []
        titles = dict.fromkeys(self._document.sections[i].title for i in path)
        for short, size in (self._short[name] for name in reversed(titles) if name != title):
            size_so_far += size + 1
            if size_so_far > CONTEXT - 2 and inner:
                break
            inner.append(short)
        yield from (title, *reversed(inner))

    def _header(self, number: int) -> str:
        if number not in self._headers:
            table = self._document.tables[number]
            rows = table.rows[: table.header_rows]
            # a label over several columns is in each of them
            labels = ([label for label, _ in groupby(filter(None, row))] for row in rows)
            text = "\n".join(map(CELL.join, labels))
            self._headers[number] = self._clip(text, CONTEXT)[0]
        return self._headers[number]

    def _clip(self, text: str, limit: int) -> tuple[str, int]:
        """Returns as many of the first words as fit, and their number of tokens."""
        words = text.replace("\n", " \n ").split(" ")
        total = 0
        for i, size in enumerate(self._count(words)):
            if total + size > limit:
                return " ".join(words[:i]).replace(" \n ", "\n").strip(), total
            total += size
        return text, total
