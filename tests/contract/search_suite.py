"""The suite of the port SearchIndex; it runs on the memory adapter and on OpenSearch."""

import time
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import pytest

from footnote.accounting.glossary import GLOSSARY, related_phrases
from footnote.errors import BadRequestError, ConflictError, ForbiddenError, NotFoundError
from footnote.metadata.conditions import MAX_FILTERS, MAX_VALUES, parse_filters
from footnote.model import (
    Acl,
    Annotation,
    Candidate,
    Chunk,
    ChunkLeg,
    Hit,
    IndexedChunk,
    Leg,
    Legs,
    LegsQuery,
    Metadata,
    Revision,
    Scope,
    TableHeader,
    Vector,
    digest,
    document_id,
    pad_sequencer,
)
from footnote.ports import SearchIndex
from tests.naming import raises_naming

MODEL, DIMENSIONS = "Suite/Model_1", 4
LEGS: tuple[Leg, ...] = get_args(ChunkLeg.__value__)
EAST: Vector = [1.0, 0.0, 0.0, 0.0]
NORTH: Vector = [0.0, 1.0, 0.0, 0.0]
NORTH_EAST: Vector = [0.8, 0.6, 0.0, 0.0]


def indexed_chunk(
    text: str,
    *,
    key: str = "acme/reports/a.pdf",
    version: str = "v1",
    sequencer: str = "1",
    ordinal: int = 0,
    vector: Vector = EAST,
    title: str | None = None,
    section: tuple[str, ...] = (),
    language: str = "en",
    pages: tuple[int, ...] = (1,),
    labels: tuple[str, ...] = (),
    metadata: Metadata | None = None,
    acl: Acl = None,
    number: int = 0,
) -> IndexedChunk:
    """Makes a chunk whose title is its text, so that every leg finds it, if not told otherwise."""
    title = text if title is None else title
    chunk = Chunk(
        id=digest(key, version, str(ordinal)),
        ordinal=ordinal,
        text=text,
        start=ordinal * 100,
        end=ordinal * 100 + len(text),
        pages=pages,
        labels=labels,
        title=title,
        section=section,
        context=f"[{' > '.join((title, *section))}]",
        language=language,
    )
    revision = Revision(key=key, version=version, sequencer=sequencer)
    annotation = Annotation(number=number, metadata=metadata or {}, acl=acl)
    return IndexedChunk(revision=revision, chunk=chunk, vector=vector, annotation=annotation)


def inside(**scope: object) -> Scope:
    """Returns a scope. What is left open is everything of the tenant "acme"."""
    return Scope.model_validate({"tenant": "acme", **scope})


def ask(
    index: SearchIndex,
    text: str,
    legs: Sequence[Leg],
    *,
    vector: Vector | None = EAST,
    size: int = 10,
    with_places: bool = True,
    with_vectors: bool = False,
    with_pages: bool = False,
    **scope: object,
) -> Legs:
    """Asks several legs at once."""
    query = LegsQuery(
        text=text,
        scope=inside(**scope),
        legs=tuple(legs),
        size=size,
        vector=vector,
        with_places=with_places,
        with_vectors=with_vectors,
        with_pages=with_pages,
    )
    return index.search(query)


def find(index: SearchIndex, text: str, leg: Leg = "words", **options: Any) -> list[Hit]:
    """Asks one leg with the options of `ask`, and reads the chunks that it found."""
    found = ask(index, text, [leg], **options)[leg]
    about = {"vector", "size", "with_vectors"}
    scope = inside(**{name: value for name, value in options.items() if name not in about})
    chunks = index.read([one.chunk_id for one in found], scope)
    return [
        chunks[one.chunk_id].model_copy(update={"rank": n, "score": one.score})
        for n, one in enumerate(found, 1)
    ]


def texts(hits: Iterable[Hit]) -> list[str]:
    return [hit.chunk.text for hit in hits]


COMPASS = [
    indexed_chunk("north", ordinal=0, vector=NORTH),
    indexed_chunk("north east", ordinal=1, vector=NORTH_EAST),
    indexed_chunk("east", ordinal=2, vector=EAST),
]


def write_thirty(index: SearchIndex) -> None:
    index.write(
        [
            indexed_chunk("lease " * (n % 7) + "rent " * n, ordinal=n, vector=[1.0, n / 10, 0, 0])
            for n in range(30)
        ]
    )


class SearchSuite:
    """Needs a subclass with a fixture `index`: an empty index for MODEL and DIMENSIONS."""

    # -- a chunk's way in and out ----------------------------------------------------------------

    def test_a_chunk_comes_back_as_it_was_written(self, index: SearchIndex) -> None:
        written = indexed_chunk(
            "Revenue rose to 1,234.5 million.",
            title="Annual report",
            section=("Results", "Revenue"),
            pages=(3, 4),
            metadata={"year": 2023},
        )
        index.write([written])
        (hit,) = find(index, "revenue")
        assert hit == Hit(
            rank=1,
            score=hit.score,
            document_id=written.revision.document_id,
            document="a.pdf",
            collection="reports",
            version="v1",
            chunk=written.chunk,
            metadata={"year": 2023},
        )
        assert hit.score > 0

    def test_a_chunk_without_title_section_and_pages_comes_back_too(
        self, index: SearchIndex
    ) -> None:
        bare = Chunk(id="bare", ordinal=0, text="plain words", start=0, end=11)
        revision = Revision(key="acme/x/a.txt", version="v1", sequencer="1")
        index.write([IndexedChunk(revision=revision, chunk=bare, vector=EAST)])
        assert [hit.chunk for hit in find(index, "plain")] == [bare]

    def test_the_same_chunk_written_twice_is_there_once(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("first wording")])
        index.write([indexed_chunk("second wording")])
        assert texts(find(index, "wording")) == ["second wording"]

    def test_writing_nothing_is_fine(self, index: SearchIndex) -> None:
        index.write([])
        assert find(index, "anything") == []

    @pytest.mark.parametrize("leg", LEGS)
    def test_an_empty_index_finds_nothing(self, index: SearchIndex, leg: Leg) -> None:
        assert find(index, "anything", leg) == []

    # -- who sees what ---------------------------------------------------------------------------

    @pytest.mark.parametrize("leg", LEGS)
    def test_a_search_without_a_tenant_is_refused(self, index: SearchIndex, leg: Leg) -> None:
        index.write([indexed_chunk("secret plan")])
        with pytest.raises(ForbiddenError):
            find(index, "secret", leg, tenant="")

    @pytest.mark.parametrize("leg", LEGS)
    def test_no_tenant_sees_what_is_anothers(self, index: SearchIndex, leg: Leg) -> None:
        index.write(
            [indexed_chunk("secret plan", key="rival/x/a.pdf"), indexed_chunk("our secret plan")]
        )
        assert texts(find(index, "secret plan", leg)) == ["our secret plan"]

    @pytest.mark.parametrize("leg", LEGS)
    def test_collection_and_documents_narrow_a_search(self, index: SearchIndex, leg: Leg) -> None:
        index.write(
            [
                indexed_chunk("plan one", key="acme/x/one.pdf"),
                indexed_chunk("plan two", key="acme/x/deep/two.pdf"),
                indexed_chunk("plan three", key="acme/y/one.pdf"),
            ]
        )
        found = [
            sorted(texts(find(index, "plan", leg, **scope)))
            for scope in (
                {"collection": "x"},
                {"documents": ("one.pdf",)},
                {"collection": "x", "documents": ("deep/two.pdf", "none.pdf")},
                {"collection": "z"},
            )
        ]
        assert found == [["plan one", "plan two"], ["plan one", "plan three"], ["plan two"], []]

    def test_filters_match_attributes_and_fields(self, index: SearchIndex) -> None:
        metadata: Metadata = {
            "year": 2023,
            "final": True,
            "rate": 0.5,
            "author": "Ana Müller",
            "tags": ["red", "blue"],
        }
        other: Metadata = {"year": 2022, "final": False, "author": "Ana", "tags": ["blues"]}
        that = "acme/x/b.pdf"
        index.write(
            [
                indexed_chunk("this plan", pages=(6, 7), metadata=metadata),
                indexed_chunk("that plan", key=that, version="v2", language="de", metadata=other),
            ]
        )
        filters = [
            {"year": 2023},
            {"year": "2023"},
            {"year": 2023.0},
            {"final": True},
            {"final": "true"},
            {"rate": 0.5},
            {"author": "Ana Müller"},
            {"tags": "blue"},
            {"page": 7},
            {"language": "en"},
            {"version": "v1"},
            {"year": 2023, "tags": "red"},
        ]
        missed = [
            (each, leg)
            for each in filters
            for leg in LEGS
            if texts(find(index, "plan", leg, filters=each)) != ["this plan"]
        ]
        assert missed == []
        assert find(index, "plan", filters={"year": 2023, "tags": "blues"}) == []

    @pytest.mark.parametrize("leg", LEGS)
    def test_filters_know_types_ranges_lists_and_dates(self, index: SearchIndex, leg: Leg) -> None:
        index.write(
            [
                indexed_chunk("plan a", metadata={"n": -3, "at": "2023-05-31", "by": "Ana"}),
                indexed_chunk(
                    "plan b", key="acme/x/b", metadata={"n": 10.5, "at": "2023-06-01T00:30Z"}
                ),
                indexed_chunk(
                    "plan c", key="acme/x/c", pages=(4,), metadata={"n": "10", "by": "Änne"}
                ),
                indexed_chunk(
                    "plan d", key="acme/x/d", metadata={"tags": ["b", "d"], "at": "soon"}
                ),
            ]
        )
        expected: list[tuple[dict[str, object], str]] = [
            ({"n": {"lt": 0}}, "a"),
            ({"n": {"gte": -3, "lt": 10.5}}, "a"),
            ({"n": {"gt": -3}}, "b"),
            ({"n": {"gte": 2, "lte": 10.5}}, "b"),
            ({"n": {"gte": 11}}, ""),
            ({"n": {"gte": 5, "lt": 1}}, ""),
            ({"n": 10}, "c"),
            ({"n": [10, -3.0]}, "ac"),
            ({"at": "2023"}, "ab"),
            ({"at": "2023-05"}, "a"),
            ({"at": {"gte": "2023-06-01", "lte": "2023-06-01"}}, "b"),
            ({"at": {"gt": "2023-05-31"}}, "b"),
            ({"at": {"gt": "r"}}, "d"),
            ({"by": {"gte": "A", "lt": "B"}}, "a"),
            ({"by": {"gte": "B"}}, "c"),
            ({"tags": "d"}, "d"),
            ({"tags": ["a", "b"]}, "d"),
            ({"tags": {"gt": "b", "lt": "d"}}, ""),
            ({"path": {"gt": "a.pdf", "lte": "c"}}, "bc"),
            ({"path": ["b", "d", "e"]}, "bd"),
            ({"page": {"gte": 2}}, "c"),
            ({"page": ["4", 5]}, "c"),
            ({"n": {"gt": -100}, "by": "Ana"}, "a"),
        ]
        found = [texts(find(index, "plan", leg, filters=wanted)) for wanted, _ in expected]
        letters = ["".join(sorted(text[-1] for text in each)) for each in found]
        assert list(zip((wanted for wanted, _ in expected), letters, strict=True)) == expected

    @pytest.mark.parametrize("leg", LEGS)
    def test_filters_are_combined_and_may_ask_whether_there_is_a_value(
        self, index: SearchIndex, leg: Leg
    ) -> None:
        index.write(
            [
                indexed_chunk("plan a", metadata={"kind": "report", "year": 2023, "not": "x"}),
                indexed_chunk(
                    "plan b", key="acme/x/b", metadata={"kind": "note", "year": 2024, "tags": ["t"]}
                ),
                indexed_chunk("plan c", key="acme/x/c", pages=(), metadata={"kind": "note"}),
                indexed_chunk("plan d", key="acme/x/d", metadata={"year": "later", "tags": []}),
            ]
        )
        expected: list[tuple[dict[str, object], str]] = [
            ({"or": [{"kind": "report"}, {"year": 2024}]}, "ab"),
            ({"or": [{"kind": "report", "year": 2024}, {"year": "later"}]}, "d"),
            ({"and": [{"kind": "note"}, {"year": 2024}]}, "b"),
            ({"and": [{"kind": "note"}, {"kind": "report"}]}, ""),
            ({"not": {"kind": "note"}}, "ad"),  # d has no kind
            ({"not": {"kind": "note", "year": 2024}}, "acd"),
            ({"not": {"kind": ["note", "report"]}}, "d"),
            ({"not": {"year": {"gte": 2024}}}, "acd"),
            ({"not": {"not": {"kind": "note"}}}, "bc"),
            ({"kind": "note", "or": [{"year": 2023}, {"tags": "t"}]}, "b"),
            ({"or": [{"kind": "report"}], "not": {"year": 2023}}, ""),
            ({"or": [{"not": {"kind": {"exists": True}}}, {"and": [{"year": 2023}]}]}, "ad"),
            ({"year": {"exists": True}}, "abd"),
            ({"year": {"exists": False}}, "c"),
            ({"tags": {"exists": True}}, "b"),
            ({"yea": {"exists": True}}, ""),
            ({"kind": {"exists": True}, "year": {"exists": False}}, "c"),
            ({"page": {"exists": True}}, "abd"),
            ({"page": {"exists": False}}, "c"),
            ({"path": {"exists": True}}, "abcd"),
            ({"language": {"exists": False}}, ""),
            ({"not": {"page": 1}}, "c"),
            ({"not": {"exists": True}}, "a"),  # an attribute of that name
            ({"not": "x"}, "a"),
            ({"collection": "x", "not": {"or": [{"path": "b"}, {"path": "c"}]}}, "d"),
        ]
        found = [
            texts(find(index, "plan", leg, **parse_filters(wanted).model_dump()))
            for wanted, _ in expected
        ]
        letters = ["".join(sorted(text[-1] for text in each)) for each in found]
        assert list(zip((wanted for wanted, _ in expected), letters, strict=True)) == expected

    def test_as_many_filters_with_as_many_values_as_requests_may_have_are_answered(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk("a plan", metadata={"n": 7, "at": "2023-05-31"})])
        # a year is a number and a time: the values that make the most of a query
        # as many values as the bytes of all filters leave room for: half of each filter's own bound
        each = [{"n": [7, *range(1900, 1900 + MAX_VALUES // 2)]} for _ in range(MAX_FILTERS)]
        wanted = parse_filters({"and": each}).model_dump()
        assert texts(find(index, "plan", **wanted)) == ["a plan"]

    # -- who may read ----------------------------------------------------------------------------

    @pytest.mark.parametrize("leg", LEGS)
    def test_a_chunk_with_an_acl_is_found_by_its_groups_only(
        self, index: SearchIndex, leg: Leg
    ) -> None:
        index.write(
            [
                indexed_chunk("open plan"),
                indexed_chunk("board plan", key="acme/x/b", acl=("board", "finance")),
                indexed_chunk("closed plan", key="acme/x/c", acl=()),
                indexed_chunk("board plan", key="other/x/b", acl=("board",)),
            ]
        )
        seen = {
            groups: sorted(texts(find(index, "plan", leg, groups=groups)))
            for groups in ((), ("legal",), ("legal", "finance"), ("*",), ("@all",))
        }
        assert seen == {
            (): ["open plan"],
            ("legal",): ["open plan"],
            ("legal", "finance"): ["board plan", "open plan"],
            ("*",): ["open plan"],
            ("@all",): ["board plan", "closed plan", "open plan"],
        }

    def test_annotating_changes_attributes_and_readers_and_nothing_else(
        self, index: SearchIndex
    ) -> None:
        index.write(
            [
                indexed_chunk(
                    "first plan", ordinal=0, vector=NORTH, title="Plans", metadata={"old": 1}
                ),
                indexed_chunk("second plan", ordinal=1, metadata={"old": 1}),
                indexed_chunk("newer plan", version="v2", sequencer="2", metadata={"old": 1}),
                indexed_chunk("other plan", key="acme/x/b", metadata={"old": 1}),
            ]
        )
        (before,) = find(index, "first", groups=("board",))
        revision = Revision(key="acme/reports/a.pdf", version="v1", sequencer="1")
        new: Metadata = {"year": 2023, "note": 'of "two"\nlines', "tags": ["ä", "b"]}
        index.annotate(revision, Annotation(number=1, metadata=new, acl=("board",)))
        (after,) = find(index, "first", groups=("board",))
        assert after == before.model_copy(update={"metadata": new, "score": after.score})
        assert sorted(texts(find(index, "plan", groups=()))) == ["newer plan", "other plan"]
        assert sorted(texts(find(index, "plan", filters={"old": 1}))) == [
            "newer plan",
            "other plan",
        ]
        near = find(index, "x", "meaning", vector=NORTH, size=1, groups=("board",))
        assert texts(near) == ["first plan"]

    def test_only_a_later_annotation_is_taken(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("a plan", number=3, metadata={"n": 3})])
        revision = indexed_chunk("a plan").revision
        for number in (2, 3, 5, 4):
            index.annotate(revision, Annotation(number=number, metadata={"n": number}))
        (hit,) = find(index, "plan")
        assert hit.metadata == {"n": 5}
        assert [index.count(revision, number) for number in (None, 3, 4, 5)] == [1, 0, 0, 1]

    def test_every_generation_is_annotated(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("a plan")])
        generation = index.create_generation()
        index.write([indexed_chunk("a plan")], generation)
        index.annotate(indexed_chunk("a plan").revision, Annotation(number=1, metadata={"n": 1}))
        assert [hit.metadata for hit in find(index, "plan")] == [{"n": 1}]
        index.promote(generation)
        assert [hit.metadata for hit in find(index, "plan")] == [{"n": 1}]

    def test_annotating_what_is_not_there_is_no_error(self, index: SearchIndex) -> None:
        index.annotate(indexed_chunk("a plan").revision, Annotation(number=1))

    def test_a_filter_on_an_attribute_that_nothing_has_finds_nothing(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk("a plan")])
        assert find(index, "plan", filters={"color": "red"}) == []

    # -- lexical ---------------------------------------------------------------------------------

    def test_lexical_search_sees_through_case_and_plural(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("Quarterly reports"), indexed_chunk("A memo", ordinal=1)])
        questions = ("report", "reports", "REPORT", "the Reports?")
        assert [texts(find(index, each)) for each in questions] == [["Quarterly reports"]] * 4

    def test_a_number_is_found_with_and_without_its_commas(self, index: SearchIndex) -> None:
        index.write(
            [indexed_chunk("It came to $1,234.5."), indexed_chunk("It came to 1,235.", ordinal=1)]
        )
        questions = ("1,234.5", "1234.5", "$1,234.5?", "(1234.5)")
        assert [texts(find(index, each)) for each in questions] == [["It came to $1,234.5."]] * 4

    def test_an_identifier_is_found_as_a_whole_before_its_parts(self, index: SearchIndex) -> None:
        index.write(
            [
                indexed_chunk(
                    "The policies MS.EXO.1.2v1 and EXO 1.1v1 of MS, MS and EXO, EXO.", title=""
                ),
                indexed_chunk(
                    "The policy MS.EXO.1.1v1 is the one about this matter.", ordinal=1, title=""
                ),
            ]
        )
        assert texts(find(index, "MS.EXO.1.1v1"))[0].startswith("The policy MS.EXO.1.1v1")

    def test_a_word_in_the_title_or_section_counts_more_than_in_the_body(
        self, index: SearchIndex
    ) -> None:
        titles, sections = ("Memo", "Leases", "Memo", "Memo"), ("Other", "Other", "Leases", "Other")
        matters = ("leases", "pensions", "wages", "loans")
        index.write(
            [
                indexed_chunk(f"about {matter} and other matters", ordinal=n, title=t, section=(s,))
                for n, (matter, t, s) in enumerate(zip(matters, titles, sections, strict=True))
            ]
        )
        found = texts(find(index, "leases"))
        assert sorted(found[:2]) == [
            "about pensions and other matters",
            "about wages and other matters",
        ]
        assert found[2:] == ["about leases and other matters"]

    def test_a_question_with_no_known_word_finds_nothing(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("about leases")])
        questions = ("", "   ", '"(-+*&|!{}[]^~?:\\/', "zebra")
        assert [find(index, each) for each in questions] == [[]] * 4

    def test_a_very_long_question_is_answered(self, index: SearchIndex) -> None:
        index.write(
            [indexed_chunk("about leases"), indexed_chunk("über Miete", ordinal=1, language="de")]
        )
        question = "leases " + " ".join(f"word{n}" for n in range(3000))
        assert texts(find(index, question))[:1] == ["about leases"]

    def test_half_a_surrogate_pair_stops_neither_document_nor_question(
        self, index: SearchIndex
    ) -> None:
        written = indexed_chunk("about \ud800 leases")
        index.write([written])
        assert [hit.chunk.id for hit in find(index, "leases \udfff")] == [written.chunk.id]

    def test_attributes_may_be_long_or_oddly_named(self, index: SearchIndex) -> None:
        metadata: Metadata = {"a.b": "x", "c d": "y", "": "z", "note": "n" * 40_000, "tags": []}
        index.write([indexed_chunk("a plan", metadata=metadata)])
        filters = ({"a.b": "x"}, {"c d": "y"}, {"note": "n" * 40_000}, {"tags": "x"})
        found = [texts(find(index, "plan", filters=each)) for each in filters]
        assert found == [["a plan"], ["a plan"], ["a plan"], []]

    # -- meaning ---------------------------------------------------------------------------------

    def test_a_search_by_meaning_orders_by_cosine(self, index: SearchIndex) -> None:
        index.write(COMPASS)
        found = find(index, "whatever", "meaning", vector=EAST)
        assert [(hit.rank, hit.chunk.text, round(hit.score, 4)) for hit in found] == [
            (1, "east", 1.0),
            (2, "north east", 0.9),
            (3, "north", 0.5),
        ]

    def test_a_search_by_meaning_needs_a_vector_of_the_right_length(
        self, index: SearchIndex
    ) -> None:
        for vector in (None, [1.0, 0.0], [0.0] * DIMENSIONS):
            with pytest.raises(BadRequestError, match="vector"):
                ask(index, "lease", LEGS, vector=vector)

    # -- legs ------------------------------------------------------------------------------------

    def test_a_candidate_says_what_ranking_needs(self, index: SearchIndex) -> None:
        written = indexed_chunk("about leases", ordinal=3, pages=(3, 4))
        index.write([written])
        for leg, [found] in ask(index, "leases", LEGS, with_pages=True).items():
            assert found == Candidate(
                chunk_id=written.chunk.id,
                score=found.score,
                document_id=written.revision.document_id,
                version="v1",
                start=300,
                end=312,
                pages=(3, 4),
            ), leg
            assert found.score > 0

    def test_each_leg_says_what_it_found_alone(self, index: SearchIndex) -> None:
        index.write(COMPASS)
        both = ask(index, "north", LEGS, vector=EAST)
        assert both == {leg: ask(index, "north", [leg], vector=EAST)[leg] for leg in LEGS}
        said = {each.chunk.id: each.chunk.text for each in COMPASS}
        found = {leg: [said[one.chunk_id] for one in both[leg]] for leg in both}
        assert found["words"] == ["north", "north east"]
        assert found["meaning"] == ["east", "north east", "north"]

    @pytest.mark.parametrize("leg", ["words", "meaning"])
    def test_candidates_come_with_raw_scores_that_fall(self, index: SearchIndex, leg: Leg) -> None:
        write_thirty(index)
        scores = [one.score for one in ask(index, "lease", [leg], size=30)[leg]]
        assert len(set(scores)) > 5
        assert scores == sorted(scores, reverse=True)

    def test_a_leg_that_finds_nothing_is_there_and_empty(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("about leases")])
        found = ask(index, "zebra", LEGS)
        assert set(found) == set(LEGS)
        assert (len(found["words"]), len(found["meaning"])) == (0, 1)

    def test_vectors_come_when_they_are_asked_for(self, index: SearchIndex) -> None:
        index.write(COMPASS)
        given = {each.chunk.id: pytest.approx(each.vector) for each in COMPASS}
        for leg, found in ask(index, "north", LEGS, with_vectors=True).items():
            assert [one.vector for one in found] == [given[one.chunk_id] for one in found], leg
        plain = ask(index, "north", LEGS)
        assert {one.vector for found in plain.values() for one in found} == {None}

    def test_pages_come_with_what_is_printed_on_them_when_they_are_asked_for(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk("about leases", pages=(3, 4), labels=("i", "ii"))])
        told = (3, 4), ("i", "ii")
        for leg, [found] in ask(index, "leases", LEGS, with_pages=True).items():
            assert ((found.pages, found.labels), found.vector) == (told, None), leg
        both = ask(index, "leases", LEGS, with_pages=True, with_vectors=True)
        for leg, [found] in both.items():
            assert ((found.pages, found.labels), found.vector) == (told, pytest.approx(EAST)), leg
        plain = ask(index, "leases", LEGS).values()
        assert {(one.pages, one.labels) for [one] in plain} == {((), ())}

    @pytest.mark.parametrize("leg", LEGS)
    def test_without_places_candidates_have_their_id_and_score_alone(
        self, index: SearchIndex, leg: Leg
    ) -> None:
        index.write(COMPASS)
        placed, bare = (
            ask(index, "north east", [leg], vector=NORTH, with_places=each)[leg]
            for each in (True, False)
        )
        assert {one.version for one in placed} == {"v1"}
        assert bare == [Candidate(one.chunk_id, one.score) for one in placed]

    def test_chunks_are_read_by_id_and_only_inside_the_scope(self, index: SearchIndex) -> None:
        ours = indexed_chunk("our plan", metadata={"year": 2023}, acl=("board",))
        theirs = indexed_chunk("their plan", key="rival/reports/a.pdf")
        index.write([ours, theirs])
        ids = [ours.chunk.id, theirs.chunk.id, "gone"]
        [hit] = index.read(ids, inside(groups=("board",))).values()
        assert hit == Hit(
            rank=0,
            score=0.0,
            document_id=ours.revision.document_id,
            document="a.pdf",
            collection="reports",
            version="v1",
            chunk=ours.chunk,
            metadata={"year": 2023},
        )
        outside = inside(groups=("legal",)), inside(groups=("board",), collection="drafts")
        assert [index.read(ids, scope) for scope in outside] == [{}, {}]
        assert index.read([], inside()) == {}
        with pytest.raises(ForbiddenError):
            index.read(ids, inside(tenant=""))

    @pytest.mark.parametrize("leg", LEGS)
    def test_the_first_hits_do_not_depend_on_how_many_are_asked_for(
        self, index: SearchIndex, leg: Leg
    ) -> None:
        write_thirty(index)
        few, many = (find(index, "lease", leg, size=size) for size in (5, 25))
        assert few == many[:5]

    @pytest.mark.parametrize("leg", LEGS)
    def test_an_absurd_number_of_hits_is_refused(self, index: SearchIndex, leg: Leg) -> None:
        for size in (-1, 0, 1001):
            with pytest.raises(BadRequestError, match=f"size is {size}"):
                find(index, "lease", leg, size=size)

    def test_no_more_hits_come_than_were_asked_for(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("lease", ordinal=n) for n in range(5)])
        found = ask(index, "lease", LEGS, size=3)
        assert {leg: len(hits) for leg, hits in found.items()} == dict.fromkeys(LEGS, 3)

    def test_a_document_named_by_its_id_is_that_one_and_not_its_namesake(
        self, index: SearchIndex
    ) -> None:
        keys = ("acme/reports/a.pdf", "acme/drafts/a.pdf", "acme/drafts/b.pdf")
        written = [indexed_chunk(f"fee of {key}", key=key) for key in keys]
        index.write(written)
        ids = {one.revision.document_id: one.revision.path for one in written}
        first, _, last = ids
        assert texts(find(index, "fee", document_ids={first: "a.pdf"})) == [f"fee of {keys[0]}"]
        assert set(texts(find(index, "fee", documents=("a.pdf",)))) == {
            f"fee of {key}" for key in keys[:2]
        }
        both = find(index, "fee", documents=("b.pdf",), document_ids={first: "a.pdf"})
        assert set(texts(both)) == {f"fee of {keys[0]}", f"fee of {keys[2]}"}
        assert texts(find(index, "fee", collection="reports", document_ids={last: "b.pdf"})) == []

    # -- neighbours ------------------------------------------------------------------------------

    def test_what_stands_above_a_chunk_comes_back_with_it_and_is_not_searched(
        self, index: SearchIndex
    ) -> None:
        made = indexed_chunk("our plan", ordinal=1)
        header = TableHeader(
            start=10, rows=30, end=48, text="Sums in dollars:\n\nYear | Sum", pages=(1,)
        )
        chunk = made.chunk.model_copy(update={"above": header})
        index.write(
            [made.model_copy(update={"chunk": chunk}), indexed_chunk("our plan too, other")]
        )
        assert [hit.chunk.above for hit in find(index, "our plan")] == [header, None]
        assert texts(find(index, "dollars")) == []

    def test_how_a_chunk_was_read_comes_back_with_it(self, index: SearchIndex) -> None:
        made = indexed_chunk("our plan", ordinal=1)
        scanned = made.chunk.model_copy(update={"read": "ocr"})
        index.write([made.model_copy(update={"chunk": scanned}), indexed_chunk("our plan, typed")])
        assert [hit.chunk.read for hit in find(index, "our plan")] == ["ocr", "text"]

    def test_languages_of_a_scope_are_counted(self, index: SearchIndex) -> None:
        assert index.languages(inside()) == {}
        index.write(
            [indexed_chunk(f"north {n}", ordinal=n, language="en") for n in range(3)]
            + [indexed_chunk("nord", key="acme/x/b.pdf", language="de")]
            + [indexed_chunk("nord", key="acme/x/c.pdf", language="fr", acl=("board",))]
            + [indexed_chunk("nord", key="rival/x/b.pdf", language="it")]
        )
        assert index.languages(inside(groups=("staff",))) == {"en": 3, "de": 1}
        assert index.languages(inside(groups=("board",))) == {"en": 3, "de": 1, "fr": 1}
        assert index.languages(inside(collection="x")) == {"de": 1}
        with pytest.raises(ForbiddenError):
            index.languages(inside(tenant=""))

    def test_related_phrases_find_what_has_all_their_words_and_count_less_than_the_question(
        self, index: SearchIndex
    ) -> None:
        index.write(
            [
                indexed_chunk("the quick ratio, explained", key="acme/x/a.pdf"),
                indexed_chunk("current assets, in total: 84 crowns", key="acme/x/b.pdf"),
                indexed_chunk("current affairs", key="acme/x/c.pdf"),
            ]
        )
        asked = LegsQuery(text="quick ratio", scope=inside(), legs=("words",), size=9)
        related = asked.model_copy(update={"related": ("total current assets",)})
        assert len(index.search(asked)["words"]) == 1
        found = index.search(related)["words"]
        assert [one.document_id for one in found] == [
            document_id("acme/x/a.pdf"),
            document_id("acme/x/b.pdf"),
        ]
        assert found[0].score == pytest.approx(index.search(asked)["words"][0].score)

    def test_the_longest_questions_with_the_most_related_phrases_are_answered(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk("total current assets")])
        names = [name for each, _ in GLOSSARY for name in each]
        for count in (3, 9, 30, 80):
            text = " ".join(" ".join(names).split()[:count])
            asked = LegsQuery(
                text=text,
                scope=inside(),
                legs=("words", "page", "table"),
                related=related_phrases(" ".join(names)),
            )
            assert index.search(asked)["words"]

    def test_words_that_stand_somewhere_in_a_scope_are_told_from_those_that_do_not(
        self, index: SearchIndex
    ) -> None:
        assert index.present(["harbours"], inside()) == set()
        index.write(
            [
                indexed_chunk("the harbour of 2024", key="acme/x/a.pdf"),
                indexed_chunk("ein Hafen", key="acme/reports/b.pdf", language="de"),
                indexed_chunk("a secret quay", key="acme/x/c.pdf", acl=("board",)),
                indexed_chunk("a rival dock", key="rival/x/b.pdf"),
            ]
        )
        words = ["harbours", "hafen", "2024", "2023", "quay", "dock"]
        assert index.present(words, inside(groups=("staff",))) == {"harbours", "hafen", "2024"}
        assert index.present(words, inside(groups=("board",))) == {*words} - {"2023", "dock"}
        assert index.present(words, inside(collection="reports")) == {"hafen"}
        assert index.present([], inside()) == set()
        several = ["quay harbours", "quay dock"]  # a text is there where any of its words is
        assert index.present(several, inside(groups=("staff",))) == {"quay harbours"}
        with pytest.raises(ForbiddenError):
            index.present(["dock"], inside(tenant=""))

    def test_what_signs_join_in_a_word_has_to_stand_together(self, index: SearchIndex) -> None:
        index.write(
            [
                indexed_chunk("a Soft-Reboot keeps tcp_low_mark=1 and cpu.max", key="acme/x/a.pdf"),
                indexed_chunk("trim the paths, in upper case, lowercase", key="acme/x/b.pdf"),
                indexed_chunk("memory of the probe", key="rival/x/c.pdf"),
            ]
        )
        there = {"soft-reboot", "tcp_low_mark", "cpu.max", "upper-case", "lower-case"}
        gone = {"trim-paths", "paths-trim", "reboot_keeps.mark", "probe-rs", "cpu.min"}
        assert index.present([*there, *gone], inside()) == there
        assert index.present(["trim-paths soft-reboot", "trim-paths case"], inside()) == {
            "trim-paths soft-reboot",
            "trim-paths case",
        }
        with pytest.raises(ForbiddenError):
            index.present(["soft-reboot"], inside(tenant=""))

    def test_words_spelled_nearly_so_and_codes_with_other_signs_are_found_inside_the_scope(
        self, index: SearchIndex
    ) -> None:
        index.write(
            [
                indexed_chunk("the harbour office has the Internet", key="acme/x/a.pdf"),
                indexed_chunk("spare part QT-2210/K-07, account GB00 PIER 1234 5678 90"),
                indexed_chunk("a secret lighthouse", key="acme/x/c.pdf", acl=("board",)),
                indexed_chunk("a rival breakwater", key="rival/x/b.pdf"),
            ]
        )
        typed = ["habrour", "internt", "qt2210 k07", "GB00PIER1234567890"]
        away = ["lighthuose", "breakwatre", "qt2210 k08", "xylograph"]
        alike = index.spelled_alike([*typed, *away], inside(groups=("staff",)))
        assert {word: bool(hits) for word, hits in alike.items()} == dict.fromkeys(typed, True)
        assert "Internet" in alike["internt"][0].chunk.text
        assert index.spelled_alike(["lighthuose"], inside(groups=("board",))).keys() == {
            "lighthuose"
        }
        assert index.spelled_alike([], inside()) == {}
        with pytest.raises(ForbiddenError):
            index.spelled_alike(["habrour"], inside(tenant=""))

    def test_vectors_are_read_by_id_inside_the_scope(self, index: SearchIndex) -> None:
        chunks = [
            indexed_chunk("a quay", key="acme/x/a.pdf", vector=NORTH),
            indexed_chunk("a secret quay", key="acme/x/b.pdf", acl=("board",)),
            indexed_chunk("no direction", key="acme/x/c.pdf", vector=[0.0] * DIMENSIONS),
            indexed_chunk("a rival quay", key="rival/x/d.pdf"),
        ]
        index.write(chunks)
        ids = [one.chunk.id for one in chunks]
        found = index.vectors([*ids, "gone"], inside(groups=("staff",)))
        assert found == {ids[0]: pytest.approx(NORTH)}
        assert index.vectors(ids, inside(groups=("board",))).keys() == set(ids[:2])
        assert index.vectors([], inside()) == {}
        with pytest.raises(ForbiddenError):
            index.vectors(ids, inside(tenant=""))

    def test_codes_numbers_titles_and_halves_of_characters_are_looked_up_too(
        self, index: SearchIndex
    ) -> None:
        entry = indexed_chunk("form OC-26-0015 over 1,234 crates", key="acme/x/a.pdf")
        titled = entry.chunk.model_copy(update={"title": "Quarry", "context": "[Quarry]"})
        index.write([entry.model_copy(update={"chunk": titled})])
        words = ["oc-26-0015", "OC-99-9999", "1234", "1,234", "quarry", "xylograph", "\ud83d"]
        assert index.present(words, inside()) >= {"oc-26-0015", "1234", "1,234", "quarry"}
        assert not index.present(["xylograph", "\ud83d"], inside())

    def test_neighbours_are_the_chunks_around_a_hit_in_its_version(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk(f"part{n}", ordinal=n) for n in range(6)])
        index.write([indexed_chunk(f"later part{n}", ordinal=n, version="v2") for n in range(6)])
        index.write(
            [indexed_chunk(f"other part{n}", ordinal=n, key="acme/x/b.pdf") for n in range(6)]
        )
        hit = find(index, "part1", documents=("a.pdf",), filters={"version": "v1"})[0]
        assert [
            texts(index.neighbours([hit], before, after)[0])
            for before, after in ((2, 2), (0, 1), (0, 0))
        ] == [["part0", "part2", "part3"], ["part2"], []]
        other = find(index, "other part4", documents=("b.pdf",))[0]
        around = index.neighbours([other, hit], 1, 1)
        assert list(map(texts, around)) == [["other part3", "other part5"], ["part0", "part2"]]
        assert index.neighbours([], 1, 1) == []

    # -- removing --------------------------------------------------------------------------------

    def test_removing_a_revision_removes_all_its_chunks_and_no_others(
        self, index: SearchIndex
    ) -> None:
        doomed = [indexed_chunk("plan", ordinal=n) for n in range(3)]
        other = indexed_chunk("plan to stay", key="acme/reports/b.pdf")
        index.write([*doomed, other, indexed_chunk("new plan", version="v2")])
        for _ in range(2):
            index.remove(doomed[0].revision)
            assert sorted(texts(find(index, "plan"))) == ["new plan", "plan to stay"]

    def test_removing_what_is_older_spares_the_revision_and_newer_ones(
        self, index: SearchIndex
    ) -> None:
        versions = [
            indexed_chunk(f"plan {n}", version=f"v{n}", sequencer=sequencer)
            for n, sequencer in enumerate(("01", "02", "0200000001"))
        ]
        index.write(versions)
        index.remove_older(versions[1].revision)
        assert sorted(texts(find(index, "plan"))) == ["plan 1", "plan 2"]

    def test_a_long_document_is_annotated_and_removed_whole(self, index: SearchIndex) -> None:
        """It is more than one request changes at once (`adapters/opensearch/by_query.py`)."""
        chunks = [indexed_chunk("plan", ordinal=n, sequencer="10") for n in range(2100)]
        index.write(chunks)
        index.create_generation()
        index.write(chunks[:700])
        revision = chunks[0].revision
        index.annotate(revision, Annotation(number=1, acl=("board",)))
        assert (index.count(revision), index.count(revision, 1)) == (2100, 2100)
        assert find(index, "plan", groups=()) == []
        index.remove(revision)
        assert index.count(revision) == 0

    # -- generations -----------------------------------------------------------------------------

    def test_room_is_what_the_queried_generation_takes_and_what_is_free(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk(f"plan {n}", ordinal=n) for n in range(100)])
        before = index.room()
        assert before.taken > 100 * len("plan 99")
        assert before.free > 0
        second = index.create_generation()
        assert index.room().taken == before.taken
        index.promote(second)
        assert index.room().taken < before.taken

    def test_ensuring_twice_gives_the_same_generation(self, index: SearchIndex) -> None:
        assert index.ensure() == index.ensure()

    def test_a_new_generation_receives_writes_and_is_not_yet_queried(
        self, index: SearchIndex
    ) -> None:
        first = index.ensure()
        before = indexed_chunk("written before")
        index.write([before])
        second = index.create_generation()
        after = indexed_chunk("written after", key="acme/x/b.pdf")
        index.write([after])
        old, new = ((each.revision.document_id, "v1") for each in (before, after))
        assert (index.counts(first), index.counts(second), index.ensure()) == (
            {old: 1, new: 1},
            {new: 1},
            first,
        )
        assert sorted(texts(find(index, "written"))) == ["written after", "written before"]

    def test_events_that_wrote_chunks_are_listed_a_few_at_a_time(self, index: SearchIndex) -> None:
        assert index.revisions("", 10) == ([], "")
        index.write(
            [
                indexed_chunk("one", ordinal=n, key="acme/x/a b/c.pdf", sequencer="10")
                for n in range(3)
            ]
            + [
                indexed_chunk("two", version="v2", sequencer="20"),
                indexed_chunk("old", sequencer="30"),
            ]
        )
        found: list[tuple[Revision, int]] = []
        more, after = index.revisions("", 2)
        while True:
            found += more
            if not after:
                break
            more, after = index.revisions(after, 2)
        assert sorted(
            (one.key, one.version, pad_sequencer(one.sequencer), n) for one, n in found
        ) == [
            ("acme/reports/a.pdf", "v1", pad_sequencer("30"), 1),
            ("acme/reports/a.pdf", "v2", pad_sequencer("20"), 1),
            ("acme/x/a b/c.pdf", "v1", pad_sequencer("10"), 3),
        ]

    def test_an_events_chunks_are_counted(self, index: SearchIndex) -> None:
        chunks = [indexed_chunk("one", ordinal=n, sequencer="10") for n in range(3)]
        index.write([*chunks, indexed_chunk("two", version="v2", sequencer="20")])
        event = chunks[0].revision
        assert index.count(event) == 3
        assert index.count(event.model_copy(update={"sequencer": "1000"})) == 3
        assert index.count(event.model_copy(update={"sequencer": "20"})) == 0

    def test_only_what_exactly_this_event_wrote_is_removed(self, index: SearchIndex) -> None:
        index.write(
            [indexed_chunk("one", sequencer="10"), indexed_chunk("two", ordinal=1, sequencer="20")]
        )
        index.remove(indexed_chunk("one", sequencer="10").revision)
        assert texts(find(index, "one two")) == ["two"]

    def test_a_generation_says_what_it_is_made_with_and_by_which_run(
        self, index: SearchIndex
    ) -> None:
        first, started = index.ensure(), time.time()
        second = index.create_generation("run-1")
        [one, other] = index.generations()
        assert (one.name, one.run, one.serving) == (first, "", True)
        assert (other.name, other.run, other.serving) == (second, "run-1", False)
        assert one.marks == other.marks == index.marks
        assert {"model", "mapping"} <= set(index.marks)
        assert abs(other.made - started) < 60

    def test_a_run_that_makes_a_generation_again_gets_the_one_it_made(
        self, index: SearchIndex
    ) -> None:
        index.ensure()
        second = index.create_generation("run-1")
        assert index.create_generation("run-1") == second
        third = index.create_generation("run-2")
        assert len({second, third}) == 2
        assert [one.run for one in index.generations()] == ["", "run-1", "run-2"]
        index.promote(third)
        assert [(one.name, one.serving) for one in index.generations()] == [(third, True)]

    def test_chunks_of_some_documents_are_counted(self, index: SearchIndex) -> None:
        generation = index.ensure()
        chunks = [
            indexed_chunk("text", key=f"acme/x/{n // 3}.txt", ordinal=n % 3, version=f"v{n % 2}")
            for n in range(30)
        ]
        index.write(chunks)
        wanted = chunks[0].revision.document_id, chunks[4].revision.document_id
        assert index.counts(generation, [*wanted, "nobody's"]) == {
            (wanted[0], "v0"): 2,
            (wanted[0], "v1"): 1,
            (wanted[1], "v1"): 2,
            (wanted[1], "v0"): 1,
        }
        assert index.counts(generation, []) == {}

    def test_chunks_of_a_thousand_documents_are_counted_at_once(self, index: SearchIndex) -> None:
        generation = index.ensure()
        chunks = [indexed_chunk("text", key=f"acme/x/{n}.txt") for n in range(1000)]
        index.write(chunks)
        ids = [each.revision.document_id for each in chunks]
        assert index.counts(generation, ids) == {(one, "v1"): 1 for one in ids}

    def test_one_generation_can_be_written_alone(self, index: SearchIndex) -> None:
        first = index.ensure()
        second = index.create_generation()
        index.write([indexed_chunk("rebuilt")], generation=second)
        assert (index.counts(first), list(index.counts(second).values())) == ({}, [1])

    def test_a_generation_can_be_searched_that_queries_do_not_go_to(
        self, index: SearchIndex
    ) -> None:
        first, second = index.ensure(), index.create_generation("run-1")
        old, new = indexed_chunk("an old plan"), indexed_chunk("a new plan", ordinal=1)
        index.write([old], generation=first)
        index.write([new], generation=second)
        legs: tuple[Leg, ...] = ("words", "meaning")
        query = LegsQuery(text="plan", scope=inside(), legs=legs, vector=old.vector)
        for generation, written in ((first, old), (second, new), ("", old)):
            hits = index.search(query, generation)
            assert [[each.chunk_id for each in hits[leg]] for leg in legs] == [
                [written.chunk.id],
                [written.chunk.id],
            ]
        with pytest.raises(NotFoundError):
            index.search(query, f"{second}0")

    def test_promoting_moves_queries_and_drops_the_rest(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("only in the first")])
        first = index.ensure()
        second = index.create_generation()
        index.write([indexed_chunk("only in the second", key="acme/x/b.pdf")], generation=second)
        index.promote(second)
        index.promote(second)  # a retried step
        index.write([indexed_chunk("written to the second", key="acme/x/c.pdf")])
        assert (index.ensure(), sorted(texts(find(index, "second first")))) == (
            second,
            ["only in the second", "written to the second"],
        )
        with pytest.raises(NotFoundError):
            index.counts(first)

    def test_a_generation_that_queries_leave_may_be_kept_and_receives_all_writes(
        self, index: SearchIndex
    ) -> None:
        index.write([indexed_chunk("only in the first")])
        first, second = index.ensure(), index.create_generation("run-1")
        index.promote(second, 1_700_000_000.6)
        index.promote(second, 1_700_000_090.0)  # a retried step
        assert [(each.name, each.serving, each.retired) for each in index.generations()] == [
            (first, False, 1_700_000_000),
            (second, True, 0),
        ]
        index.write([indexed_chunk("written to both", key="acme/x/c.pdf")])
        assert [texts(find(index, each)) for each in ("first", "both")] == [[], ["written to both"]]
        index.go_back(first, 1_700_000_100.0)
        assert [(each.serving, each.retired) for each in index.generations()] == [
            (True, 0),
            (False, 1_700_000_100),
        ]
        assert sorted(texts(find(index, "first both"))) == ["only in the first", "written to both"]
        index.remove(indexed_chunk("written to both", key="acme/x/c.pdf").revision)
        index.go_back(second, 1_700_000_200.0)  # there and back again
        assert (index.ensure(), texts(find(index, "both"))) == (second, [])
        assert [each.retired for each in index.generations()] == [1_700_000_200, 0]

    def test_a_promotion_that_keeps_nothing_drops_what_was_kept(self, index: SearchIndex) -> None:
        index.ensure()
        index.promote(index.create_generation("run-1"), 1_700_000_000.0)
        third = index.create_generation("run-2")
        index.promote(third)
        assert [each.name for each in index.generations()] == [third]

    def test_a_kept_generation_can_be_abandoned(self, index: SearchIndex) -> None:
        first, second = index.ensure(), index.create_generation("run-1")
        index.promote(second, 1_700_000_000.0)
        index.abandon(first)
        index.write([indexed_chunk("a plan")])
        assert [each.name for each in index.generations()] == [second]
        with raises_naming(NotFoundError, first):
            index.go_back(first, 1_700_000_100.0)

    def test_an_abandoned_generation_is_gone_and_queries_go_on(self, index: SearchIndex) -> None:
        index.write([indexed_chunk("a plan")])
        second = index.create_generation()
        index.abandon(second)
        index.abandon(second)  # a retried step
        index.write([indexed_chunk("a plan too", ordinal=1)])
        assert sorted(texts(find(index, "plan"))) == ["a plan", "a plan too"]
        with pytest.raises(NotFoundError):
            index.counts(second)

    def test_the_generation_that_queries_go_to_cannot_be_abandoned(
        self, index: SearchIndex
    ) -> None:
        generation = index.ensure()
        with pytest.raises(ConflictError):
            index.abandon(generation)

    def test_an_unknown_generation_is_not_found(self, index: SearchIndex) -> None:
        unknown = index.ensure() + "0"
        with raises_naming(NotFoundError, unknown):
            index.write([indexed_chunk("lost")], generation=unknown)
        with raises_naming(NotFoundError, unknown):
            index.promote(unknown)
        with raises_naming(NotFoundError, unknown):
            index.counts(unknown)

    def test_removing_reaches_every_generation(self, index: SearchIndex) -> None:
        first, second = index.ensure(), index.create_generation()
        doomed = indexed_chunk("a plan")
        index.write([doomed])
        index.remove(doomed.revision)
        assert (index.counts(first), index.counts(second)) == ({}, {})

    def test_counts_are_exact_for_many_documents(self, index: SearchIndex) -> None:
        generation = index.ensure()
        chunks = [
            indexed_chunk("text", key=f"acme/x/{n // 2}.txt", ordinal=n % 2, version=f"v{n % 3}")
            for n in range(2500)
        ]
        index.write(chunks)
        expected: dict[tuple[str, str], int] = {}
        for each in chunks:
            pair = each.revision.document_id, each.revision.version
            expected[pair] = expected.get(pair, 0) + 1
        assert index.counts(generation) == expected

    def test_health_tells_the_generation_and_what_it_holds(self, index: SearchIndex) -> None:
        first = index.ensure()
        index.write([indexed_chunk("one", ordinal=0), indexed_chunk("two", ordinal=1)])
        second = index.create_generation()
        assert index.health() == {
            "status": "green",
            "generation": first,
            "writing": [first, second],
            "chunks": 2,
            "documents": 1,
        }
