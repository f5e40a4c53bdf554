"""Words and codes of a question, spelled as the documents spell them."""

from dataclasses import replace

import pytest

from footnote.ask.find.hits import find_hits
from footnote.ask.find.spelling import reword
from footnote.ask.query.reading import QueryReading
from footnote.ask.quote.confidence import FOUND, confidence
from footnote.ask.retrieve import retrieve
from footnote.model import Scope, SearchQuery, SubQuestion
from footnote.text.spelling import codes, frequent_word, is_slip, spellings_of, written_code
from tests.corpus import Corpus

SCOPE = Scope(tenant="acme")
PAGES = {
    "stores.pdf": [
        "The spare part QT-2210/K-07 costs 84 crowns since the harbour was rebuilt.",
        "The harbour office pays from the account GB00 PIER 1234 5678 90.",
    ],
    "crane.pdf": ["The government licence of the crane ends in 2031."],
}


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("goverment", "government"),
        ("habrour", "harbour"),
        ("harrbour", "harbour"),
        ("licanse", "license"),
        ("crnae", "crane"),
    ],
)
def test_one_slip_inside_a_word_is_a_slip(typed, word):
    assert is_slip(typed, word)


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("insurer", "insured"),  # another ending, another word
        ("horses", "houses"),  # short words are too like each other
        ("harbour", "harbour"),
        ("crane", "plane"),
        ("2021", "2012"),
        ("oat", "out"),
        ("government", "governance"),
    ],
)
def test_another_word_is_no_slip(typed, word):
    assert not is_slip(typed, word)


def test_a_frequent_word_with_swapped_letters_is_that_word():
    assert frequent_word("teh", "en") == "the"
    for word in ("eht", "the", "form", "three"):
        assert frequent_word(word, "en") == ""


@pytest.mark.parametrize("word", ["many", "wer", "cran"])
def test_what_asks_or_means_something_else_is_no_slip(word):
    pages = "Cranes may weigh more than their load. Her cradle was sold."
    assert reworded(f"how {word}", word, Corpus({"a.pdf": [pages]}).ports) == f"how {word}"


def test_a_code_is_a_run_of_words_that_no_text_has_so():
    text = "What does part QT2210 K07 cost in 2031, and who pays IBAN GB00PIER1234567890?"
    absent = {"qt2210", "k07", "gb00pier1234567890"}
    assert codes(text, absent) == ["QT2210 K07", "GB00PIER1234567890"]
    assert codes(text, {"cost"}) == []
    assert codes("What was sold in 2031 and in 2032?", {"2031"}) == []


def test_a_code_may_be_divided_at_its_borders_or_in_fours():
    assert set(spellings_of("K-07")) == {"k07", "k 07"}
    assert "gb00 pier 1234 5678 90" in spellings_of("GB00PIER1234567890")
    assert len(spellings_of("a1" * 20)) <= 2  # a long one is not divided in all ways


def test_a_code_is_found_whole_or_not_at_all():
    assert written_code("qt2210k07", ["part QT-2210/K-07."]) == "QT-2210/K-07"
    assert written_code("qt2210k0", ["part QT-2210/K-07."]) == ""
    assert written_code("t2210k07", ["part QT-2210/K-07."]) == ""


def reworded(text, unknown, ports, scope=SCOPE):
    return reword(QueryReading(text), [unknown], scope, ports).text


@pytest.fixture(scope="module")
def corpus():
    return Corpus(PAGES)


def ask(corpus, question, scope=SCOPE):
    return retrieve(SubQuestion(id="q1", text=question), scope, (), corpus.ports)


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        (
            "What does teh spare part qt2210 k07 cost?",
            "What does the spare part QT-2210/K-07 cost?",
        ),
        (
            "When does the goverment licence of the crane end?",
            "When does the government licence of the crane end?",
        ),
        (
            "Who pays from GB00PIER1234567890 at the habrour?",
            "Who pays from GB00 PIER 1234 5678 90 at the harbour?",
        ),
    ],
)
def test_a_question_is_searched_for_as_the_documents_spell_it(corpus, typed, spelled):
    evidence = ask(corpus, typed)
    assert evidence.question == spelled
    assert "the search went for that" in evidence.degraded[0]
    assert evidence.absent == ()
    assert confidence(evidence.question, evidence) == confidence(spelled, ask(corpus, spelled))


def test_a_question_that_the_documents_spell_so_stays_as_it_is(corpus):
    evidence = ask(corpus, "When does the government licence end?")
    assert (evidence.question, evidence.degraded) == ("When does the government licence end?", ())


@pytest.mark.parametrize(
    "question", ["What does the part QT-2210/K-08 cost?", "When does the licence of 2021 end?"]
)
def test_another_code_and_another_year_stay_unknown(corpus, question):
    evidence = ask(corpus, question)
    assert evidence.question == question
    assert evidence.absent
    assert confidence(question, evidence) < FOUND


def test_nobody_is_told_how_texts_are_spelled_that_they_may_not_read(corpus):
    inside = SCOPE.model_copy(update={"documents": ("crane.pdf",)})
    assert reworded("the habrour", "habrour", corpus.ports, inside) == "the habrour"
    outside = Scope(tenant="rival")
    assert reworded("the habrour", "habrour", corpus.ports, outside) == "the habrour"


def test_a_frequent_word_of_another_language_is_no_slip():
    ports = Corpus({"a.pdf": ["Professor Weren sold the wool."]}).ports
    german = "Wann werden die Schafe für das Fest geschoren?"
    assert reworded(german, "werden", ports) == german
    assert reworded("When did Werden sell it?", "werden", ports) == "When did weren sell it?"


def test_a_version_that_was_replaced_spells_nothing(corpus):
    class Replaced:
        """A documents table in which every document has a newer version."""

        def visible_versions(self, document_ids, groups):
            newer = corpus.catalog.visible_versions(document_ids, groups)
            return {name: f"{version}-newer" for name, version in newer.items()}

    ports = replace(corpus.ports, catalog=Replaced())
    assert reworded("the habrour", "habrour", corpus.ports) == "the harbour"
    assert reworded("the habrour", "habrour", ports) == "the habrour"


def test_a_search_goes_for_what_the_documents_write(corpus):
    typed = SearchQuery(text="qt2210 k07", scope=SCOPE, strategy="lexical", k=3)
    searched = find_hits(typed, corpus.ports)
    assert searched.hits[0].document == "stores.pdf"
    assert searched.degraded[0] == (
        "No text has “qt2210 k07” but “QT-2210/K-07”: the search went for that."
    )


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("Wann endet die Genehmigung für den Kran und wer hat sie erteilt?", True),
        ("When does the licence of the xylograph end?", False),
    ],
)
def test_a_question_in_another_language_than_the_documents_says_so(corpus, question, noted):
    ports = replace(corpus.ports, embedder=Named(corpus.ports.embedder, "all-MiniLM-L6-v2-s8"))
    evidence = retrieve(SubQuestion(id="q1", text=question), SCOPE, (), ports)
    assert any("another language (de)" in note for note in evidence.degraded) == noted


class Named:
    """An embedder under the name of another model."""

    def __init__(self, embedder, model):
        self.model = model
        self.embed = embedder.embed
