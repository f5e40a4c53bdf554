"""`auto` chooses by the question, the languages of the index and what the model reads."""

import pytest

from footnote.ask.find.choose import MODELS, choose, identifier, is_in, replace_unread
from footnote.ask.query.reading import QueryReading
from footnote.model import STRATEGIES

ENGLISH, MULTILINGUAL = "all-MiniLM-L6-v2-s8", "multilingual-e5-small-s8"
RUSSIAN = "Когда был построен театр?"
GERMAN = "Wann wurde das Theater in der Stadt gebaut und von wem?"
PLAIN = "When was the theatre built?"


def taken(text, model=ENGLISH, **languages):
    return choose(QueryReading(text), model, lambda: languages).strategy


def never():
    raise AssertionError("the languages of the index decide nothing here")


@pytest.mark.parametrize(
    ("question", "strategy"),
    [
        ("OC-26-0015", "lexical"),
        ("What is said of OC-26-0015?", "lexical"),
        ("MS.EXO.1.1v2", "lexical"),
        ("303A.08?", "lexical"),
        ('"Related disclosure presented in this form"', "lexical"),
        ("„Polnisches Monumentaltheater“", "lexical"),
        ("Robert J. Corti", "navigate"),
        ("Best Buy 10-K 2023", "navigate"),
        (PLAIN, "hybrid"),
        ("theatre", "hybrid"),
        ("parental leave", "hybrid"),
        ('What is the best example of "Polish monumental theatre"?', "hybrid"),
        ("In contract OC-26-0015, what are the penalties for late delivery?", "hybrid"),
        ("What is the FY2018 capital expenditure amount for 3M, by its 10-K405?", "hybrid"),
        ("What was revenue in mid-2023 after COVID-19?", "hybrid"),
        ("F1 scores of Flan-T5-small", "hybrid"),
        ("Welches Netzwerk war in den 1970er-Jahren das erste?", "hybrid"),
    ],
)
def test_codes_quotations_and_bare_names_go_by_words(question, strategy):
    assert choose(QueryReading(question), ENGLISH, dict).strategy == strategy


def test_a_question_in_plain_english_does_not_ask_the_index():
    assert choose(QueryReading(PLAIN), ENGLISH, never).strategy == "hybrid"
    assert choose(QueryReading("OC-26-0015"), MULTILINGUAL, never).strategy == "lexical"


def test_letters_that_the_model_cannot_read_go_by_words_where_documents_have_them():
    assert taken(RUSSIAN, ru=9, en=1) == "navigate"
    assert taken(RUSSIAN, en=9, ru=1) == "hybrid"  # words would find nothing in English
    assert taken(RUSSIAN, en=1, ru=1) == "hybrid"
    assert taken(RUSSIAN) == "hybrid"
    assert taken(GERMAN, de=9) == "hybrid"  # the model reads its letters


@pytest.mark.parametrize("question", [RUSSIAN, GERMAN])
def test_words_are_looked_up_too_where_the_model_does_not_read_the_question(question):
    taken = replace_unread(QueryReading(question), ENGLISH)
    assert (taken.strategy, taken.why) == (
        "hybrid",
        "the model reads one language (en), not the question's",
    )
    assert replace_unread(QueryReading(question), MULTILINGUAL) is None
    assert replace_unread(QueryReading(question), "cohere.embed-v4") is None


@pytest.mark.parametrize("question", [PLAIN, "late delivery damages", "OC-26-0015", ""])
def test_what_may_be_english_goes_by_meaning_alone(question):
    assert replace_unread(QueryReading(question), ENGLISH) is None


def test_another_language_goes_by_meaning_where_the_model_knows_both():
    assert taken(GERMAN, MULTILINGUAL, en=9) == "semantic"
    assert taken(PLAIN, MULTILINGUAL, ru=9, en=1) == "semantic"
    assert taken(RUSSIAN, MULTILINGUAL, de=9) == "semantic"
    assert taken(GERMAN, MULTILINGUAL, de=9) == "hybrid"
    assert taken(RUSSIAN, MULTILINGUAL, ru=9) == "hybrid"
    assert taken(GERMAN, MULTILINGUAL, de=1, en=1) == "hybrid"  # in no language mostly
    assert taken(GERMAN, MULTILINGUAL) == "hybrid"


@pytest.mark.parametrize("text", [RUSSIAN, GERMAN, PLAIN])
def test_of_a_model_that_was_not_measured_nothing_is_assumed(text):
    assert choose(QueryReading(text), "voyage-4", never).strategy == "hybrid"


def test_every_choice_says_why():
    for text in (PLAIN, RUSSIAN, "OC-26-0015", '"a quotation"', "Robert J. Corti"):
        made = choose(QueryReading(text), ENGLISH, lambda: {"ru": 1})
        assert made.why
        assert made.strategy in STRATEGIES
    assert "OC-26-0015" in choose(QueryReading("OC-26-0015"), ENGLISH, dict).why
    assert "(ru)" in choose(QueryReading(RUSSIAN), ENGLISH, lambda: {"ru": 1}).why


@pytest.mark.parametrize(
    ("text", "language", "holds"),
    [
        ("Wer gewann den Preis?", "de", True),  # too short to be detected
        ("Who won the prize?", "de", False),
        ("Who won the prize?", "en", True),
        ("Preis 2019", "en", True),  # nothing tells
        (RUSSIAN, "ru", True),
        (RUSSIAN, "en", False),
        (PLAIN, "ru", False),
        (PLAIN, "xx", False),
    ],
)
def test_a_short_question_may_be_in_a_language(text, language, holds):
    assert is_in(QueryReading(text), language) is holds


def test_the_models_that_were_measured_are_those_that_are_built():
    from footnote.adapters.embedding.models import LOCAL

    assert set(MODELS) == set(LOCAL)


def test_the_first_identifier_is_named():
    assert identifier("the contract OC-26-0015?") == "OC-26-0015"
    assert identifier("a plain question") == ""
