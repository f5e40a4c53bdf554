"""A sentence that goes on where a quoted one ends is quoted with it."""

import pytest

from footnote.ask.quote.lines import rank_lines
from footnote.ask.quote.quotations import tied_line
from tests.asking import ask
from tests.unit.test_figure_asked import found_for

ASKED = "What does the lamp register of the quay contain?"
FIRST = "The lamp register of the quay contains the code of the lamp that was lit."


def after(rest, question=ASKED):
    evidence = found_for(question, {"quay.md": [f"{FIRST}{rest}\n\nGulls sleep in the harbour."]})
    ranked = rank_lines(question, evidence)
    assert ranked[0].text == FIRST
    found = tied_line(ranked[0], ranked)
    return found.text if found else ""


@pytest.mark.parametrize(
    "rest",
    [
        "If no lamp is lit yet, the register has 7.",
        "By default it has 7.",
        "The default is 7.",
        "This changes with the tide.",
        "The keeper, however, ignores it.",
    ],
)
def test_a_sentence_that_is_tied_to_the_one_before_goes_on(rest):
    assert after(f" {rest}") == rest


@pytest.mark.parametrize(
    "rest",
    [
        " Keepers sleep by day.",  # of something else
        " Thistles grow there.",
        "\n\nIf no lamp is lit yet, the register has 7.",  # another paragraph
        "\n- If no lamp is lit yet, the register has 7.",  # an item
        " If so?",  # says nothing
        "",
    ],
)
def test_what_is_not_tied_or_stands_apart_does_not(rest):
    assert after(rest) == ""


def test_what_repeats_the_sentence_or_would_be_a_third_is_not_quoted():
    again = FIRST.replace("The", "This", 1)
    answer, _ = ask(ASKED, {"quay.md": [f"{FIRST} {again}\n\nGulls sleep in the harbour."]})
    assert answer.answer == f"{FIRST} [1]"
    other = "The lamp register of the quay also contains the time when a lamp went out."
    rest = "If no lamp is lit yet, the register has 7."
    answer, _ = ask(ASKED, {"quay.md": [f"{other} {FIRST} {rest}\n\nGulls sleep there."]})
    assert "went out" in answer.answer
    assert "was lit" in answer.answer
    assert "has 7" not in answer.answer


def test_rows_have_none():
    table = "Lamp register of the quay | 7\nIt is | 8 lamps"
    evidence = found_for(ASKED, {"quay.md": [table]})
    ranked = rank_lines(ASKED, evidence)
    assert [tied_line(one, ranked) for one in ranked] == [None] * len(ranked)


def test_it_is_quoted_with_a_citation_of_its_own_unless_one_sentence_is_wanted():
    rest = "If no lamp is lit yet, the register has 7."
    pages = {"quay.md": [f"{FIRST} {rest}\n\nGulls sleep in the harbour."]}
    answer, _ = ask(ASKED, pages)
    assert answer.answer == f"{FIRST} [1] {rest} [2]"
    assert [one.quote for one in answer.citations] == [FIRST, rest]
    terse, _ = ask(ASKED, pages, persona="terse")
    assert terse.answer == f"{FIRST} [1]"
