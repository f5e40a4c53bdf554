"""What footnote says by itself stands in the language of the question."""

import re
from string import Formatter

import pytest

from footnote.service import Service
from footnote.text.german_sayings import GERMAN
from footnote.text.own_language import asked_in, counted, say
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

LEASE = "# Mietvertrag {year}\n\nDie Miete ist {rent} Euro im Monat. Der Mieter zahlt im Voraus.\n"
ENGLISH = re.compile(
    r"\b(?:the|of|was|were|are|documents?|items?|sentences?|whole|read|and|lines?|shown)\b"
)


@pytest.fixture(scope="module")
def service():
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    for year, rent in ((2024, 900), (2025, 950)):
        body = LEASE.format(year=year, rent=rent)
        pipeline.upload(f"acme/akten/mietvertrag-{year}.md", body.encode())
    return Service(pipeline, "acme")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie viele Dokumente gibt es?", "Es gibt 2 Dokumente."),
        ("Wie viele PDF-Dateien gibt es?", "Kein Dokument erf\u00fcllt dies: Format PDF."),
        ("Wie viele Dokumente gibt es je Format?", "Format | Dokumente"),
        ("Welche Dokumente wurden zuletzt ge\u00e4ndert?", "Sammlung | Stand | ge\u00e4ndert"),
        ("Wie viele Dokumente erw\u00e4hnen die Miete?", "steht in 2 von 2 Dokumenten"),
        ("Liste alle Leuchtt\u00fcrme auf", "Keines der 2 gelesenen Dokumente"),
        ("Fasse den Mietvertrag 2024 zusammen", "Kerns\u00e4tze aus 1 Dokument"),
        ("Vergleiche den Mietvertrag 2024 mit dem Mietvertrag 2025", "1 Zeile mit anderer Zahl"),
    ],
)
def test_a_german_question_is_answered_in_german_words(service, question, told):
    answer = service.questions.get(service.questions.ask(question).question_id).answer
    own = [one.text for one in answer.sentences if not one.citations]
    assert told in "\n".join(own)
    assert not [text for text in own if ENGLISH.search(text)]


@pytest.mark.parametrize("saying", GERMAN)
def test_a_german_saying_has_the_values_of_the_english_one(saying):
    names = {name for _, name, _, _ in Formatter().parse(saying) if name}
    german = {name for _, name, _, _ in Formatter().parse(GERMAN[saying]) if name}
    assert names == german


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Was the hall built?", "en"),
        ("War die Halle schon gebaut?", "de"),
        ("Which dies are in stock?", "en"),
        ("Was ist ein Aal?", "de"),
        ("In wie vielen Dokumenten steht Kiel?", "de"),
        ("Summarise the Mietvertrag", "en"),
        ("\u00bfCu\u00e1ntos documentos hay?", "en"),
    ],
)
def test_the_language_of_a_question_is_told_by_how_it_opens(question, language):
    assert asked_in(question) == language


def test_a_saying_without_german_stays_english_and_numbers_are_as_the_language_writes_them():
    assert say("de", "Nothing of {kind}.", kind="it") == "Nothing of it."
    assert say("de", "There are {number} documents.", number=1200) == "Es gibt 1.200 Dokumente."
    assert [counted("en", n, "policy") for n in (1, 1200)] == ["1 policy", "1,200 policies"]
