"""Opens the tables of an answer's passages whole, also what of them the search did not find."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from footnote.ask.check.table_labels import tables_in
from footnote.ask.write.quoted_places import pages_of
from footnote.errors import NotFoundError
from footnote.model import CELL, Document, HowRead, Passage, Table, TablePlace, how_read

MOST_TABLES = 20  # of the passages of one answer


class TableAt(NamedTuple):
    """A table of a passage's document."""

    passage: Passage
    document: Document
    table: Table

    @property
    def place(self) -> TablePlace:
        return TablePlace(
            document_id=self.passage.document_id,
            version=self.passage.version,
            start=self.table.start,
        )

    @property
    def read_by(self) -> HowRead:
        """Who has read the table's pages: `ocr` where OCR read one of them."""
        return how_read(pages_of(self.document, self.table.start, self.table.end))


def tables_of(
    passages: Iterable[Passage], open_document: Callable[[Passage], Document]
) -> Iterator[TableAt]:
    """Yields the tables in which passages stand, each once, in the passages' order."""
    seen: set[TablePlace] = set()
    for passage in passages:
        if CELL not in passage.text:
            continue
        try:
            document = open_document(passage)
        except NotFoundError:  # it was deleted or closed meanwhile
            continue
        for table in tables_in(document, passage.start, passage.end):
            at = TableAt(passage, document, table)
            if at.place not in seen and len(seen) < MOST_TABLES:
                seen.add(at.place)
                yield at
