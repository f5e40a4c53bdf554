"""Each hit says how likely it is to be right, and those that are less likely may be left out."""

import pytest

from footnote.ask.find.hit_probability import (
    HIT_PROBABILITIES,
    UNKNOWN,
    drop_unlikely,
    with_probability,
)
from footnote.model import Chunk, Explanation, Hit


def hits(*scores):
    return [
        Hit(
            rank=n,
            score=score,
            document_id=f"d{n}",
            document=f"{n}.pdf",
            collection="c",
            version="v1",
            chunk=Chunk(id=f"c{n}", ordinal=0, text="Text.", start=0, end=5, pages=(1,)),
        )
        for n, score in enumerate(scores, 1)
    ]


def told(found):
    return [one.probability for one in found]


@pytest.mark.parametrize("strategy", HIT_PROBABILITIES)
def test_hits_are_the_less_likely_the_further_behind_they_are(strategy):
    found = told(with_probability(hits(0.9, 0.6, 0.4, 0.2), strategy))
    assert found == sorted(found, reverse=True)
    assert all(0 < one < 1 for one in found)


@pytest.mark.parametrize("strategy", HIT_PROBABILITIES)
def test_a_first_hit_of_a_better_score_is_likelier(strategy):
    [[low], [high]] = (told(with_probability(hits(score), strategy)) for score in (0.4, 0.9))
    assert low < high or HIT_PROBABILITIES[strategy].score == 0


@pytest.mark.parametrize("strategy", HIT_PROBABILITIES)
def test_it_does_not_depend_on_how_many_are_wanted(strategy):
    many = with_probability(hits(0.9, 0.6, 0.4, 0.2), strategy)
    assert with_probability(hits(0.9, 0.6), strategy) == many[:2]


def test_the_first_hit_of_a_good_search_is_right_in_two_of_three():
    [found, *_] = with_probability(hits(1.2, 0.6), "hybrid")
    assert found.probability == pytest.approx(0.685, abs=0.001)  # -.34 + .93 * 1.2 as log-odds


def test_hits_that_are_less_likely_are_left_out():
    found = with_probability(hits(0.9, 0.6, 0.4, 0.2), "hybrid")
    least = found[1].probability
    assert drop_unlikely(found, "hybrid", least) == (found[:2], ())
    assert drop_unlikely(found, "hybrid", 0.0) == (found, ())
    assert drop_unlikely(found, "hybrid", 1.0) == ([], ())


def test_where_nothing_is_known_nothing_is_left_out_and_that_is_said():
    found = [
        one.model_copy(update={"explanation": Explanation(legs=(), reranked=0.5)})
        for one in hits(0.9, 0.6)
    ]
    assert told(with_probability(found, "hybrid_reranked")) == [None, None]
    note = UNKNOWN.format("hybrid_reranked")
    assert drop_unlikely(found, "hybrid_reranked", 0.5) == (found, (note,))
    assert drop_unlikely(found, "hybrid_reranked", 0.0) == (found, ())
    assert drop_unlikely([], "hybrid_reranked", 0.5) == ([], ())
