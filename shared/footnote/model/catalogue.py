"""The values of catalogue questions: what is asked of the documents table, and what it says."""

from typing import Literal

from footnote.model.identity import Acl, Value

type Dimension = Literal["collection", "format", "year", "status", "language", "readers", "reason"]
"""By what documents are grouped. `reason` is the code of the error that they ended with."""

type Measure = Literal["documents", "pages", "bytes"]
"""What is counted or added up."""

type Order = Literal["name", "added", "changed", "size", "pages"]


class Days(Value):
    """The days from `first` on (ISO 8601), up to `end` and without it; "" does not bound."""

    first: str = ""
    end: str = ""

    def hold(self, moment: str) -> bool:
        """Tells whether a moment (ISO 8601) lies in them."""
        return bool(moment) and self.first <= moment and (not self.end or moment < self.end)


class Between(Value):
    """The numbers from `least` to `most`, both with them; None does not bound."""

    least: int | None = None
    most: int | None = None

    def hold(self, number: int) -> bool:
        """Tells whether a number lies between them."""
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)


class CatalogueQuery(Value):
    """A question about the documents themselves, which their table answers.

    All conditions hold together; of several values of one condition, one holds. Empty ones do not
    bound. `years` are those of the documents, `added` and `changed` days of the table. `names` are
    parts of paths or titles, `files` whole names. `readers` is a group, "*" for everybody, or "-"
    where not everybody may read.

    `shows` tells whether documents are counted, listed or grouped. `limit` is 0 where all are
    wanted. `with_reasons` tells whether the errors are wanted, too.
    """

    shows: Literal["count", "list", "groups"] = "count"
    measure: Measure = "documents"
    by: Dimension | None = None
    order: Order = "name"
    descending: bool = False
    limit: int = 0
    with_reasons: bool = False
    statuses: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    readers: str = ""
    warned: bool = False
    added: Days = Days()
    changed: Days = Days()
    size: Between = Between()
    pages: Between = Between()


class CatalogueEntry(Value):
    """A document that a catalogue answer names. `readers` is None where everybody may read it."""

    id: str
    document: str
    title: str
    collection: str
    status: str
    format: str
    language: str
    year: int | None
    size: int
    pages: int
    added: str
    updated: str
    readers: Acl = None
    code: str = ""
    reason: str = ""


class CatalogueGroup(Value):
    """The documents that have one value, or none ("")."""

    value: str
    count: int


class Catalogue(Value):
    """What the documents table says: exact for the `seen` documents that were looked at.

    `count` is the number of documents that meet `conditions`; `pages` and `bytes` are their sums.
    `complete` tells that the table was read to its end. `by` names what `grouped` counts; a
    document with several readers counts for each. `documents` are the first of them in the order
    that was asked for.
    """

    count: int
    pages: int
    bytes: int
    seen: int
    complete: bool
    conditions: tuple[str, ...] = ()
    by: Dimension = "status"
    grouped: tuple[CatalogueGroup, ...] = ()
    documents: tuple[CatalogueEntry, ...] = ()
