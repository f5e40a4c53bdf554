"""Ranking is pure: scales, weights, pages, ties and copies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.find.rank import LEAST, SCALES, add_signals, drop_copies, explain, rank
from footnote.ask.find.signals import alike_signal, middle_of, page_signal
from footnote.ask.query.page_references import named_pages
from footnote.model import Candidate, Chunk, Explanation, Hit, LegScore, Recipe

HALF = {"words": 0.5, "meaning": 0.5}


def candidate(name, score, document="d", pages=(1,), start=0):
    return Candidate(name, score, document, "v1", start, start + 10, pages)


def order(legs, **recipe):
    return [(one.chunk_id, round(one.score, 4)) for one in rank(legs, Recipe(legs=HALF, **recipe))]


# -- scales --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scale", "scaled"),
    [
        ("min_max", [1.0, 0.25, 0.001]),  # the last differs from one that was not found
        ("reciprocal_rank", [1 / 61, 1 / 62, 1 / 63]),
    ],
)
def test_a_scale_makes_scores_comparable(scale, scaled):
    assert SCALES[scale]([8.0, 5.0, 4.0]) == scaled
    assert SCALES[scale]([]) == []


def test_equal_scores_are_all_the_best():
    assert SCALES["min_max"]([3.0, 3.0]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1e6), max_size=30), st.sampled_from(sorted(SCALES)))
def test_a_scale_keeps_the_order(scores, scale):
    scaled = SCALES[scale](sorted(scores, reverse=True))
    assert len(scaled) == len(scores)
    assert scaled == sorted(scaled, reverse=True)


# -- fusion --------------------------------------------------------------------------------------


def test_a_chunk_that_a_leg_did_not_find_has_nothing_from_it():
    legs = {
        "words": [candidate("a", 9.0), candidate("b", 5.0), candidate("c", 1.0)],
        "meaning": [candidate("b", 0.9), candidate("d", 0.7)],
    }
    assert order(legs) == [("b", 0.75), ("a", 0.5), ("c", 0.0005), ("d", 0.0005)]


def test_weights_say_how_much_a_leg_counts():
    legs = {"words": [candidate("a", 2.0)], "meaning": [candidate("b", 0.5)]}
    recipe = Recipe(legs={"words": 3.0, "meaning": 1.0})
    assert [(one.chunk_id, one.score) for one in rank(legs, recipe)] == [("a", 0.75), ("b", 0.25)]


def test_reciprocal_ranks_are_added():
    legs = {
        "words": [candidate("a", 9.0), candidate("b", 5.0)],
        "meaning": [candidate("b", 0.9), candidate("c", 0.7)],
    }
    recipe = Recipe(legs={"words": 1.0, "meaning": 1.0}, scale="reciprocal_rank")
    assert {one.chunk_id: one.score for one in rank(legs, recipe)} == {
        "b": (1 / 62 + 1 / 61) / 2,
        "a": 1 / 61 / 2,
        "c": 1 / 62 / 2,
    }


@given(st.permutations([candidate(f"c{7 * n % 12}", n % 3, start=n) for n in range(12)]))
def test_ties_are_broken_by_place_in_whatever_order_they_come(found):
    made = rank({"words": found}, Recipe(legs={"words": 1.0}, scale="reciprocal_rank"))
    wanted = sorted(found, key=lambda one: (-one.score, one.start))
    assert [one.chunk_id for one in made] == [one.chunk_id for one in wanted]


def test_nothing_found_is_nothing_ranked():
    assert rank({"words": [], "meaning": []}, Recipe(legs=HALF)) == []


# -- signals -------------------------------------------------------------------------------------


def named(question, **pages):
    return [page_signal(named_pages(question), pages)]


def test_a_signal_adds_a_share_of_how_far_apart_the_scores_are():
    legs = {"meaning": [candidate("a", 0.9), candidate("b", 0.7, pages=(7,), start=50)]}
    recipe = Recipe(legs={"meaning": 1.0})
    found = rank(legs, recipe, named("on page 7"))
    assert [(one.chunk_id, pytest.approx(one.score)) for one in found] == [
        ("a", 1.0),
        ("b", LEAST + 0.5 * (1 - LEAST)),
    ]
    [added] = explain(found[1]).signals
    assert (added.signal, added.added) == ("page", pytest.approx(0.5 * (1 - LEAST)))
    assert explain(found[0]).signals == ()


def test_of_equal_scores_a_signal_decides():
    legs = {"meaning": [candidate("a", 0.8), candidate("b", 0.8, pages=(7,), start=50)]}
    found = rank(legs, Recipe(legs={"meaning": 1.0}), named("on page 7"))
    assert [one.chunk_id for one in found] == ["b", "a"]


@pytest.mark.parametrize(
    ("question", "pages", "labels", "share"),
    [
        ("page 7", (7,), (), 1.0),
        ("page 7", (6, 7, 8), (), 1.0),
        ("page 7", (8,), (), 0.0),
        ("page 7", (9,), ("7",), 1.0),  # what is printed counts more
        ("page 7", (7,), ("5",), 0.5),
        ("page iv", (4,), (), 0.0),  # no page is number iv
        ("page iv", (9,), ("IV",), 1.0),
        ("page 3", (12,), ("terms.pdf, page 3",), 1.0),
        ("pages 6 to 8", (8,), (), 1.0),
        ("first page", (1,), ("i",), 1.0),
        ("last page", (30,), (), 1.0),
        ("last page", (30,), ("28",), 1.0),
        ("last page", (29,), (), 0.0),
        ("second last page", (29,), (), 1.0),
    ],
)
def test_a_page_is_known_by_its_number_its_label_and_its_place(question, pages, labels, share):
    [signal] = named(question, d=30)
    assert signal.share(candidate("a", 1.0, pages=pages)._replace(labels=labels)) == share


def test_without_the_number_of_its_pages_a_document_has_no_last_page():
    [signal] = named("last page", other=30)
    assert signal.share(candidate("a", 1.0, pages=(30,))) == 0.0


# -- nodes ---------------------------------------------------------------------------------------


def node(name, score, *span, document="d", version="v1"):
    return Candidate(name, score, document, version, *span)


def lifted(nodes, **chunk):
    """Returns what the page leg gave one chunk."""
    found = candidate("a", 1.0, **chunk)
    legs = {"words": [found], "page": nodes}
    (one,) = rank(legs, Recipe(legs={"words": 0.5, "page": 0.5}))
    return one.by_leg["page"].candidate.chunk_id if "page" in one.by_leg else None


def test_a_node_lifts_the_chunks_that_lie_in_it():
    legs = {
        "words": [candidate("a", 2.0), candidate("b", 1.0, start=100)],
        "page": [node("p1", 1.0, 0, 90), node("p2", 9.0, 90, 200)],
    }
    found = rank(legs, Recipe(legs={"words": 0.4, "page": 0.6}))
    # the least of a leg counts .001 of its weight
    assert [(one.chunk_id, one.score) for one in found] == [
        ("b", pytest.approx(0.6004)),
        ("a", pytest.approx(0.4006)),
    ]


@pytest.mark.parametrize(
    ("start", "end", "document", "is_lifted"),
    [
        (0, 10, "d", True),
        (5, 50, "d", True),  # half of the chunk
        (6, 50, "d", False),
        (8, 12, "d", True),  # half of the node
        (10, 20, "d", False),
        (0, 10, "other", False),
    ],
)
def test_what_lies_in_a_node_shares_half_with_it(start, end, document, is_lifted):
    assert (lifted([node("p", 1.0, start, end, document=document)]) == "p") is is_lifted


def test_nodes_of_another_version_lift_nothing():
    assert lifted([node("p", 1.0, 0, 10, version="v2")]) is None


def test_of_several_nodes_the_best_counts():
    assert lifted([node("p1", 1.0, 0, 5), node("p2", 2.0, 5, 10)]) == "p2"


def test_a_node_brings_no_chunk_that_no_other_leg_found():
    legs = {"words": [], "page": [node("p", 1.0, 0, 10)]}
    assert rank(legs, Recipe(legs={"words": 0.5, "page": 0.5})) == []


@pytest.mark.parametrize(
    ("scores", "scaled"),
    [([3.8, 1.9], [1.0, 0.5]), ([0.95, 0.19], [0.5, 0.1])],  # the best is no sure sign
)
def test_a_document_counts_by_how_sure_its_name_is(scores, scaled):
    legs = {
        "words": [candidate(name, 1.0, document=name) for name in "ab"],
        "document": [
            node(name, score, 0, 99, document=name)
            for name, score in zip("ab", scores, strict=True)
        ],
    }
    found = rank(legs, Recipe(legs={"words": 0.5, "document": 0.5}))
    assert [one.by_leg["document"].scaled for one in found] == pytest.approx(scaled)


# -- what is shown -------------------------------------------------------------------------------


def test_a_hit_is_explained_by_leg():
    legs = {
        "words": [candidate("a", 9.0), candidate("b", 5.0, start=50), candidate("c", 1.0)],
        "meaning": [candidate("b", 0.9, start=50), candidate("c", 0.7)],
        "page": [node("p", 4.0, 0, 99)],
    }
    weights = {"words": 0.5, "meaning": 0.25, "page": 0.25}
    found = {one.chunk_id: one for one in rank(legs, Recipe(legs=weights))}
    assert explain(found["b"]) == Explanation(
        legs=(
            LegScore(leg="words", rank=2, raw=5.0, scaled=0.5, weight=0.5),
            LegScore(leg="meaning", rank=1, raw=0.9, scaled=1.0, weight=0.25),
            LegScore(leg="page", rank=1, raw=4.0, scaled=1.0, weight=0.25),
        )
    )
    assert found["b"].score == 0.75


def hit(text, start=0, document="d", title=""):
    end = start + len(text)
    chunk = Chunk(id=f"{document}{start}", ordinal=0, text=text, start=start, end=end, title=title)
    return Hit(
        rank=1,
        score=1.0,
        document_id=document,
        document=document,
        collection="x",
        version="v1",
        chunk=chunk,
    )


def test_what_repeats_a_better_hit_is_dropped():
    first = hit("the harbour fee", 0, title="Fees")
    copy = hit("The  Harbour fee", 900, document="e", title="Fees")
    inside = hit("harbour fee", 4, title="Other")
    other_title = hit("the harbour fee", 500, document="f", title="Other")
    half_over = hit("fee and more of it", 12, title="Fees")
    found = [first, copy, inside, other_title, half_over]
    assert list(drop_copies(found)) == [first, other_title, half_over]


def test_the_middle_of_vectors_is_their_common_direction():
    assert middle_of([[3.0, 0.0], [0.0, 3.0]]) == pytest.approx([0.5**0.5, 0.5**0.5])
    assert middle_of([[1.0, 0.0], [-1.0, 0.0]]) is None
    assert middle_of([]) is None


def test_what_is_like_the_first_hits_is_lifted_by_how_near_it_is():
    ranked = rank(
        {"meaning": [candidate("a", 1.0), candidate("b", 0.6, start=50), candidate("c", 0.5)]},
        Recipe(legs={"meaning": 1.0}),
    )
    near = [candidate("a", 0.9), candidate("c", 0.8), candidate("x", 0.5)]
    found = add_signals([alike_signal(near, 0.4)], ranked)
    assert [(one.chunk_id, pytest.approx(one.score)) for one in found] == [
        ("a", 1 + 0.4 * (1 - LEAST)),
        ("c", LEAST + 0.4 * 0.75 * (1 - LEAST)),
        ("b", 0.2),
    ]
    assert found[0].added == (("alike", pytest.approx(0.4 * (1 - LEAST))),)


def test_where_all_are_equally_near_none_is_lifted():
    ranked = rank({"meaning": [candidate("a", 1.0), candidate("b", 0.6)]}, Recipe(legs=HALF))
    near = [candidate("a", 0.9), candidate("b", 0.9)]
    assert add_signals([alike_signal(near, 0.4)], ranked) == ranked
    assert add_signals([alike_signal([], 0.4)], ranked) == ranked
