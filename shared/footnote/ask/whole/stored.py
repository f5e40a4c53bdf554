"""Stores the batches of a reading and loads the notes on them: both lie in the artifacts bucket."""

from collections.abc import Mapping

from footnote.ask.question.handoff import read_stored
from footnote.errors import UnavailableError
from footnote.model import Entries, Notes, Whole
from footnote.ports import BlobStore
from footnote.store.keys import batch_key, notes_key


def store_batches(artifacts: BlobStore, question_id: str, batches: Mapping[str, Entries]) -> None:
    """Stores the names of the documents of each batch. The first ones under a key stay.

    So the batches of two runs at once are the same, and what one has read serves both.
    """
    for batch, entries in batches.items():
        artifacts.put_once(batch_key(question_id, batch), entries.model_dump_json().encode())


def load_entries(artifacts: BlobStore, question_id: str, batch: str) -> Entries:
    """Returns the documents of a batch."""
    return Entries.model_validate_json(artifacts.get(batch_key(question_id, batch)))


def load_notes(artifacts: BlobStore, question_id: str, whole: Whole | None) -> list[Notes]:
    """Returns the notes on all batches that were read; none where the scope was searched.

    Raises UnavailableError where none was: nothing is known of the documents then.
    """
    if whole is None:
        return []
    keys = (notes_key(question_id, batch) for batch in whole.batches)
    notes = [one for key in keys if (one := read_stored(artifacts, key, Notes))]
    if not notes:
        raise UnavailableError(
            "none of the documents in scope could be read",
            action="Try again in a moment.",
        )
    return notes
