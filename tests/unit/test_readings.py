"""What a model writes around its facts: lead-ins, scraps, repetitions, missing markers."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.write.claims import Claim, is_sentence
from footnote.ask.write.readings import statements_of, without_lead_in
from tests.unit.test_synthesize import Case

PAGES = {
    "ferry.pdf": [
        "The ferry to Orm takes 42 cars. Guests take bikes for free on it. A ticket costs 6 euros.",
    ]
}
CARS, FREE, FEE = (
    "The ferry to Orm takes 42 cars.",
    "Guests take bikes for free on it.",
    "A ticket costs 6 euros.",
)


def written(said, repair=()):
    """Returns (text, checked) of each sentence of an answer, and the texts of removed ones."""
    answer = Case(ScriptedLLM([said], repair=list(repair)), pages=PAGES).answer
    assert answer.mode == "anthropic"
    shown = [(one.text, one.checked) for one in answer.sentences]
    return shown, [one.text for one in answer.removed]


def exact(*texts):
    return [(text, "exact") for text in texts], []


@pytest.mark.parametrize(
    "said",
    [
        f"{CARS} {FEE}",
        f"- {CARS}\n- {FEE}",
        f"{CARS}\n\n{FEE}",
        f"{CARS} {FEE} [1]",
        f"Here is what I found:\n\n{CARS} {FEE} [1]",
        f"Based on the passages provided, {CARS} [1] The guide also states that {FEE} [1]",
        f"The guide says: \u201c{CARS}\u201d [1] It adds: \u201c{FEE[:-1]}\u201d. [1]",
        f"Cars: {CARS} [1]\n\nFee: {FEE} [1]",
        f"**Cars:** {CARS} [1] {FEE} [1]",
        f"{CARS} [1] {FEE} [1] " * 9,
        f"{CARS} [1] {FEE} [1]\n\nSources: [1]",
        f"{CARS} [1]\n{FEE} [1]\n\nSource:",
        f"Key facts\n{CARS} [1] {FEE} [1]",
        f"According to [1], {CARS} According to [1]\n\n{FEE} [1]",
    ],
)
def test_the_facts_are_shown_word_for_word_and_nothing_around_them(said):
    assert written(said) == exact(CARS, FEE)


def test_a_sentence_before_the_marker_that_the_passage_does_not_carry_is_left_out():
    shown, removed = written(f"Kestrel owns the pier of Ulm. {CARS} [1]")
    assert (shown, removed) == ([(CARS, "exact")], ["Kestrel owns the pier of Ulm."])


def test_two_statements_do_not_give_way_to_the_same_sentence():
    said = f"{FEE[:-1]}; the ferry to Orm takes 43 cars; the ferry to Orm takes 44 cars. [1]"
    shown, removed = written(said)
    assert shown == [(FEE, "exact"), (CARS, "exact")]
    assert removed == ["The ferry to Orm takes 44 cars."]


def test_a_sentence_that_is_shown_already_takes_no_other_ones_place():
    shown, removed = written(f"{CARS} [1] The ferry to Orm takes 43 cars. [1]")
    assert (shown, removed) == ([(CARS, "exact")], ["The ferry to Orm takes 43 cars."])


def test_thoughts_whose_beginning_has_no_tag_are_taken_back():
    case = Case(ScriptedLLM([f"{FEE} [1] Hm. [1] </think> {CARS} [1]"]), pages=PAGES)
    assert [one.text for one in case.answer.sentences] == [CARS]
    assert case.answer.removed == ()
    assert [kind for kind, _ in case.trace] == ["words", "restart", "words", "written"]


def test_what_leads_a_claim_in_is_kept_where_the_rest_does_not_hold_alone():
    shown, _ = written("At the pier: the ferry to Orm lets guests take bikes. [1]")
    assert shown == [("At the pier: the ferry to Orm lets guests take bikes.", "unconfirmed")]


def test_one_statement_of_several_may_give_way_alone():
    shown, removed = written(
        "The ferry to Orm takes 42 cars; a ticket costs 7 euros. [1]", ["NONE"]
    )
    assert (shown, removed) == exact(CARS, FEE)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("It rained.", True),
        ("The pier must be closed", True),
        ("Pier | 4 m", True),
        ("In 2019", True),
        ("Key facts", False),
        ("Here is what I found:", False),
        ("According to", False),
        ("{", False),
        ("", False),
    ],
)
def test_a_sentence_has_a_verb_or_a_figure(text, is_one):
    assert is_sentence(text) is is_one


def test_statements_begin_large_and_end_in_a_full_stop():
    claim = Claim("The pier is closed; and the ferry sails at noon", (1,), new_line=True)
    assert statements_of(claim) == [
        Claim("The pier is closed.", (1,), new_line=True),
        Claim("The ferry sails at noon", (1,)),
    ]
    assert statements_of(Claim("Closed; the ferry sails", (1,))) == []


def test_what_says_less_than_three_words_is_no_rest_of_a_claim():
    assert list(without_lead_in(Claim("Note: it rained.", (1,)))) == []
