"""Ranking is pure: scales, weights, pages, ties and copies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.rank import SCALES, drop_copies, explain, rank
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
        ("raw", [8.0, 5.0, 4.0]),
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
    assert rank({"words": [], "meaning": []}, Recipe(legs=HALF, second=0.15)) == []


# -- pages ---------------------------------------------------------------------------------------

PAGES = {
    "words": [
        candidate("a1", 9.0, pages=(1,)),
        candidate("b1", 7.0, pages=(2,)),
        candidate("b2", 5.0, pages=(2, 3)),
        candidate("c1", 1.0, pages=(3,)),
    ],
    "meaning": [candidate("b2", 0.9, pages=(2, 3)), candidate("c1", 0.5, pages=(3,))],
}


def test_without_pages_each_chunk_stands_for_itself():
    assert order(PAGES)[:2] == [("b2", 0.75), ("a1", 0.5)]


def test_a_page_has_the_best_of_its_chunks_in_each_leg():
    # page 2: words .75 by b1, meaning 1 by b2, which is the better of the two
    assert order(PAGES, second=0.0)[:2] == [("b2", 0.875), ("a1", 0.5)]


def test_a_share_of_the_second_chunk_counts_for_the_first():
    # and the second by words is b2 with .5; the others keep their own scores
    assert order(PAGES, second=0.2)[:3] == [("b2", 0.925), ("a1", 0.5), ("b1", 0.375)]


def test_without_page_numbers_a_stretch_of_the_text_is_a_page():
    at = {"a": 0, "b": 2_999, "c": 3_000}
    legs = {"words": [candidate(n, 1.0, pages=(), start=at[n]) for n in at]}
    recipe = Recipe(legs={"words": 1.0}, second=0.5)
    pages = {one.chunk_id: one.page for one in rank(legs, recipe)}
    assert pages == {"a": 1.5, "b": None, "c": 1.0}


def test_pages_of_two_documents_are_two():
    legs = {"words": [candidate("a", 1.0, "d1"), candidate("b", 1.0, "d2")]}
    recipe = Recipe(legs={"words": 1.0}, second=0.5)
    assert [one.score for one in rank(legs, recipe)] == [1.0, 1.0]


# -- what is shown -------------------------------------------------------------------------------


def test_a_hit_is_explained_by_leg():
    recipe = Recipe(legs=HALF, second=0.2)
    best, *_ = rank(PAGES, recipe)
    assert explain(best, recipe.legs) == Explanation(
        legs=(
            LegScore(leg="words", rank=3, raw=5.0, scaled=0.5, weight=0.5),
            LegScore(leg="meaning", rank=1, raw=0.9, scaled=1.0, weight=0.5),
        ),
        own=0.75,
        page=best.score,
    )
    assert best.score == pytest.approx(0.925)


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
