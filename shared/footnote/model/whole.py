"""The values of reading a scope whole: which documents, what is looked for, what was noted."""

from typing import Literal

from footnote.model.asking import Passage, QuestionKind, Stopped
from footnote.model.identity import Value


class Entry(Value):
    """A live document of the scope, by which it is read, or one of the shares of a long one.

    `tokens` is about how many it has. With `by_rule` no model is to read it.
    """

    document_id: str
    document: str
    collection: str
    version: str
    title: str
    tokens: int = 0
    share: int = 0
    of: int = 1
    by_rule: bool = False


class Entries(Value):
    """The documents of one batch."""

    entries: tuple[Entry, ...]


class Whole(Value):
    """The reading of a scope: what is asked of each document, and the batches to read.

    `topic` is what the items of a list are about. `noun` is what documents are called that are
    themselves counted ("contracts"), "" where what stands in them is. With `or_rows` rows of tables
    that list such things may be meant as well; `called_so` counts the documents that are called so.
    With `lacks` those without the topic are asked for, with `says` what documents say of it.
    `earlier` are keys of notes on what was read before. `compared` are the ids of documents to
    compare, in order, `called` their paths. `documents` counts those in the batches and in earlier
    notes, `of` those in scope; `stopped` says why some are in none.
    """

    kind: QuestionKind
    question: str
    topic: str = ""
    noun: str = ""
    or_rows: bool = False
    called_so: int = 0
    lacks: bool = False
    says: bool = False
    batches: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    documents: int = 0
    of: int = 0
    stopped: Stopped = ""


class Note(Value):
    """A line of a document that was noted in reading.

    `why` is `set` for an item of a list or table about the topic, `below` for a paragraph under a
    heading about it, `said` for a sentence that has its words, `key` for a key sentence, `chosen`
    for a line that a model chose, `line` for one that is compared. Of a noun, `lacks` is the first
    line of a document without the topic, `lists` the first row of a table that lists such things,
    `row` one that its columns choose, `in_row` one that has the topic's words. `of` counts the rows
    of a table whose columns decide. `share` is the part of the topic's words that it has, or its
    weight. `name` is what a model calls the item, or the labels of a compared row's columns.
    """

    passage: Passage
    why: Literal["set", "below", "said", "key", "chosen", "line", "lacks", "lists", "row", "in_row"]
    share: float = 1.0
    name: str = ""
    of: int = 0


class ReadShare(Value):
    """A version of a document that was read, or one of the `of` shares of a long one.

    With `by_rule` rules have read it, as no model was to.
    """

    document_id: str
    version: str
    share: int = 0
    of: int = 1
    by_rule: bool = False


class Notes(Value):
    """The notes of one batch: what was `read`, and how many were deleted or closed meanwhile."""

    notes: tuple[Note, ...] = ()
    read: tuple[ReadShare, ...] = ()
    gone: int = 0
    stopped: Stopped = ""
    by_model: bool = False
    degraded: tuple[str, ...] = ()
    tokens: int = 0
    usd: float = 0.0
    priced: bool = True

    @property
    def documents(self) -> int:
        """The number of documents that were read at once, not in shares."""
        return sum(one.of == 1 for one in self.read)


class Readings(Value):
    """Where the notes lie on what was read for one question, whoever asked it."""

    keys: tuple[tuple[ReadShare, str], ...] = ()
