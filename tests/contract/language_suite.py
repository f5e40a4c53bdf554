"""The suites of keyword search by language, scripts without blanks among them.

Both indexes pass LanguageSuite. InflectionSuite, in which words must be found in other forms, is
for OpenSearch alone: `-s` prints its figures.
"""

from collections.abc import Iterator

import pytest

from footnote.model import IndexedChunk
from footnote.ports import SearchIndex
from footnote.text.language import detect_language
from tests.contract.search_suite import find, indexed_chunk
from tests.languages import LANGUAGES, Query

# Questions whose document no available analyzer finds; remove one from here when it is fixed.
OUT_OF_REACH = {
    "de": frozenset({"mangelhafter Akku"}),  # the stemmer leaves -s: "Akkus"; "mangel-", "Mängel"
    "es": frozenset({"niños enfermos"}),  # it stems no word of four letters: "niño"
    "tr": frozenset({"SİGORTALAR"}),  # it takes "sigorta" for an inflected "sigor"
}


def documents() -> Iterator[IndexedChunk]:
    """Yields the documents of all languages, each with the language that parsing would detect."""
    for code, language in LANGUAGES.items():
        for topic, sentences in language.documents.items():
            text = language.joint.join(sentences)
            yield indexed_chunk(
                text, key=f"acme/{code}/{topic}.txt", language=detect_language(text)
            )


def missed_queries(index: SearchIndex, code: str, **scope: str) -> list[Query]:
    """Returns the questions whose first hit is another document."""
    wanted = [(query, f"{code}/{query.topic}.txt") for query in LANGUAGES[code].queries]
    return [query for query, path in wanted if first_hit(index, query.text, **scope) != path]


def first_hit(index: SearchIndex, text: str, **scope: str) -> str:
    hits = find(index, text, size=1, **scope)
    return f"{hits[0].collection}/{hits[0].document}" if hits else "nothing"


class LanguageSuite:
    """Needs a subclass with a fixture `index`: an empty index for the search suite's model."""

    def test_a_question_as_long_as_the_api_takes_is_answered(self, index: SearchIndex) -> None:
        index.write(list(documents()))
        unanswered = []
        for code, language in LANGUAGES.items():
            sentences = [text for each in language.documents.values() for text in each]
            hits = find(index, (language.joint.join(sentences) * 20)[:4000])
            if f"{code}/insurance.txt" not in {f"{hit.collection}/{hit.document}" for hit in hits}:
                unanswered.append(code)
        assert unanswered == []

    def test_a_question_of_many_different_words_is_answered(self, index: SearchIndex) -> None:
        index.write(list(documents()))
        words = "-".join(f"word{n}" for n in range(500))
        han = "".join(chr(0x4E00 + n) for n in range(3000))
        found = [first_hit(index, f"revenue {other}") for other in (words, han)]
        assert found == ["en/sales.txt"] * 2

    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("Der Quellenhof in Aachen hat 2019 drei Pumpen der Baureihe Hydra bestellt.", "de"),
            ("\u0424\u0438\u0440\u043c\u0430 Quellenhof \u0432 Aachen, Hydra, 2019.", "ru"),
            ("Quellenhof \u306f\u30dd\u30f3\u30d7\u3092\u6ce8\u6587\u3057\u305f\u3002", "ja"),
        ],
    )
    def test_the_names_of_a_long_question_are_found_in_other_languages(
        self, index: SearchIndex, text: str, language: str
    ) -> None:
        index.write(list(documents()))
        index.write([indexed_chunk(text, key="acme/x/order.txt", language=language)])
        asked = "which pumps did the house called Quellenhof order for its baths in the year before"
        for question in (asked, f"{asked} the next, and from whom"):
            hits = find(index, question, size=100)
            assert "x/order.txt" in {f"{hit.collection}/{hit.document}" for hit in hits}


class InflectionSuite:
    """Needs what LanguageSuite needs, and an index that knows how words are inflected."""

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_a_word_is_found_in_another_form(self, index: SearchIndex, code: str) -> None:
        index.write(list(documents()))
        misses, name = missed_queries(index, code, collection=code), LANGUAGES[code].name
        everywhere, asked = missed_queries(index, code), len(LANGUAGES[code].queries)
        print(
            f"\n{name:<9} hit@1 {asked - len(misses)}/{asked},"
            f" among all languages {asked - len(everywhere)}/{asked}",
            *(f"; missed: {query.text} ({query.shows})" for query in misses),
        )
        assert {query.text for query in misses} == OUT_OF_REACH.get(code, frozenset())
