"""Tells whether a question means documents or rows of a table: "Which invoices have no due date?".

Invoices may be files, or rows of a sheet that lists them. What is there decides: what documents are
called, and what tables have in their columns and above. Where both are there, the condition
decides: rows are meant if a column says what is asked of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from footnote.ask.compute.cells import has_none
from footnote.ask.compute.label_words import is_form, keys_of, label_stems
from footnote.ask.compute.row_tests import choose
from footnote.ask.compute.table_rule import find_query
from footnote.ask.compute.typed_table import Span, TypedTable, read_table
from footnote.ask.whole.lines import passage_of
from footnote.ask.whole.named_documents import is_called, is_listed, plurals_of, singulars_of
from footnote.ask.whole.topic import Topic, read_topic, rows_question
from footnote.errors import BadRequestError
from footnote.model import Document, Entry, Note, Passage, Table, TablePlace, Whole
from footnote.text.table_questions import asked_of_table
from footnote.text.terms import numbers, terms

type _Why = Literal["lists", "row", "in_row"]

FEWEST_ROWS = 2  # of a table that lists things
_IDS = frozenset(terms("id ids no nr number code name reference ref nummer"))
_DATE = frozenset(terms("date day datum tag"))


def listed_rows(whole: Whole, entry: Entry, document: Document) -> list[Note]:
    """Returns the rows of a document's tables that list the noun and meet the condition.

    Each such table has a note `lists` as well, with its number of rows where columns decide. Where
    they do not, its rows are those with all words of the topic (`in_row`).
    """
    notes: list[Note] = []
    topic = read_topic(whole.topic)
    for table in document.tables:
        with suppress(BadRequestError):
            read = read_table(document, table, entry.document_id, entry.version)
            if len(read.addends) < FEWEST_ROWS or not _lists(whole.noun, read, entry, document):
                continue
            chosen = _chosen(whole, topic, read, table, entry)
            rows = sum(bool(row.spans) for row in read.addends)
            spans = _saying(whole, topic, read, document) if chosen is None else chosen
            why: _Why = "in_row" if chosen is None else "row"
            notes.append(_note("lists", entry, document, read.addends[0].spans))
            notes[-1] = notes[-1].model_copy(update={"of": 0 if chosen is None else rows})
            notes += [_note(why, entry, document, (span,)) for span in spans]
    return notes


def _note(
    why: _Why,
    entry: Entry,
    document: Document,
    spans: Sequence[Span],
) -> Note:
    start, end = (spans[0].start, spans[0].end) if spans else (0, 0)
    return Note(passage=passage_of(entry, document, start, end), why=why)


def _lists(noun: str, table: TypedTable, entry: Entry, document: Document) -> bool:
    """Tells whether a table lists such things: a column names them, or what stands above it does.

    A title or a file in the singular is one of them, not a list: "invoice-7" has a table of items.
    """
    nouns = singulars_of(noun)
    labels = [label_stems(column.label) - _IDS for column in table.columns]
    if any(label and label <= nouns for label in labels) or labels[0] & nouns:
        return True
    above = table.around[len(document.title) :]
    return is_listed(noun, f"{above} {entry.document.rpartition('/')[2]}")


def _chosen(
    whole: Whole, topic: Topic, read: TypedTable, table: Table, entry: Entry
) -> list[Span] | None:
    """Returns the rows that meet the condition; None where no column says what it asks for.

    None says what a document mentions.
    """
    if whole.says:
        return None
    if (column := _named_by(topic, read)) is not None:
        rows = [row for row in read.addends if has_none(row.cells[column]) == whole.lacks]
        return [row.spans[0] for row in rows if row.spans]
    asked = asked_of_table(rows_question(whole.question), lists=True)
    place = TablePlace(document_id=entry.document_id, version=entry.version, start=table.start)
    called = f"{entry.document} {entry.title} {' '.join(plurals_of(whole.noun))}"
    fit = asked and asked.figure == "rows" and find_query(asked, read, place, called)
    if not fit or not fit.query.where:
        return None
    return [row.spans[0] for row in choose(fit.query.where, read) if row.spans]


def _named_by(topic: Topic, table: TypedTable) -> int | None:
    """Returns the one column whose label is the topic: "a due date".

    A column of days may be called by its date: "an expiry date" is what "Expires" says.
    """
    words = topic.words | topic.figures
    fitting = [
        n
        for n, column in enumerate(table.columns)
        if words
        and all(is_form(key, words) for key in keys_of(column))
        and all(
            is_form(word, label_stems(column.label)) or (column.kind == "days" and word in _DATE)
            for word in words
        )
    ]
    return fitting[0] if len(fitting) == 1 else None


def _saying(whole: Whole, topic: Topic, table: TypedTable, document: Document) -> Iterator[Span]:
    """Yields the rows with all words of the topic, or those without that do not mention it.

    What a row does not have only a column can tell.
    """
    for row in table.addends if whole.says or not whole.lacks else ():
        for span in row.spans[:1]:
            text = document.text[span.start : span.end]
            says_all = not topic.missing(set(terms(text))) and topic.figures <= numbers(text)
            if says_all != whole.lacks:
                yield span


class Meant(NamedTuple):
    """What a question about a noun means: the notes that count, of how many, what else is there.

    `of` counts the rows where columns decide, or the documents. `tables` are the names of documents
    whose tables list the noun, `called` the number of documents that are called so.
    """

    notes: Sequence[Note]
    are_rows: bool
    of: int
    tables: Sequence[str] = ()
    called: int = 0


def meant_by(whole: Whole, notes: Sequence[Note], documents: int) -> Meant:
    """Chooses between rows and documents, of which `documents` were read.

    Rows are meant where columns decide, which they do not for what documents say ("mention"), or
    where no document is called so.
    """
    listing = [note for note in notes if note.why == "lists"]
    deciding = [note for note in listing if note.of]
    lists = {note.passage.document_id: note.passage for note in listing}
    # "invoices.csv" is called so, but lists them
    called = whole.called_so - sum(
        is_called_only_as_list(whole.noun, one) for one in lists.values()
    )
    if listing and (deciding or not called):
        rows = [note for note in notes if note.why == ("row" if deciding else "in_row")]
        of = sum(note.of for note in deciding)
        return Meant(rows, True, of, _names(deciding or listing), called)
    said = {
        note.passage.document_id: note for note in reversed(notes) if note.why in {"set", "lacks"}
    }
    meant = [
        note
        for one, note in said.items()
        if one not in lists or (called and not is_listed(whole.noun, _called(note.passage)))
    ]
    if called:
        meant = [note for note in meant if is_called(whole.noun, note.passage)]
    return Meant(meant, False, called or documents - len(lists), _names(listing), called)


def is_called_only_as_list(noun: str, one: Passage) -> bool:
    """Tells whether a document has the noun in its name in the plural alone."""
    return is_called(noun, one) and is_listed(noun, _called(one))


def _called(one: Passage) -> str:
    return f"{one.title} {one.document.rpartition('/')[2]}"


def _names(notes: Sequence[Note]) -> list[str]:
    return list(dict.fromkeys(note.passage.document.rpartition("/")[2] for note in notes))
