"""A query is read once, and what was read is handed down to all that ranks and judges for it."""

from collections import Counter

import pytest

from footnote.ask.query import reading as module
from footnote.ask.query.reading import QueryReading, read_query
from footnote.ask.retrieve import retrieve
from footnote.model import Scope, SearchQuery, SubQuestion
from tests.corpus import Corpus

QUESTION = "How does the quick ratio of Ottermoss on page 2 differ between 2022 and 2023?"
READERS = (
    "detect_language",
    "terms",
    "named_pages",
    "related_phrases",
    "asked_statements",
    "asked_names",
    "compared_sides",
    "called_words",
    "joined_words",
    "code_words",
)


@pytest.fixture
def read(monkeypatch):
    """Counts how often each text is read by each rule."""
    counted = Counter()

    def count(name):
        rule = getattr(module, name)

        def counting(text, *others):
            counted[name, text] += 1
            return rule(text, *others)

        monkeypatch.setattr(module, name, counting)

    for name in READERS:
        count(name)
    return counted


@pytest.mark.parametrize("question", [QUESTION, QUESTION.replace("quick ratio", "fleet")])
def test_each_rule_reads_a_query_once_however_many_ask_for_it(read, question):
    corpus = Corpus(
        {"a.pdf": ["Total current assets of Ottermoss.\n\nBikes."], "b.pdf": ["Bikes."]}
    )
    sub = SubQuestion(id="q1", text=question, strategy="hybrid", variants=("Ottermoss bikes",))
    retrieve(sub, Scope(tenant="acme"), (), corpus.ports)
    assert {name for name, text in read if text == question} == set(READERS)
    assert set(read.values()) == {1}


def test_what_nobody_wants_is_not_read(read):
    assert QueryReading(QUESTION).terms
    assert list(read) == [("terms", QUESTION)]


def test_the_text_that_is_embedded_has_the_question_first_and_what_reports_say():
    question = "What was the quick ratio?"
    assert QueryReading(question).expanded.startswith(f"{question} total current assets, ")
    assert QueryReading("How many bikes?").expanded == "How many bikes?"
    assert QueryReading("").expanded == ""


def test_a_query_with_other_conditions_keeps_its_reading():
    query = read_query(SearchQuery(text=QUESTION, scope=Scope(tenant="acme"), strategy="hybrid"))
    changed = query.change(strategy="lexical")
    assert changed.search.strategy == "lexical"
    assert changed.reading is query.reading
