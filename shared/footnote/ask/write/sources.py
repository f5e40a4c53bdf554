"""The passages of an answer, read for the check: their sentences and rows, and the nearest ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from footnote.ask.check import Source, Verdict
from footnote.ask.check.segments import Unit
from footnote.ask.check.table_labels import tables_in
from footnote.ask.evidence.pieces import places_of
from footnote.ask.write.citations import Documents, Place
from footnote.ask.write.claims import BULLET, Claim, is_sentence
from footnote.ask.write.quoted_places import passage_at
from footnote.ask.write.standing import LEAST, LEAST_LIKE, Claimed
from footnote.errors import NotFoundError
from footnote.model import Document, Passage
from footnote.text.quotes import locate, unmark

NEW_NEAR, NEW_FAR = 2, 3  # words of a claim that a further sentence adds: beside others, or not
NEAR = 3  # characters between two sentences of which one follows the other
MOST_TOLD = 3  # sentences of a passage that take a claim's place
MOST_NAMED = 5  # sentences of a passage that a claim names; with more it means the passage

type Named = Mapping[int, Sequence[Place]]
"""The sentences and rows that a claim names, by passage. See `places_of`."""


class Sources:
    """The passages by number. Each is read once, when it is first cited."""

    def __init__(self, passages: Mapping[int, Passage], documents: Documents) -> None:
        self.passages = dict(passages)
        self._documents = documents
        self._read: dict[int, Source] = {}

    def get(self, n: int) -> Source | None:
        """Returns a passage as it is read; None if its document is gone or closed by now."""
        if n not in self._read:
            passage = self.passages[n]
            try:
                document = self.document_of(passage)
            except NotFoundError:
                return None
            tables = tables_in(document, passage.start, passage.end)
            self._read[n] = Source(passage, tables, document.language)
        return self._read[n]

    def read(self) -> Sequence[Source]:
        """Returns the passages that have been read so far."""
        return list(self._read.values())

    @property
    def text(self) -> str:
        """All words of the passages and of what stands around them, in lower case."""
        return "\n".join(
            " ".join((one.document, one.title, *one.section, *(text for _, text in one.parts())))
            for one in self.passages.values()
        ).casefold()

    def texts(self, numbers: Iterable[int]) -> Iterator[str]:
        """Yields the citable texts of passages."""
        for n in numbers:
            if n in self.passages:
                yield from (text for _, text in self.passages[n].parts())

    def document_of(self, passage: Passage) -> Document:
        """Returns the stored document of a passage. Raises NotFoundError if it is gone by now."""
        return self._documents(passage.document_id, passage.version)

    def open_place(self, like: Passage, start: int, end: int) -> int:
        """Makes a passage of another place of a passage's document; returns its number.

        Raises NotFoundError if the document is gone or closed by now.
        """
        number = max(self.passages, default=0) + 1
        self.passages[number] = passage_at(like, self.document_of(like), start, end)
        return number

    def units_at(self, n: int, place: Place) -> list[Unit]:
        """Returns the sentences and rows of passage `n` that overlap a place in its document."""
        source = self.get(n)
        return source.units_at(*place) if source else []

    def units_of(self, n: int) -> list[Unit]:
        """Returns all sentences and rows of passage `n`."""
        return self.units_at(n, (self.passages[n].start, self.passages[n].end))

    def named(self, claim: Claim) -> Named:
        """Returns the sentences and rows that a claim names and that there are, by passage."""
        numbers: dict[int, list[int]] = {}
        for pointer in claim.named:
            numbers.setdefault(pointer.passage, []).append(pointer.piece)
        return {
            n: places
            for n, pieces in numbers.items()
            if n in self.passages and len(pieces) <= MOST_NAMED
            if (places := places_of(self.passages[n], pieces))
        }

    def check(self, n: int, claim: Claim, named: Named) -> Verdict:
        """Returns the verdict on a claim by what it names of passage `n`, else by all of it."""
        source = self._read[n]
        if n in named and (verdict := source.only(named[n]).check(claim.text)).holds:
            return verdict
        return source.check(claim.text)

    def nearest(self, passages: Iterable[int], claimed: Claimed, named: Named) -> Named:
        """Returns the sentences nearest to a claim, by passage: those that it names, if they fit.

        The map is empty where all of them together have too small a share of it.
        """
        near = {n: there for n in passages if (there := self._nearest(n, claimed, named))}
        units = [unit for n, places in near.items() for unit in self._units_in(n, places)]
        return near if claimed.is_told_by(units) else {}

    def _nearest(self, n: int, claimed: Claimed, named: Named) -> Sequence[Place]:
        source = self.get(n)
        if source is None:
            return ()
        place = source.nearest(claimed.text)
        nearest, told = source.units_at(*place), self._units_in(n, named.get(n, ()))
        share, share_told = claimed.share_in(nearest), claimed.share_in(told)
        lacks_more = len(claimed.lacking(told)) > len(claimed.lacking(nearest))
        is_of_nearest = share_told >= LEAST and any(unit in nearest for unit in told)
        if told and not lacks_more and (is_of_nearest or share_told >= share >= LEAST_LIKE):
            return named[n]
        return (place,) if share >= LEAST_LIKE else ()

    def _units_in(self, n: int, places: Iterable[Place]) -> list[Unit]:
        return [unit for place in places for unit in self.units_at(n, place)]

    def around(self, n: int, place: Place, claimed: Claimed) -> Place:
        """Widens a place of a passage to the sentences with figures and names that it lacks."""
        units = self.units_at(n, place)
        for unit in self.units_of(n):
            if claimed.adds(unit, units):
                units.append(unit)
        return min(unit.start for unit in units), max(unit.end for unit in units)

    def nearest_sentences(self, claim: Claim) -> list[Claim]:
        """Returns the cited passages' own sentences and rows that are nearest to a claim.

        Those that it names come first. Each says something of the claim that others leave out.
        """
        nearest: list[Claim] = []
        named = self.named(claim)
        kept: list[Unit] = []
        for n in (n for n in claim.markers if n in self.passages):
            claimed = Claimed.of(claim.text, self.passages[n])
            chosen: list[Unit] = []
            first = self._units_in(n, named.get(n, ()))
            by_share = sorted(self.units_of(n), key=lambda unit: -claimed.share_in([unit]))
            for unit in sorted(by_share, key=lambda unit: unit not in first):
                others = [*kept, *chosen]
                words = NEW_NEAR if any(_are_near(unit, other) for other in chosen) else NEW_FAR
                fits = claimed.adds(unit, others, words) if others else claimed.is_like(unit)
                if fits and is_sentence(unit.text) and len(chosen) < MOST_TOLD:
                    chosen.append(unit)
            kept += chosen
            nearest += [_claim_of(unit, n) for unit in sorted(chosen, key=lambda unit: unit.start)]
        return [one._replace(new_line=claim.new_line and not i) for i, one in enumerate(nearest)]

    def find_verbatim(self, text: str) -> tuple[int, ...]:
        """Returns the number of the first passage in which a whole sentence stands, or ()."""
        for n, passage in self.passages.items():
            if any(locate(text, said) for _, said in passage.parts()):
                source = self.get(n)
                if source and source.check(text).outcome == "exact":
                    return (n,)
        return ()


def _are_near(one: Unit, other: Unit) -> bool:
    return max(one.start, other.start) - min(one.end, other.end) <= NEAR


def _claim_of(unit: Unit, n: int) -> Claim:
    return Claim(BULLET.sub("", " ".join(unmark(unit.text).split())), (n,))
