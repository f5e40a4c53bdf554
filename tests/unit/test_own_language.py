"""What footnote says by itself stands in the language of the question."""

import re
from string import Formatter

import pytest

from footnote.ask.answer.in_language import emit_in, in_language, split_markers
from footnote.model import Answer, RemovedSentence, Sentence
from footnote.service import Service
from footnote.text.german_sayings import GERMAN
from footnote.text.own_language import asked_in, counted, say, translate
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
        ("Wann wurde der Kolibri gefangen?", "Kein befragtes Dokument hat: kolibri."),
        ("Wann zahlt der Mieter die Kaution?", "Es wurde kein Satz gefunden"),
        ("Wie teuer ist es?", "Keine Stelle mit diesen W\u00f6rtern"),
        ("Hallo", "Frag mich etwas"),
    ],
)
def test_a_german_question_is_answered_in_german_words(service, question, told):
    asked = service.questions.ask(question).question_id
    answer = service.questions.get(asked).answer
    events = service.questions.events(asked)
    streamed = [event.data["text"] for event in events if event.kind == "words"]
    assert not [text for text in streamed if "[" not in text and ENGLISH.search(text)]
    own = [one.text for one in answer.sentences if not one.citations] or [answer.answer]
    assert told in "\n".join(own)
    assert not [text for text in (*own, *answer.degraded) if ENGLISH.search(text)]
    assert [one.text for one in answer.sentences if one.text not in answer.answer] == []


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


@pytest.mark.parametrize(
    ("said", "german"),
    [
        (
            "No passage with these words was found. Looked for: a; b. 3 of 9 documents were asked.",
            (
                "Keine Stelle mit diesen W\u00f6rtern wurde gefunden. Gesucht: a; b. 3 von 9"
                " Dokumenten wurden befragt."
            ),
        ),
        (
            "The search stopped at the question's budget of 16 searches. Not fully found: pay",
            "Die Suche endete am Budget der Frage von 16 Suchen. Nicht ganz gefunden: pay",
        ),
        (
            (
                "Computed from these figures (sum of \u201csum of rent\u201d, 3 rows where Bank of"
                " Kiel is above 3): Bank of Kiel: 4 EUR, and 2 more."
            ),
            (
                "Aus diesen Zahlen berechnet (Summe von \u201csum of rent\u201d, 3 Zeilen mit Bank"
                " of Kiel ist above 3): Bank of Kiel: 4 EUR, und 2 weitere."
            ),
        ),
        (
            "\u201c3\u201d where the passage has \u201c4\u201d (figure); it cites nothing",
            "\u201e3\u201c, wo die Stelle \u201e4\u201c hat (Zahl); es zitiert nichts",
        ),
        ("A tenant pays. It was read.", "A tenant pays. It was read."),
        ("Rows of the sum", "Rows of the sum"),
    ],
)
def test_what_was_said_in_english_is_translated_with_its_values(said, german):
    assert translate("de", said) == german
    assert translate("en", said) == said


def test_words_of_documents_stay_and_what_code_works_out_is_german():
    own = "Computed from these figures (sum): 3 + 4 = 7."
    quoted = Sentence(text="It was read whole.", citations=(1,), checked="exact")
    answer = Answer(
        id="a",
        kind="answer",
        found=True,
        answer=f"It was read whole. [1] {own} [1][2]",
        sentences=(quoted, Sentence(text=own, citations=(1, 2), computed=("7: sum",))),
        removed=(RemovedSentence(text="x", reason="it cites nothing"),),
        degraded=("You are welcome.", "a model's own note"),
    )
    german = in_language("de", answer)
    assert german.answer == (
        "It was read whole. [1] Aus diesen Zahlen berechnet (Summe): 3 + 4 = 7. [1][2]"
    )
    assert german.degraded == ("Gern geschehen.", "a model's own note")
    assert german.removed[0].reason == "es zitiert nichts"
    assert in_language("en", answer) is answer


def test_words_that_are_streamed_are_those_of_the_answer():
    seen = []
    for text in ("It was read whole. [1]", "It was read whole.", "The documents differ: a. [1]"):
        emit_in("de", lambda _, data: seen.append(data["text"]), "words", {"text": text})
    assert seen == [
        *("It was read whole. [1]", "Es wurde ganz gelesen."),
        "Die Dokumente widersprechen sich: a. [1]",
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Two. [1][12]", ("Two.", " [1][12]")),
        ("Two.", ("Two.", "")),
        ("[1] Two [a] [2]x", ("[1] Two [a] [2]x", "")),
        ("[a][1]\n [2]", ("[a][1]\n", " [2]")),
        ("[3] [4]", ("", "[3] [4]")),
    ],
)
def test_the_markers_of_citations_are_those_at_the_end(text, parts):
    assert split_markers(text) == parts
