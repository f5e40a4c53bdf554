"""The suite of the strategies: it runs each entry of STRATEGIES on the memory index and OpenSearch.

What is searched is real, from the index to the ranks. Only the documents table is in memory.
"""

import random
from collections.abc import Sequence

import pytest

from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.ask.find.ports import Ports
from footnote.ask.find.search import search
from footnote.ask.query.reading import read_query
from footnote.errors import BadRequestError, ForbiddenError
from footnote.model import (
    STRATEGIES,
    Acl,
    Facts,
    Hit,
    IndexedChunk,
    Revision,
    SearchQuery,
    Sidecar,
    Strategy,
    Vector,
)
from footnote.ports import SearchIndex
from tests.contract.search_suite import (
    DIMENSIONS,
    EAST,
    NORTH,
    NORTH_EAST,
    indexed_chunk,
    inside,
    texts,
)

MANY = 600  # chunks, more than one request of any strategy brings


class NoEmbedder:
    """Implements Embedder for queries that bring their vector."""

    model, dimensions = "none", DIMENSIONS

    def embed(self, texts: Sequence[str], _kind: str) -> list[Vector]:
        raise AssertionError(f"nothing was to be embedded, but {texts} is")


class World:
    """An index, and a documents table that says what of it is live."""

    def __init__(self, index: SearchIndex) -> None:
        self.index, self.catalog = index, MemoryCatalog()

    def publish(self, chunks: Sequence[IndexedChunk], acl: Acl = None, pages: int = 0) -> None:
        """Writes chunks and makes their versions, of so many pages, live for `acl` to read."""
        self.index.write(chunks)
        for revision in {one.revision.key: one.revision for one in chunks}.values():
            self.catalog.receive(revision, 1, Sidecar(acl=acl))
            self.catalog.advance(revision, "INDEXING", Facts(pages=pages))
            self.catalog.publish(revision)

    @property
    def ports(self) -> Ports:
        return Ports(self.index, NoEmbedder(), self.catalog)

    def find(
        self,
        text: str,
        strategy: Strategy,
        k: int = 10,
        vector: Vector = EAST,
        **scope: object,
    ) -> list[Hit]:
        query = SearchQuery(text=text, scope=inside(**scope), strategy=strategy, k=k, vector=vector)
        return search(read_query(query), self.ports)


def some_chunks(count: int, version: str, seed: int) -> list[IndexedChunk]:
    """Makes chunks of ten to a document, of random words in random directions."""
    rng = random.Random(seed)
    return [
        indexed_chunk(
            " ".join(["lease", *rng.choices([f"w{n}" for n in range(60)], k=rng.randint(3, 20))]),
            key=f"acme/x/{n // 10}.txt",
            version=version,
            sequencer=version,
            ordinal=n % 10,
            vector=[rng.gauss(0, 1) for _ in range(DIMENSIONS)],
            pages=(n % 10 // 3 + 1,) if n % 20 < 10 else (),
        )
        for n in range(count)
    ]


def near_chunks(count: int, version: str) -> list[IndexedChunk]:
    """Makes chunks that every leg finds before all others."""
    return [
        indexed_chunk(
            f"lease w1 w2 {n}",
            key=f"acme/x/{n // 10}.txt",
            version=version,
            sequencer=version,
            ordinal=n % 10,
            vector=EAST,
        )
        for n in range(count)
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
class StrategySuite:
    """Needs a subclass with a fixture `index`: an empty index of the search suite."""

    @pytest.fixture
    def world(self, index: SearchIndex) -> World:
        return World(index)

    # -- order -----------------------------------------------------------------------------------

    def test_what_every_leg_finds_first_is_first(self, world: World, strategy: Strategy) -> None:
        world.publish(
            [
                indexed_chunk("the weather is a matter of luck", ordinal=0, vector=NORTH),
                indexed_chunk("lease", ordinal=1, vector=EAST),
                indexed_chunk("a lease among other things", ordinal=2, vector=NORTH_EAST),
            ]
        )
        found = texts(world.find("lease", strategy))
        assert found[:2] == ["lease", "a lease among other things"]

    def test_hits_come_in_order_each_once_and_explained(
        self, world: World, strategy: Strategy
    ) -> None:
        world.publish(some_chunks(60, "1", seed=1))
        recipe = STRATEGIES[strategy]
        found = world.find("lease w1 w2 w3", strategy, k=40)
        assert [hit.rank for hit in found] == list(range(1, 41))
        assert len({hit.chunk.id for hit in found}) == 40
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True)
        for hit in found:
            assert hit.explanation
            legs = hit.explanation.legs
            assert {one.leg: one.weight for one in legs}.items() <= recipe.legs.items()
            signals = hit.explanation.signals
            assert {one.signal for one in signals} <= ({"alike"} if recipe.alike else set())
            made = sum(one.weight * one.scaled for one in legs) / sum(recipe.legs.values())
            assert hit.score == pytest.approx(made + sum(one.added for one in signals))

    def test_of_equal_scores_the_first_of_the_document_comes_first(
        self, world: World, strategy: Strategy
    ) -> None:
        world.publish([indexed_chunk(f"lease {n}", ordinal=n) for n in range(20)])
        starts = [hit.chunk.start for hit in world.find("lease", strategy, k=20)]
        assert len(starts) == 20
        assert starts == sorted(starts)

    @pytest.mark.parametrize(
        ("question", "ordinal"),
        [
            ("lease on page 7", 6),
            ("lease on page vii", 11),  # what is printed on page 12
            ("lease on the last page", 19),
            ("lease on the second last page", 18),
            ("lease on the first page", 0),
        ],
    )
    def test_a_page_that_the_question_names_comes_first_and_says_so(
        self, world: World, strategy: Strategy, question: str, ordinal: int
    ) -> None:
        chunks = [
            indexed_chunk(
                f"lease {chr(ord('a') + n) * 4}",  # of one length, and no frequent word
                title="Lease",
                ordinal=n,
                pages=(n + 1,),
                labels=("VII",) if n == 11 else (),
            )
            for n in range(20)
        ]
        world.publish(chunks, pages=20)
        plain = {hit.chunk.id: hit for hit in world.find("lease on the", strategy, k=20)}
        assert not any(hit.explanation.signals for hit in plain.values() if hit.explanation)
        found = world.find(question, strategy, k=20)
        assert len(found) == 20  # none is hidden
        assert found[0].chunk.ordinal == ordinal
        told = {
            hit.chunk.ordinal: [one.signal for one in hit.explanation.signals]
            for hit in found
            if hit.explanation and hit.explanation.signals
        }
        assert told == {ordinal: ["page"]}

    def test_of_passages_equally_near_the_one_like_the_first_hits_is_preferred(
        self, world: World, strategy: Strategy
    ) -> None:
        first = [
            indexed_chunk(f"lease {n}", ordinal=n, vector=[1.0, 0.4, 0.0, 0.0]) for n in range(3)
        ]
        sides = [
            indexed_chunk(f"clause {side}", ordinal=n, vector=[1.0, side, 0.0, 0.0])
            for n, side in ((3, -1.0), (4, 1.0))
        ]
        far = indexed_chunk("annex", ordinal=5, vector=[0.1, 0.0, 1.0, 0.0])
        world.publish([*first, *sides, far])
        found = {hit.chunk.ordinal: hit for hit in world.find("lease", strategy)}
        if 3 in found:  # found by meaning alone
            assert (found[4].rank < found[3].rank) == bool(STRATEGIES[strategy].alike)
        told = [
            one.signal
            for hit in found.values()
            if hit.explanation
            for one in hit.explanation.signals
        ]
        assert bool(told) == bool(STRATEGIES[strategy].alike)

    def test_a_text_that_a_document_repeats_is_found_once(
        self, world: World, strategy: Strategy
    ) -> None:
        same = [indexed_chunk("lease", ordinal=n, title="A lease") for n in range(3)]
        world.publish([*same, indexed_chunk("lease", key="acme/x/b.pdf", title="Another lease")])
        found = world.find("lease", strategy)
        assert sorted(hit.document for hit in found) == ["a.pdf", "b.pdf"]

    # -- who sees what ---------------------------------------------------------------------------

    def test_no_tenant_no_result(self, world: World, strategy: Strategy) -> None:
        world.publish([indexed_chunk("lease")])
        with pytest.raises(ForbiddenError):
            world.find("lease", strategy, tenant="")

    def test_a_search_keeps_to_its_scope(self, world: World, strategy: Strategy) -> None:
        keys = ("acme/x/one.pdf", "acme/y/one.pdf", "acme/x/two.pdf", "rival/x/one.pdf")
        world.publish([indexed_chunk(f"lease of {key}", key=key) for key in keys])
        assert [
            sorted(texts(world.find("lease", strategy, **scope)))
            for scope in ({}, {"collection": "x"}, {"documents": ("one.pdf",)}, {"tenant": "none"})
        ] == [
            sorted(f"lease of {key}" for key in keys[:3]),
            [f"lease of {keys[0]}", f"lease of {keys[2]}"],
            [f"lease of {keys[0]}", f"lease of {keys[1]}"],
            [],
        ]

    def test_a_group_that_was_revoked_reads_nothing_whatever_the_index_says(
        self, world: World, strategy: Strategy
    ) -> None:
        world.publish([indexed_chunk("open lease")])
        closed = indexed_chunk("closed lease", key="acme/x/b.pdf", acl=("board", "staff"))
        world.publish([closed], acl=("board",))
        seen = {
            group: sorted(texts(world.find("lease", strategy, groups=(group,))))
            for group in ("board", "staff", "legal")
        }
        assert seen == {
            "board": ["closed lease", "open lease"],
            "staff": ["open lease"],
            "legal": ["open lease"],
        }

    def test_only_live_versions_are_found(self, world: World, strategy: Strategy) -> None:
        world.publish([indexed_chunk("old lease", version="v1", sequencer="1")])
        world.publish([indexed_chunk("new lease", version="v2", sequencer="2")])
        world.publish([indexed_chunk("doomed lease", key="acme/x/b.pdf")])
        world.catalog.remove(Revision(key="acme/x/b.pdf", version="", sequencer="2"))
        world.index.write([indexed_chunk("unknown lease", key="acme/x/c.pdf")])
        assert texts(world.find("lease", strategy)) == ["new lease"]

    # -- stability -------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("stale", "asked"),
        [
            ("none", "lease w1 w2"),
            ("some", "lease w1 w2"),
            ("most", "lease w1 w2"),
            ("most", "lease w1 w2 on page 2"),
        ],
    )
    def test_the_first_hits_do_not_depend_on_how_many_are_wanted(
        self, world: World, strategy: Strategy, stale: str, asked: str
    ) -> None:
        world.publish(some_chunks(MANY, "2", seed=2))
        if stale == "some":
            world.index.write(some_chunks(MANY // 2, "1", seed=1))
        elif stale == "most":  # of the best; too few of a leg's candidates are live
            world.index.write(near_chunks(300, "1"))
        found = {k: world.find(asked, strategy, k=k) for k in (5, 200, 1000)}
        ids = {k: [hit.chunk.id for hit in hits] for k, hits in found.items()}
        assert {k: ids[1000][:k] for k in ids} == ids
        assert len(ids[1000]) == MANY if stale != "most" else len(ids[1000]) > 300
        assert len(set(ids[1000])) == len(ids[1000])
        scores = [hit.score for hit in found[1000]]
        assert scores == sorted(scores, reverse=True)

    def test_hits_that_are_not_live_take_no_place(self, world: World, strategy: Strategy) -> None:
        world.publish(some_chunks(60, "2", seed=2))
        before = world.find("lease w1 w2", strategy, k=60)
        world.index.write(near_chunks(300, "1"))
        after = world.find("lease w1 w2", strategy, k=60)
        # stale chunks change how rare a word is, and so scores, but not what is found
        assert {hit.chunk.id for hit in after} == {hit.chunk.id for hit in before}
        assert len(after) == 60

    def test_a_number_of_hits_out_of_bounds_is_refused(
        self, world: World, strategy: Strategy
    ) -> None:
        for k in (-1, 0, 1001):
            with pytest.raises(BadRequestError, match=f"k is {k}"):
                world.find("lease", strategy, k=k)

    def test_a_generation_that_is_promoted_meanwhile_is_searched(
        self, world: World, strategy: Strategy
    ) -> None:
        chunks = some_chunks(40, "1", seed=3)
        world.publish(chunks)
        before = [hit.chunk.id for hit in world.find("lease w1", strategy)]
        generation = world.index.create_generation()
        world.index.write(chunks, generation)
        world.index.promote(generation)
        assert [hit.chunk.id for hit in world.find("lease w1", strategy)] == before
