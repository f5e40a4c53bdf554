"""Merges the notes of all batches: chooses the items, removes repeats, counts by code."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.ask.quote.listing import LIKE_BEST, SEVERAL, frame_of, weighed_shares
from footnote.ask.whole.listed import Meant, meant_by
from footnote.ask.whole.topic import read_topic
from footnote.model import Coverage, Ledger, Note, Notes, Passage, Stopped, Whole

LEAST = 2 / 3  # of the topic's words that the best sentence must have to be an item
MOST_CITED = 3  # places of one item
MOST_NEAREST = 4
_OF_ITS_DOCUMENT = frozenset({"below", "said", "key", "lacks", "row", "in_row"})


class Item(NamedTuple):
    """An item: the passages that have it, the first of which is shown."""

    passages: tuple[Passage, ...]


class Merged(NamedTuple):
    """What was found in all that was read, in the order of documents, and how far it was read."""

    items: tuple[Item, ...]
    coverage: Coverage
    degraded: tuple[str, ...] = ()
    are_sentences: bool = False  # that have the words of the topic, where nothing lists its items
    by_model: bool = False  # whether a model has chosen the lines, at least of some documents
    nearest: tuple[Item, ...] = ()  # lines with the most words of the topic, where there is no item
    meant: Meant | None = None  # of a noun: documents or rows

    @property
    def documents(self) -> int:
        """The number of documents that have an item."""
        return len({one.document_id for item in self.items for one in item.passages})


def merge(whole: Whole, batches: Sequence[Notes]) -> Merged:
    """Merges what was read. A batch that could not be read is missing among them."""
    notes = [note for batch in batches for note in batch.notes]
    degraded = tuple(dict.fromkeys(note for batch in batches for note in batch.degraded))
    if whole.noun and (whole.or_rows or whole.lacks):
        return _merge_noun(whole, notes, batches)._replace(degraded=degraded)
    if whole.noun:  # of the documents that are counted, one line each
        notes = list({note.passage.document_id: note for note in reversed(notes)}.values())
    by_model = [note for note in notes if note.why == "chosen"]
    of_rules = [note for note in notes if note.why != "chosen"]
    certain = [note for note in of_rules if note.why not in {"below", "said"}]
    sentences = _sentences(whole.topic, of_rules)
    is_sure = bool(certain) or (sentences.of_a_kind if whole.kind == "count" else sentences.sure)
    chosen = [*by_model, *((certain or sentences.notes) if is_sure else ())]
    nearest = sorted(notes, key=lambda one: -one.share)[:MOST_NEAREST] if not chosen else []
    return Merged(
        tuple(_without_repeats(sorted(chosen, key=_place))),
        _coverage(whole, batches),
        degraded,
        are_sentences=not (by_model or certain),
        by_model=any(batch.by_model for batch in batches),
        nearest=tuple(_without_repeats(nearest)),
    )


def _merge_noun(whole: Whole, notes: Sequence[Note], batches: Sequence[Notes]) -> Merged:
    """Merges what rules have read of documents that are called so, or of rows that list them."""
    coverage = _coverage(whole, batches)
    meant = meant_by(whole, notes, coverage.documents)
    items = tuple(_without_repeats(sorted(meant.notes, key=_place)))
    return Merged(items, coverage, meant=meant)


def cost_of(batches: Sequence[Notes]) -> Ledger:
    """Returns the tokens and dollars that reading has cost."""
    return Ledger(
        tokens=sum(batch.tokens for batch in batches),
        usd=round(sum(batch.usd for batch in batches), 6),
        priced=all(batch.priced for batch in batches),
    )


def _place(note: Note) -> tuple[str, int]:
    return note.passage.document, note.passage.start


def _coverage(whole: Whole, batches: Sequence[Notes]) -> Coverage:
    shares = {one for batch in batches for one in batch.read}  # two runs may read the same
    found = Counter((one.document_id, one.version, one.of) for one in shares)
    read = sum(number == of for (_, _, of), number in found.items())
    ruled = {(one.document_id, one.version) for one in shares if one.by_rule}
    of = whole.of - sum(batch.gone for batch in batches)
    reasons: list[Stopped] = [whole.stopped, *(batch.stopped for batch in batches)]
    why = next(filter(None, reasons), "failed")
    return Coverage(documents=read, of=of, by_rule=len(ruled), stopped=why if read < of else "")


class _Sentences(NamedTuple):
    """Sentences that may be items: `of_a_kind` if there are several that differ only in names.

    They are `sure` if they are so, or have all words of the topic, or stand below its heading.
    """

    notes: Sequence[Note]
    sure: bool = False
    of_a_kind: bool = False


def _sentences(topic: str, notes: Sequence[Note]) -> _Sentences:
    """Returns the paragraphs below headings about the topic, and the sentences that say it."""
    below = [note for note in notes if note.why == "below"]
    places = {note.passage.key for note in below}
    said = _said(topic, [note for note in notes if note.why == "said"])
    others = [note for note in said.notes if note.passage.key not in places]
    return said._replace(notes=[*below, *others], sure=bool(below) or said.sure)


def _said(topic: str, notes: Sequence[Note]) -> _Sentences:
    """Returns the sentences of the kind that says most of the topic, usually one a document.

    Sentences are of one kind if they differ only in names and figures. Where no kind has several,
    they are those with as many of the topic's words as the best one.
    """
    words = read_topic(topic).words
    if not notes or max(note.share for note in notes) < LEAST:
        return _Sentences(())
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
    chosen = [
        note
        for n, note in enumerate(notes)
        if (n in kinds[frame] and shares[n] >= LIKE_BEST * best)
        or (not is_several and shares[n] >= best)
    ]
    sure = is_several or all(note.share == 1.0 for note in chosen)
    return _Sentences(chosen, sure, is_several)


def _without_repeats(notes: Sequence[Note]) -> Iterator[Item]:
    """Yields each item once.

    A row or an item of a list is the same wherever it stands in the same words. A sentence is so
    only in its own document: elsewhere it says the same of something else. Lines that a model calls
    by one name are one item, unless it calls two lines of a document so: then it names what they
    are about.
    """
    named = Counter((note.passage.document_id, note.name) for note in notes)
    shared = {name for (_, name), times in named.items() if times > 1}
    items: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        name = note.name if note.name not in shared else ""
        text = " ".join((name or note.passage.text).casefold().split()).strip("\u2022-* .")
        own = note.passage.document_id if note.why in _OF_ITS_DOCUMENT else ""
        items.setdefault((text, own), []).append(note)
    for same in items.values():
        yield Item(tuple(note.passage for note in same))
