"""Among many short documents a hit rises towards better ones that are near to it."""

import pytest

from footnote.ask.find.cluster import AMONG, MANY, NEAREST, SHORT, among_short, cluster_signal
from footnote.ask.find.rank import Ranked, add_signals
from footnote.model import Candidate


def ranked(*scores, start=0, document="d{n}"):
    return [
        Ranked(Candidate(f"c{n}", 0.0, document.format(n=n), "v1", start, start + 9), score, {}, {})
        for n, score in enumerate(scores)
    ]


def added(hits, vectors, weight=0.5):
    found = add_signals([cluster_signal(hits, vectors, weight)], hits)
    return {one.chunk_id: round(dict(one.added).get("cluster", 0.0), 4) for one in found}


EAST, NORTH = [2.0, 0.0], [0.0, 0.5]  # of any length: a cosine is compared


def test_a_hit_rises_half_the_way_to_what_is_near_to_it_and_none_falls():
    hits = ranked(1.0, 0.6, 0.2)
    assert added(hits, {"c0": EAST, "c1": NORTH, "c2": EAST}) == {
        "c0": 0.0,  # the best one has only worse ones near to it
        "c1": 0.0,  # nothing is near to it
        "c2": 0.4,
    }


def test_means_are_weighted_by_how_near_they_are():
    hits = ranked(1.0, 0.5, 0.0)
    vectors = {"c0": [1.0, 0.0], "c1": [0.6, 0.8], "c2": [1.0, 0.0]}
    assert added(hits, vectors)["c2"] == pytest.approx(0.5 * (1.0 + 0.6 * 0.5) / 1.6, abs=1e-4)


def test_hits_of_one_document_do_not_lift_each_other():
    hits = ranked(1.0, 0.6, 0.2, document="same")
    assert set(added(hits, {"c0": EAST, "c1": EAST, "c2": EAST}).values()) == {0.0}


def test_only_the_nearest_count():
    near, far = [1.0, 0.1], [1.0, 1.0]
    hits = ranked(*([0.5] * NEAREST), 1.0, 0.0)
    vectors = {f"c{n}": near for n in range(NEAREST)}
    vectors |= {f"c{NEAREST}": far, f"c{NEAREST + 1}": near}
    assert added(hits, vectors)[f"c{NEAREST + 1}"] == 0.25


def test_a_hit_without_a_vector_neither_rises_nor_lifts():
    hits = ranked(1.0, 0.6, 0.2)
    assert set(added(hits, {"c1": EAST, "c2": EAST}).values()) == {0.0, 0.2}
    assert set(added(hits, {}).values()) == {0.0}
    assert set(added(ranked(0.0, 0.0), {"c0": EAST, "c1": EAST}).values()) == {0.0}


def test_hits_are_compared_where_they_are_of_many_short_documents():
    many = ranked(*(range(MANY, 0, -1)))
    assert among_short(many) == [one.chunk_id for one in many]
    assert among_short(many[1:]) == []
    assert among_short(ranked(*(range(MANY, 0, -1)), start=SHORT)) == []
    assert among_short(ranked(*(range(MANY, 0, -1)), document="same")) == []
    assert len(among_short(ranked(*(range(2 * AMONG, 0, -1))))) == AMONG
