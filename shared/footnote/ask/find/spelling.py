"""Spells a question's words as the documents do, where no text in the scope has them as typed.

The documents themselves are the dictionary: a word is replaced only by one that they have, and a
note says so. What a model or a person reads stays the question as it was typed.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.evidence.unknown_words import ASKING, MOST
from footnote.ask.find.ports import Ports
from footnote.ask.query.reading import QueryReading
from footnote.model import Hit, Scope
from footnote.ports import SearchIndex
from footnote.text.language import STOPWORDS, words
from footnote.text.spelling import codes, frequent_word, intended_word, written_code
from footnote.text.terms import stem, terms


class Respelled(NamedTuple):
    """A question in the documents' spelling, and a note on what was replaced."""

    text: str
    note: str


def respell(
    reading: QueryReading, absent: Collection[str], scope: Scope, ports: Ports
) -> Respelled | None:
    """Returns the text in the documents' spelling, or None where they have no other.

    `absent` are its words that no text in the scope has.
    """
    typed_codes = codes(reading.text, absent)
    in_codes = {word for code in typed_codes for word in words(code)}
    typed_words = [
        word
        for word in absent
        if word.isalpha() and word not in in_codes and stem(word) not in ASKING
    ]
    spelled = {word: frequent_word(word, reading.language) for word in typed_words}
    unknown = [word for word in typed_words if not spelled[word]]
    looked_up = [*typed_codes, *unknown][:MOST]
    for typed, texts in _texts_alike(looked_up, scope, ports).items():
        spell = written_code if typed in typed_codes else intended_word
        spelled[typed] = " ".join(spell(typed, texts).split())
    spelled = {typed: word for typed, word in spelled.items() if word}
    if not spelled:
        return None
    told = ", ".join(f"“{typed}” but “{word}”" for typed, word in spelled.items())
    return Respelled(
        _replace(reading.text, spelled), f"No text has {told}: the search went for that."
    )


def absent_from(
    reading: QueryReading, hits: Sequence[Hit], scope: Scope, index: SearchIndex
) -> list[str]:
    """Returns the words of a query that neither its hits nor any text in the scope has."""
    there = {term for hit in hits for term in terms(f"{hit.chunk.title} {hit.chunk.indexed_text}")}
    stop = STOPWORDS.get(reading.language, frozenset())
    asked = [word for word in dict.fromkeys(words(reading.text)) if word not in stop]
    unknown = [word for word in asked if not there.issuperset(terms(word))][:MOST]
    present = index.present(unknown, scope) if unknown else set()
    return [word for word in unknown if word not in present]


def _texts_alike(typed: Sequence[str], scope: Scope, ports: Ports) -> dict[str, list[str]]:
    """Returns the visible texts that have something spelled nearly so, by what was typed."""
    alike = ports.index.spelled_alike(typed, scope) if typed else {}
    documents = sorted({hit.document_id for hits in alike.values() for hit in hits})
    versions = ports.catalog.visible_versions(documents, scope.groups) if documents else {}
    return {
        word: [hit.chunk.text for hit in hits if versions.get(hit.document_id) == hit.version]
        for word, hits in alike.items()
    }


def _replace(text: str, spelled: Mapping[str, str]) -> str:
    either = "|".join(map(re.escape, sorted(spelled, key=len, reverse=True)))
    folded = {typed.casefold(): word for typed, word in spelled.items()}
    pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])", re.IGNORECASE)
    return pattern.sub(lambda match: folded.get(match[0].casefold(), match[0]), text)
