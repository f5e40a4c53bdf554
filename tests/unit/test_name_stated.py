"""A question for a company is not answered by lines that name none."""

import pytest

from footnote.ask.quote.confidence import doubts
from footnote.ask.quote.doubts import lacks_name
from tests.unit.test_figure_asked import found_for

RECALL = "In May the harbour called back all lamps, as the supplier had used the wrong glass."
MADE = f"{RECALL} The supplier of the lamps that the harbour called back was Heron Glass."


@pytest.mark.parametrize(
    "question",
    [
        "Which supplier made the lamps that the harbour called back?",
        "What lamp company made what the harbour called back in May?",
        "Who supplied the lamps that the harbour called back?",
        "What is the name of the supplier whose lamps the harbour called back?",
    ],
)
def test_a_company_that_is_asked_for_must_be_named(question):
    lacking = found_for(question, {"lamps.pdf": [RECALL]})
    assert lacks_name(question, lacking)
    assert doubts(question, lacking) > 1.0
    assert not lacks_name(question, found_for(question, {"lamps.pdf": [MADE]}))


@pytest.mark.parametrize(
    "question",
    [
        "Who pays for lamps that the harbour called back?",  # "the supplier" answers it
        "Why did the supplier's lamps come back to the harbour?",
        "Does the company know which lamps the harbour called back?",
        "What supplier benefits did the harbour get for lamps?",
        "Which brand colours do lamps of the harbour have?",
    ],
)
def test_whoever_may_be_told_without_a_name_need_not_have_one(question):
    assert not lacks_name(question, found_for(question, {"lamps.pdf": [RECALL]}))


@pytest.mark.parametrize(
    "told",
    ["Siemens supplied the lamps that the harbour called back.", "The supplier of lamps was ABB."],
)
def test_a_name_counts_wherever_it_stands_and_however_short_it_is(told):
    assert not lacks_name(
        "Who supplied the lamps?", found_for("Who supplied the lamps?", {"l.pdf": [told]})
    )


def test_a_name_that_the_question_has_itself_is_no_answer():
    question = "Which supplier made the lamps that Copper Quay called back?"
    pages = {"lamps.pdf": [RECALL.replace("the harbour", "Copper Quay")]}
    assert lacks_name(question, found_for(question, pages))


def test_texts_in_other_languages_may_name_it_in_their_own_way():
    question = "Which supplier made the lamps of the harbour?"
    text = "Im Mai rief der hafen alle lampen zurück, weil der lieferant falsches glas nahm."
    assert not lacks_name(question, found_for(question, {"lamps.pdf": [text]}))
