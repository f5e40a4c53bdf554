"""A search leans towards meaning as far as the documents do not have the question's words."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.weights import (
    ENOUGH,
    FIRST,
    covered_share,
    first_by_words,
    weigh_legs,
    weigh_meaning,
)
from footnote.ask.query.reading import QueryReading, read_query
from footnote.model import STRATEGIES, Candidate, Scope, SearchQuery
from tests.contract.search_suite import DIMENSIONS, EAST, NORTH, indexed_chunk
from tests.contract.strategy_suite import World

LEGS = {"words": 0.25, "meaning": 0.4}
OTHER_WORDS = "How long does a new dad stay at home with pay?"


class Model:
    """Implements what `weigh_legs` asks of an Embedder."""

    def __init__(self, model):
        self.model = model


def weigh(text, strategy="hybrid", model="all-MiniLM-L6-v2-s8", share=0.0):
    asked = SearchQuery(text=text, scope=Scope(tenant="acme"), strategy=strategy)
    return weigh_legs(read_query(asked), Model(model), lambda: share)


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        ([], 0.0),
        (["Nothing of it."], 0.0),
        (["The notice period."], 0.5),
        (["The notice period.", "Periods of notice for tenants in Porto"], 1.0),
        (["The notice.", "Its period.", "Porto."], 0.25),  # no single one has more
    ],
)
def test_a_question_is_covered_as_far_as_one_text_has_its_words(texts, share):
    assert (
        covered_share(QueryReading("Which notice period do tenants in Porto have?"), texts) == share
    )


def test_a_question_of_stop_words_alone_is_covered():
    assert covered_share(QueryReading("what is it?"), []) == 1.0


def test_meaning_gains_the_more_the_fewer_words_are_there():
    found = [weigh_meaning(LEGS, 3.0, share)["meaning"] for share in (0.0, ENOUGH / 2, ENOUGH, 1.0)]
    assert found == pytest.approx([1.6, 1.0, 0.4, 0.4])
    assert weigh_meaning(LEGS, 3.0, 0.0)["words"] == LEGS["words"]
    assert weigh_meaning({"words": 0.5}, 3.0, 0.0) == {"words": 0.5}


def test_the_first_passages_are_those_of_the_best_scores_whatever_order_they_come_in():
    found = [Candidate(f"c{n}", float(n % 7), f"d{n:02}", "v1", n, n + 1) for n in range(20)]
    best = first_by_words(found)
    assert best == ["c6", "c13", "c5", "c12", "c19"]
    assert first_by_words(found[::-1]) == best
    assert len(best) == FIRST


@pytest.mark.parametrize(
    ("text", "model", "leans"),
    [
        (OTHER_WORDS, "all-MiniLM-L6-v2-s8", True),
        ("What was the quick ratio?", "all-MiniLM-L6-v2-s8", False),
        ("Wie lange hat ein neuer Vater bei vollem Lohn frei?", "all-MiniLM-L6-v2-s8", False),
        ("Wie lange hat ein neuer Vater bei vollem Lohn frei?", "multilingual-e5-small-s8", True),
    ],
    ids=["a question", "a figure of accounting", "a language not read", "a language read"],
)
def test_only_a_question_that_the_model_reads_well_leans(text, model, leans):
    gains = weigh(text, model=model)["meaning"] > weigh(text, model=model, share=1.0)["meaning"]
    assert gains == leans


@pytest.mark.parametrize(
    "strategy", [name for name, one in STRATEGIES.items() if not one.meaning_weight]
)
def test_what_asks_one_kind_of_leg_alone_does_not_lean(strategy):
    assert not STRATEGIES[strategy].legs.keys() >= LEGS.keys()


def test_a_passage_in_other_words_comes_before_one_that_shares_the_words_of_asking():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    said = "Fathers receive ten weeks of leave on full salary."
    beside = "How long a lamp may stay on."
    filler = [indexed_chunk(f"Clause {n}", ordinal=n, vector=NORTH) for n in range(2, 12)]
    chunks = [indexed_chunk(said, ordinal=0, vector=EAST)]
    chunks += [indexed_chunk(beside, ordinal=1, vector=NORTH), *filler]
    world.publish(chunks)
    first, *_ = world.find(OTHER_WORDS, "hybrid", vector=EAST)
    assert first.chunk.text == said
    [meaning] = [one for one in first.explanation.legs if one.leg == "meaning"]
    assert meaning.weight > STRATEGIES["hybrid"].legs["meaning"]
    literal, *_ = world.find("How long a lamp may stay on", "hybrid", vector=NORTH)
    assert literal.chunk.text == beside
    given = {one.leg: one.weight for one in literal.explanation.legs}
    assert given.items() <= STRATEGIES["hybrid"].legs.items()


def test_by_meaning_pages_count_unless_the_model_reads_across_languages():
    assert "page" in weigh("Which fees are there?", "semantic")
    across = weigh("Which fees are there?", "semantic", "multilingual-e5-small-s8")
    assert "page" not in across
    assert across["meaning"] == STRATEGIES["semantic"].legs["meaning"]
