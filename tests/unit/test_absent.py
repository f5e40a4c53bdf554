"""Words of a question that stand nowhere in what is searched, and what they do to an answer."""

import pytest

from footnote.adapters.extractive.grade import ABSENT, confidence
from footnote.ask.absent import MOST, absent_words
from footnote.ask.retrieve import retrieve
from footnote.model import Scope, SubQuestion
from tests.corpus import Corpus

PAGES = {
    "board.pdf": ["Revenue in 2025 was 4.2 million euros, up from 3.6 million in 2024."],
    "travel.pdf": ["Hotels in Kiel are refunded up to 140 euros a night since 2019."],
}
SCOPE = Scope(tenant="acme")


def found(question, scope=SCOPE):
    corpus = Corpus(PAGES)
    sub = SubQuestion(id="q1", text=question)
    return retrieve(sub, scope, (), corpus.index, corpus.embedder, corpus.catalog)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What was revenue in 2025?", ()),
        ("What was revenue in 2022?", ("2022",)),
        ("What was the revenue of Amcor in 2025?", ("amcor",)),
        ("Are hotels refunded?", ()),
    ],
)
def test_words_that_no_document_has_are_absent(question, absent):
    assert found(question).absent == absent


def test_a_word_of_a_document_outside_the_scope_is_absent():
    inside = SCOPE.model_copy(update={"documents": ("board.pdf",)})
    assert found("What was revenue in 2019?").absent == ()
    assert found("What was revenue in 2019?", inside).absent == ("2019",)


def test_figures_are_looked_up_first_and_not_more_words_than_the_bound():
    corpus = Corpus(PAGES)
    question = " ".join(f"nowhere{'x' * n}" for n in range(2 * MOST)) + " 2022"
    absent = absent_words(question, (), SCOPE, corpus.index)
    assert (len(absent), absent[0]) == (MOST, "2022")


def test_a_question_about_a_year_that_no_document_knows_is_not_found():
    known, unknown = "What was revenue in 2025?", "What was revenue in 2022?"
    assert confidence(known, found(known)) > ABSENT
    assert confidence(unknown, found(unknown)) <= ABSENT


def test_a_model_that_reads_needs_no_words_looked_up():
    corpus = Corpus(PAGES)
    sub = SubQuestion(id="q1", text="What was revenue in 2022?")
    ports = (corpus.index, corpus.embedder, corpus.catalog)
    assert retrieve(sub, SCOPE, (), *ports, by_sentence=False).absent == ()
