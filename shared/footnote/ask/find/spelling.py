"""Spells a question's words as the documents do, where no text in the scope has them as typed.

The documents themselves are the dictionary: a word is replaced only by one that they have, and a
note says so. What a model or a person reads stays the question as it was typed.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from footnote.ask.evidence.unknown_words import ASKING, MOST
from footnote.ask.find.choose import note_unread
from footnote.ask.find.ports import Ports
from footnote.ask.query.reading import QueryReading
from footnote.model import Scope
from footnote.text.language import STOPWORDS, words
from footnote.text.spelling import codes, frequent_word, intended_word, written_code
from footnote.text.terms import stem


class Reworded(NamedTuple):
    """A question as the documents would put it, and notes on what keeps them apart."""

    text: str
    notes: tuple[str, ...] = ()


def reword(reading: QueryReading, unknown: Collection[str], scope: Scope, ports: Ports) -> Reworded:
    """Returns a question in the documents' spelling; `unknown` are words that none of them has.

    A note says what was replaced, or that they are in a language which the model does not read.
    """
    if not unknown:
        return Reworded(reading.text)
    unread = note_unread(reading, ports.embedder.model, partial(ports.index.languages, scope))
    spelled = _spelled(reading, unknown, scope, ports)
    if not spelled:
        return Reworded(reading.text, unread)
    pairs = ", ".join(f"“{typed}” but “{word}”" for typed, word in spelled.items())
    note = f"No text has {pairs}: the search went for that."
    return Reworded(_replace(reading.text, spelled), (note, *unread))


def _spelled(
    reading: QueryReading, unknown: Collection[str], scope: Scope, ports: Ports
) -> dict[str, str]:
    """Returns what the documents write for unknown words and codes, where they have them."""
    typed_codes = codes(reading.text, unknown)
    in_codes = {word for code in typed_codes for word in words(code)}
    known_words = STOPWORDS.get(reading.language, frozenset()) | in_codes
    typed_words = [
        word
        for word in unknown
        if word.isalpha() and word not in known_words and stem(word) not in ASKING
    ]
    spelled = {word: frequent_word(word, reading.language) for word in typed_words}
    looked_up = [*typed_codes, *(word for word in typed_words if not spelled[word])][:MOST]
    for typed, texts in _texts_alike(looked_up, scope, ports).items():
        spell = written_code if typed in typed_codes else intended_word
        spelled[typed] = " ".join(spell(typed, texts).split())
    return {typed: word for typed, word in spelled.items() if word}


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
