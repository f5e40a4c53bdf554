"""Stores the batches of a reading and loads the notes on them: both lie in the artifacts bucket."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from footnote.ask.question.handoff import read_stored
from footnote.ask.whole.batches import Decided, Recall, share_of_entry
from footnote.ask.whole.key_sentences import key_sentences_of
from footnote.errors import NotFoundError, UnavailableError
from footnote.model import Entries, Notes, Readings, ReadShare, Whole
from footnote.ports import BlobStore
from footnote.store.keys import batch_key, notes_key, readings_key

EARLIER = "earlier"  # the name under which lie the documents that were read before
READERS = 8  # notes that are read at the same time


def store_batches(artifacts: BlobStore, question_id: str, decided: Decided) -> None:
    """Stores the names of the documents of each batch. The first ones under a key stay.

    So the batches of two runs at once are the same, and what one has read serves both.
    """
    batches = {**decided.batches}
    if decided.earlier:
        batches[EARLIER] = Entries(entries=decided.earlier)
    for batch, entries in batches.items():
        artifacts.put_once(batch_key(question_id, batch), entries.model_dump_json().encode())


def load_entries(artifacts: BlobStore, question_id: str, batch: str) -> Entries:
    """Returns the documents of a batch."""
    return Entries.model_validate_json(artifacts.get(batch_key(question_id, batch)))


def load_notes(artifacts: BlobStore, question_id: str, whole: Whole | None) -> list[Notes]:
    """Returns the notes on all that was read; none where the scope was searched.

    Of the notes of earlier questions those count whose documents are in scope now. They are paid.
    Raises UnavailableError where nothing was read: nothing is known of the documents then.
    """
    if whole is None:
        return []
    own = _read_all(artifacts, [notes_key(question_id, batch) for batch in whole.batches])
    notes = list(own.values())
    if whole.earlier:
        entries = load_entries(artifacts, question_id, EARLIER).entries
        wanted = frozenset(map(share_of_entry, entries))
        notes += [only(wanted, one) for one in _read_all(artifacts, whole.earlier).values()]
    if not notes:
        raise UnavailableError(
            "none of the documents in scope could be read",
            action="Try again in a moment.",
        )
    return notes


def only(wanted: Collection[ReadShare], notes: Notes) -> Notes:
    """Returns the notes on what is wanted of them, as paid."""
    read = tuple(one for one in notes.read if one in wanted)
    versions = {(one.document_id, one.version) for one in read}
    return Notes(
        notes=tuple(
            note
            for note in notes.notes
            if (note.passage.document_id, note.passage.version) in versions
        ),
        read=read,
        by_model=notes.by_model,
    )


def recall(artifacts: BlobStore, tenant: str, reader: str) -> Recall:
    """Returns a function that tells what was read for the same question by the same reader."""

    def known(whole: Whole) -> Mapping[ReadShare, str]:
        stored = read_stored(artifacts, _key(tenant, whole, reader), Readings)
        found = dict(stored.keys) if stored else {}
        there = _still_there(artifacts, tuple(dict.fromkeys(found.values())))
        return {share: key for share, key in found.items() if key in there}

    return known


def remember(
    artifacts: BlobStore, tenant: str, reader: str, question_id: str, whole: Whole
) -> None:
    """Notes where the notes of this question lie, so that the next one need not read again.

    What a stand-in has read for a model is read again, and so is what is gone by now.
    """
    own = _read_all(artifacts, [notes_key(question_id, batch) for batch in whole.batches])
    earlier = _read_all(artifacts, whole.earlier)
    found = {key: notes for key, notes in {**earlier, **own}.items() if not notes.degraded}
    keys = tuple((share, key) for key, notes in found.items() for share in notes.read)
    if own and keys:
        body = Readings(keys=tuple(dict(keys).items())).model_dump_json()
        artifacts.put(_key(tenant, whole, reader), body.encode())


def _key(tenant: str, whole: Whole, reader: str) -> str:
    asked = whole.model_dump_json(include={"kind", "question", "topic", "noun"})
    most = key_sentences_of(whole.of) if whole.kind == "document" else 0
    return readings_key(tenant, hashlib.sha256(f"{reader}\n{asked}\n{most}".encode()).hexdigest())


def _still_there(artifacts: BlobStore, keys: Sequence[str]) -> frozenset[str]:
    """Returns the keys of notes that are there: their questions may have been deleted."""

    def is_there(key: str) -> bool:
        try:
            return bool(artifacts.get(key, (0, 1)))
        except NotFoundError:
            return False

    return frozenset(key for key, there in zip(keys, _each(is_there, keys), strict=True) if there)


def _read_all(artifacts: BlobStore, keys: Sequence[str]) -> dict[str, Notes]:
    """Reads notes by key, several at a time; those that are there."""
    read = _each(lambda key: read_stored(artifacts, key, Notes), keys)
    return {key: one for key, one in zip(keys, read, strict=True) if one}


def _each[T](do: Callable[[str], T], keys: Sequence[str]) -> list[T]:
    if not keys:
        return []
    with ThreadPoolExecutor(max_workers=min(len(keys), READERS)) as pool:
        return list(pool.map(do, keys))
