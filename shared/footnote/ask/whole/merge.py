"""Merges the notes of all batches: chooses the items, removes repeats, counts by code."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from footnote.ask.quote.listing import LIKE_BEST, SEVERAL, frame_of, weighed_shares
from footnote.ask.whole.topic import read_topic
from footnote.model import Coverage, Note, Notes, Passage, Stopped, Whole

LEAST = 2 / 3  # of the topic's words that the best sentence must have to be an item
MOST_CITED = 3  # places of one item
MOST_NEAREST = 4


class Item(NamedTuple):
    """An item: the passages that have it in the same words, and its name, if a model gave one."""

    passages: tuple[Passage, ...]
    name: str = ""


class Merged(NamedTuple):
    """What was found in all that was read, in the order of documents, and how far it was read."""

    items: tuple[Item, ...]
    coverage: Coverage
    degraded: tuple[str, ...] = ()
    are_sentences: bool = False  # that have the words of the topic, where nothing lists its items
    nearest: tuple[Item, ...] = ()  # lines with the most words of the topic, where there is no item

    @property
    def documents(self) -> int:
        """The number of documents that have an item."""
        return len({one.document_id for item in self.items for one in item.passages})


def merge(whole: Whole, batches: Sequence[Notes]) -> Merged:
    """Merges what was read. A batch that could not be read is missing among them."""
    notes = [note for batch in batches for note in batch.notes]
    degraded = tuple(dict.fromkeys(note for batch in batches for note in batch.degraded))
    certain = [note for note in notes if note.why not in {"below", "said"}]
    chosen = certain or _sentences(whole.topic, notes)
    nearest = sorted(notes, key=lambda one: -one.share)[:MOST_NEAREST] if not chosen else []
    return Merged(
        tuple(_without_repeats(sorted(chosen, key=_place))),
        _coverage(whole, batches),
        degraded,
        are_sentences=not certain,
        nearest=tuple(_without_repeats(nearest)),
    )


def _place(note: Note) -> tuple[str, int]:
    return note.passage.document, note.passage.start


def _coverage(whole: Whole, batches: Sequence[Notes]) -> Coverage:
    read = sum(batch.documents for batch in batches)
    of = whole.of - sum(batch.gone for batch in batches)
    reasons: list[Stopped] = [whole.stopped, *(batch.stopped for batch in batches)]
    why = next(filter(None, reasons), "failed")
    return Coverage(documents=read, of=of, stopped=why if read < of else "")


def _sentences(topic: str, notes: Sequence[Note]) -> list[Note]:
    """Returns the paragraphs below headings about the topic, and the sentences that say it."""
    below = [note for note in notes if note.why == "below"]
    places = {note.passage.key for note in below}
    said = _said(topic, [note for note in notes if note.why == "said"])
    return [*below, *(note for note in said if note.passage.key not in places)]


def _said(topic: str, notes: Sequence[Note]) -> list[Note]:
    """Returns the sentences of the kind that says most of the topic, usually one a document.

    Sentences are of one kind if they differ only in names and figures. Where no kind has several,
    they are those with as many of the topic's words as the best one.
    """
    words = read_topic(topic).words
    if not notes or max(note.share for note in notes) < LEAST:
        return []
    shares = weighed_shares(words, [note.passage.text for note in notes])
    kinds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for n, note in enumerate(notes):
        kinds[frame_of(note.passage.text)].append(n)
    least = SEVERAL * max(shares)

    def worth(frame: tuple[str, ...]) -> float:
        share = max(shares[n] for n in kinds[frame])
        return share + (len(kinds[frame]) > 1 and share >= least)

    frame = max(kinds, key=worth)
    best = max(shares[n] for n in kinds[frame])
    is_several = len(kinds[frame]) > 1
    return [
        note
        for n, note in enumerate(notes)
        if (n in kinds[frame] and shares[n] >= LIKE_BEST * best)
        or (not is_several and shares[n] >= best)
    ]


def _without_repeats(notes: Iterable[Note]) -> Iterator[Item]:
    """Yields each item once.

    A row or an item of a list is the same wherever it stands in the same words. A sentence is so
    only in its own document: elsewhere it says the same of something else.
    """
    items: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        text = " ".join((note.name or note.passage.text).casefold().split()).strip("\u2022-* .")
        own = note.passage.document_id if note.why in {"below", "said", "key"} else ""
        items.setdefault((text, own), []).append(note)
    for same in items.values():
        yield Item(tuple(note.passage for note in same), same[0].name)
