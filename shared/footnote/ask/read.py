"""The read step: reads documents whole and notes what each has for the question.

No search chooses them, so what is not noted is not there, as far as rules or a model can tell.
"""

from collections.abc import Callable, Sequence

from footnote.ask.whole.batches import share_of_entry
from footnote.ask.whole.by_model import read_by_model, share_of
from footnote.ask.whole.comparison import all_lines
from footnote.ask.whole.items import items_in, mention_in
from footnote.ask.whole.key_sentences import key_sentences, key_sentences_of
from footnote.ask.whole.lines import lines_of
from footnote.ask.whole.listed import listed_rows
from footnote.ask.whole.topic import read_topic
from footnote.ask.write.citations import Documents
from footnote.errors import NotFoundError
from footnote.model import Document, Entry, ModelReply, Note, Notes, Whole
from footnote.ports import LLM


def read(
    whole: Whole,
    entries: Sequence[Entry],
    documents: Documents,
    has_time: Callable[[], bool],
    llm: LLM | None = None,
) -> Notes:
    """Returns the notes on the documents, read one after another until there is no more time.

    One that was deleted, replaced or closed meanwhile is no longer in scope. Where a model fails,
    rules read its document, and so they do those that are theirs from the beginning.
    """
    notes: list[Note] = []
    replies: list[ModelReply] = []
    read_whole: list[Entry] = []
    gone = 0
    is_late = False
    for entry in entries:
        if is_late := not has_time():
            break
        try:
            document = documents(entry.document_id, entry.version)
        except NotFoundError:
            gone += not entry.share
            continue
        made, paid = _notes_on(whole, entry, document, None if entry.by_rule else llm)
        notes += made
        replies += paid
        read_whole.append(entry)
    return Notes(
        notes=tuple(notes),
        read=tuple(map(share_of_entry, read_whole)),
        gone=gone,
        stopped="time" if is_late else "",
        by_model=any(reply.mode != "extractive" for reply in replies),
        degraded=tuple(dict.fromkeys(note for reply in replies for note in reply.degraded)),
        tokens=sum(reply.input_tokens + reply.output_tokens for reply in replies),
        usd=round(sum(reply.usd for reply in replies), 6),
        priced=all(reply.priced for reply in replies),
    )


def _notes_on(
    whole: Whole, entry: Entry, document: Document, llm: LLM | None
) -> tuple[Sequence[Note], Sequence[ModelReply]]:
    """Returns the notes on one document, and what a model that made them has replied."""
    if llm is None:
        return notes_by_rule(whole, entry, document), ()
    reading = read_by_model(whole, entry, document, llm)
    if not reading.failed:
        return reading.notes, reading.replies
    return notes_by_rule(whole, entry, document), reading.replies


def notes_by_rule(whole: Whole, entry: Entry, document: Document) -> list[Note]:
    """Returns what rules note of one document, or of its share."""
    notes = _notes_on_all(whole, entry, document)
    if entry.of == 1:
        return notes
    lines = share_of(entry, list(lines_of(document)))
    span = (lines[0].start, lines[-1].end) if lines else (0, 0)
    return [note for note in notes if span[0] <= note.passage.start < span[1]]


def _notes_on_all(whole: Whole, entry: Entry, document: Document) -> list[Note]:
    if whole.kind == "comparison":
        return all_lines(entry, document, whole.topic)
    if whole.kind == "document":
        return key_sentences(entry, document, key_sentences_of(whole.documents))
    topic = read_topic(whole.topic)
    if whole.noun:
        rows = listed_rows(whole, entry, document) if whole.or_rows else []
        return [*mention_in(topic, entry, document, lacks=whole.lacks), *rows]
    return items_in(topic, entry, document, whole.documents)
