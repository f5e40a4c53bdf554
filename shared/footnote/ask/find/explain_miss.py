"""Follows a document, or one page of it, through a search, and says where it was lost.

It may be lost at the documents table, the index, the scope, the legs' candidates, or the ranks.
Each look is at one of these. The first that does not hold is the answer.
"""

from dataclasses import dataclass
from functools import cached_property

from footnote.ask.find.hits import find_hits
from footnote.ask.find.ports import Ports
from footnote.ask.find.rank import CHUNK_LEGS
from footnote.ask.find.search import legs_query, rank_visible, visible_legs
from footnote.ask.find.signals import DEEPEST, SIGNALS, SearchRequest
from footnote.ask.query.reading import read_query
from footnote.ask.question.bounds import check_k
from footnote.model import (
    Explanation,
    Followed,
    Hit,
    Legs,
    Look,
    Record,
    Scope,
    SearchQuery,
)


def explain_miss(query: SearchQuery, record: Record, page: int | None, ports: Ports) -> Followed:
    """Returns what became of a document's passages in a search, look by look.

    `page` limits that to the passages on one page. The caller has checked that the record may be
    read. Raises BadRequestError as a search does.
    """
    return _Looks(query, record, page, ports).follow()


@dataclass
class _Looks:
    """The looks at one document, with what several of them need."""

    query: SearchQuery
    record: Record
    page: int | None
    ports: Ports
    _ids: frozenset[str] = frozenset()
    """The ids of its passages that are in the scope."""

    def follow(self) -> Followed:
        check_k(self.query.k)
        looks: list[Look] = []
        for look in (self._live, self._indexed, self._in_scope, self._candidates, self._shown):
            looks.append(look())
            if not looks[-1].holds:
                break
        return Followed(
            document=self.record.revision.path,
            document_id=self.record.document_id,
            page=self.page,
            lost_at="" if looks[-1].holds else looks[-1].at,
            looks=tuple(looks),
        )

    # -- looks -----------------------------------------------------------------------------------

    def _live(self) -> Look:
        record = self.record
        if record.live_version:
            return Look(at="live", holds=True, told=f"version {record.live_version} is live")
        error = f": {record.error.message}" if record.error else ""
        told = f"no version is live; the document is {record.status}{error}"
        return Look(at="live", holds=False, told=told)

    def _indexed(self) -> Look:
        """Looks for its passages under no condition but the document and the page."""
        wanted = {"page": self.page} if self.page is not None else {}
        whole = Scope(
            tenant=self.query.scope.tenant,
            groups=self.query.scope.groups,
            document_ids={self.record.document_id: self.record.revision.path},
            filters=wanted,
        )
        found = self._own_legs(whole)
        counted = ", ".join(f"{leg}: {len(ids)}" for leg, ids in found.items())
        told = f"passages of it that a leg finds when it is asked of nothing else: {counted}"
        return Look(at="index", holds=any(found.values()), told=told)

    def _in_scope(self) -> Look:
        scope = self.query.scope
        named = {"document_ids": {self.record.document_id: self.record.revision.path}}
        page = {"page": self.page} if self.page is not None else {}
        inside = scope.model_copy(
            update={**named, "documents": (), "filters": {**scope.filters, **page}}
        )
        of_others = scope.names and self.record.revision.path not in scope.names
        self._ids = frozenset().union(*self._own_legs(inside).values())
        holds = bool(self._ids) and not of_others
        told = "inside the documents, the collection and the filters that are asked for"
        return Look(at="scope", holds=holds, told=told if holds else f"not {told}")

    def _candidates(self) -> Look:
        """Looks for the place of its best passage in each leg that finds chunks.

        A passage that only the second request finds, which is sent for many hits, is lost among
        few.
        """
        ranks = []
        size = self._request.recipe.candidates
        for leg in self._request.legs.legs:
            if leg not in CHUNK_LEGS:
                continue
            place = self._place(self._first, leg)
            if place is None:
                deep = self._place(self._deepest, leg)
                where = f"at {deep}" if deep else f"not among {DEEPEST}"
                ranks.append(f"{leg}: {where}, of {size} candidates")
            else:
                ranks.append(f"{leg}: at {place}")
        is_first = any(self._place(self._first, leg) for leg in self._first if leg in CHUNK_LEGS)
        holds = is_first or any(map(self._is_wanted, self._search(self.query.k)))
        return Look(at="candidates", holds=holds, told="; ".join(ranks))

    def _shown(self) -> Look:
        shown = next((hit for hit in self._search(DEEPEST) if self._is_wanted(hit)), None)
        if shown is None:
            order = [one.chunk_id for one in rank_visible(self._first, self._request)]
            best = next(n for n, name in enumerate(order, 1) if name in self._ids)
            told = f"at {best} by its score, and left out: a better hit says the same"
            return Look(at="copies", holds=False, told=told)
        why = shown.explanation or Explanation(legs=())
        given = ", ".join(
            [f"{one.leg} {one.weight:g} x {one.scaled:.3f}" for one in why.legs]
            + [f"{SIGNALS[one.signal].says} +{one.added:.3f}" for one in why.signals]
        )
        holds = shown.rank <= self.query.k
        told = f"hit {shown.rank} with score {shown.score:.3f} ({given})"
        return Look(
            at="rank", holds=holds, told=told if holds else f"{told}; {self.query.k} are shown"
        )

    # -- what they look at -----------------------------------------------------------------------

    @cached_property
    def _request(self) -> SearchRequest:
        query = read_query(self.query)
        return SearchRequest(query, legs_query(query, self.ports), self.ports)

    @cached_property
    def _first(self) -> Legs:
        return self._visible(self._request.recipe.candidates)

    @cached_property
    def _deepest(self) -> Legs:
        return self._visible(DEEPEST)

    def _visible(self, size: int) -> Legs:
        found = self.ports.index.search(self._request.legs.model_copy(update={"size": size}))
        return visible_legs(found, self.ports.catalog, self.query.scope.groups)

    def _own_legs(self, scope: Scope) -> dict[str, frozenset[str]]:
        """Returns the ids of the passages that each leg finds in a scope."""
        legs = tuple(leg for leg in self._request.legs.legs if leg in CHUNK_LEGS)
        asked = self._request.legs.model_copy(
            update={"scope": scope, "legs": legs, "size": DEEPEST}
        )
        return {
            leg: frozenset(one.chunk_id for one in found if one.version == self.record.live_version)
            for leg, found in self.ports.index.search(asked).items()
        }

    def _place(self, legs: Legs, leg: str) -> int | None:
        names = next(([one.chunk_id for one in found] for at, found in legs.items() if at == leg))
        return next((n for n, name in enumerate(names, 1) if name in self._ids), None)

    def _search(self, k: int) -> list[Hit]:
        asked = self.query.model_copy(update={"k": k, "vector": self._request.legs.vector})
        return find_hits(asked, self.ports).hits

    def _is_wanted(self, hit: Hit) -> bool:
        return hit.chunk.id in self._ids
