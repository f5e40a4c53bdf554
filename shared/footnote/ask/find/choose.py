"""Chooses the strategy of a search by what is known before it: the question, the index, the model.

Every rule was measured, and leaves the choice at `hybrid` where it says nothing
(docs/experiments-search.md, "What `auto` chooses by").
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from footnote.ask.find.ports import Ports
from footnote.ask.query.reading import QueryReading
from footnote.model import Choice, Scope, Strategy
from footnote.text.language import STOPWORDS, words
from footnote.text.terms import terms

MOST = 0.5  # share of a scope's chunks in a language, from which on the scope is in it
_LONGEST_NAME = 4  # words
_LETTERS = frozenset(
    {"ar", "bg", "el", "fa", "he", "hi", "ja", "ko", "mk", "ru", "sr", "th", "uk", "zh"}
)
"""Languages in other letters than Latin ones."""
_MOST_BESIDE = 2  # terms beside an identifier that is still what the question is about
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u201e\u00ab\u00bb]+[\"\u201d\u201c\u00bb]"
)
_CODE = re.compile(r"(?<![\w./-])[^\W_]++(?:[-./_][^\W_]++)++(?![\w-])")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_LEAST_CODE = 6  # characters
# "COVID-19", "13-week", "mid-2023": one word and one number
_PLAIN = re.compile(r"[^\W\d_]+[-./_]\d+|\d+[-./_][^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITALS = re.compile(r"[A-Z]+")
_LONGEST_PART = 3  # letters of a part that are no word, unless all are capitals


class Reads(NamedTuple):
    """What an embedding model makes of languages: the one that it reads, and one for another."""

    only: str = ""  # "" for many
    across: bool = False


MODELS: Mapping[str, Reads] = {
    "all-MiniLM-L6-v2-s8": Reads(only="en"),
    "multilingual-e5-small-s8": Reads(across=True),
}
"""The models that were measured. Of others nothing is assumed."""

type Languages = Callable[[], Mapping[str, int]]
"""Tells how many chunks of a scope are in which language."""


def resolve(strategy: Strategy, reading: QueryReading, scope: Scope, ports: Ports) -> Choice | None:
    """Returns what a search goes by in place of the strategy that was named; None where by that.

    `auto` is always another. So is `semantic` for a question that the model cannot read.
    """
    if strategy == "semantic":
        return replace_unread(reading, ports.embedder.model)
    if strategy == "auto":
        return choose(reading, ports.embedder.model, partial(ports.index.languages, scope))
    return None


def choose(reading: QueryReading, model: str, languages: Languages) -> Choice:
    """Returns the strategy for a question and why; `languages` is asked only where it decides."""
    text = reading.text
    if is_quotation(text):
        return Choice(strategy="lexical", why="the question is a quotation")
    if code := identifier(text):
        return Choice(strategy="lexical", why=f"the question is about the identifier {code}")
    if is_bare_name(text):
        return Choice(strategy="navigate", why="the question is a bare name")
    return _by_language(reading, MODELS.get(model, Reads()), languages)


def replace_unread(reading: QueryReading, model: str) -> Choice | None:
    """Returns what a search by meaning goes by for a question that the model does not read.

    None for one that it reads.
    """
    only = MODELS.get(model, Reads()).only
    if not only or is_in(reading, only):
        return None
    return Choice(
        strategy="hybrid", why=f"the model reads one language ({only}), not the question's"
    )


def reads_across(model: str) -> bool:
    """Tells whether a model finds texts of one language by questions in another."""
    return MODELS.get(model, Reads()).across


def _by_language(reading: QueryReading, reads: Reads, languages: Languages) -> Choice:
    asked = reading.language
    if reads.only and asked in _LETTERS and _prevailing(languages()) == asked:
        why = f"question and documents are in a language ({asked}) that the model cannot read"
        return Choice(strategy="navigate", why=why)
    if reads.across:
        held = _prevailing(languages())
        if held and not is_in(reading, held):
            why = f"the documents are in another language ({held}) than the question"
            return Choice(strategy="semantic", why=why)
    return Choice(strategy="hybrid", why="nothing speaks for another strategy")


def _prevailing(counts: Mapping[str, int]) -> str:
    """Returns the language of most chunks, "" without one."""
    language, most = max(counts.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    return language if most > MOST * sum(counts.values()) else ""


def is_in(reading: QueryReading, language: str) -> bool:
    """Tells whether a query may be in a language: no other has more of its frequent words."""
    if language in _LETTERS or language not in STOPWORDS:
        return reading.language == language
    if reading.language in _LETTERS:
        return False
    said = words(reading.text)
    hits = {one: sum(word in known for word in said) for one, known in STOPWORDS.items()}
    return hits[language] == max(hits.values())


def is_quotation(text: str) -> bool:
    """Tells whether a question is nothing but words in quotation marks."""
    return bool(_QUOTED.fullmatch(text.strip(" ?!.")))


def identifier(text: str) -> str:
    """Returns the first code in a question, such as OC-26-0015, "" where it asks for much else."""
    for match in _CODE.finditer(text):
        code = match[0]
        telling = len(_DIGIT.findall(code)) > 1 and _LETTER.search(code)
        # "Flan-T5-small", "60-Hertz-Strom": words that are joined
        named = any(
            len(part) > _LONGEST_PART and not _CAPITALS.fullmatch(part)
            for part in _WORD.findall(code)
        )
        if telling and len(code) >= _LEAST_CODE and not named and not _PLAIN.fullmatch(code):
            beside = f"{text[: match.start()]} {text[match.end() :]}"
            return code if len(set(terms(beside))) <= _MOST_BESIDE else ""
    return ""


def is_bare_name(text: str) -> bool:
    """Tells whether a question is nothing but a name of two to four words."""
    said = text.strip(" ?!.").split()
    return 2 <= len(said) <= _LONGEST_NAME and all(
        any(letter.isupper() or letter.isdigit() for letter in word) for word in said
    )
