"""The values of reading a scope whole: which documents, what is looked for, what was noted."""

from typing import Literal

from footnote.model.asking import Passage, QuestionKind, Stopped
from footnote.model.identity import Value


class Entry(Value):
    """A live document of the scope, by which it is read, or one of the shares of a long one.

    `tokens` is about how many it has.
    """

    document_id: str
    document: str
    collection: str
    version: str
    title: str
    tokens: int = 0
    share: int = 0
    of: int = 1


class Entries(Value):
    """The documents of one batch."""

    entries: tuple[Entry, ...]


class Whole(Value):
    """The reading of a scope: what is asked of each document, and the batches to read.

    `topic` is what the items of a list are about. `noun` is what documents are called that are
    themselves counted ("contracts"), "" where what stands in them is. `documents` counts those in
    the batches, `of` those in scope; `stopped` says why some are in none.
    """

    kind: QuestionKind
    question: str
    topic: str = ""
    noun: str = ""
    batches: tuple[str, ...] = ()
    documents: int = 0
    of: int = 0
    stopped: Stopped = ""


class Note(Value):
    """A line of a document that was noted in reading.

    `why` is `set` for an item of a list or table about the topic, `below` for a paragraph under a
    heading about it, `said` for a sentence that has its words, `key` for a key sentence, `chosen`
    for a line that a model chose, `line` for one that is compared. `share` is the part of the
    topic's words that it has, or its weight. `name` is what a model calls the item, or the labels
    of a compared row's columns.
    """

    passage: Passage
    why: Literal["set", "below", "said", "key", "chosen", "line"]
    share: float = 1.0
    name: str = ""


class Notes(Value):
    """The notes of one batch. `documents` were read; `gone` were deleted or closed meanwhile.

    `shares` are those of long documents that were read: the id, and how many shares there are.
    """

    notes: tuple[Note, ...] = ()
    documents: int = 0
    shares: tuple[tuple[str, int], ...] = ()
    gone: int = 0
    stopped: Stopped = ""
    by_model: bool = False
    degraded: tuple[str, ...] = ()
    tokens: int = 0
    usd: float = 0.0
