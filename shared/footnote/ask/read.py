"""The read step: reads documents whole and notes what each has for the question.

No search chooses them, so what is not noted is not there, as far as rules or a model can tell.
"""

from collections.abc import Callable, Sequence

from footnote.ask.whole.items import items_in, mention_in
from footnote.ask.whole.key_sentences import key_sentences
from footnote.ask.whole.topic import read_topic
from footnote.ask.write.citations import Documents
from footnote.errors import NotFoundError
from footnote.model import Document, Entry, Note, Notes, Whole

KEY_SENTENCES = 10  # of a summary of one document
MOST_KEY_SENTENCES = 30  # of a summary of several


def read(
    whole: Whole, entries: Sequence[Entry], documents: Documents, has_time: Callable[[], bool]
) -> Notes:
    """Returns the notes on the documents, read one after another until there is no more time.

    One that was deleted, replaced or closed meanwhile is no longer in scope.
    """
    notes: list[Note] = []
    done = gone = 0
    for entry in entries:
        if not has_time():
            return Notes(notes=tuple(notes), documents=done, gone=gone, stopped="time")
        try:
            document = documents(entry.document_id, entry.version)
        except NotFoundError:
            gone += 1
            continue
        notes += notes_on(whole, entry, document)
        done += 1
    return Notes(notes=tuple(notes), documents=done, gone=gone)


def notes_on(whole: Whole, entry: Entry, document: Document) -> list[Note]:
    """Returns what rules note of one document."""
    if whole.kind == "document":
        most = max(1, min(KEY_SENTENCES, MOST_KEY_SENTENCES // max(1, whole.documents)))
        return key_sentences(entry, document, most)
    find = mention_in if whole.noun else items_in
    return find(read_topic(whole.topic), entry, document)
