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

MOST = 0.5  # share of a scope's chunks in one language: with more, the scope is in it
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


class Languages(NamedTuple):
    """The only language that an embedding model reads, "" for many.

    `across` tells whether it finds texts in one language by questions in another.
    """

    only: str = ""
    across: bool = False


MODELS: Mapping[str, Languages] = {
    "all-MiniLM-L6-v2-s8": Languages(only="en"),
    "multilingual-e5-small-s8": Languages(across=True),
}
"""The models that were measured. Nothing is assumed of others."""

UNREAD = (
    "The question is in another language ({}) than most of the documents ({}), and the embedding"
    " model does not find across languages: ask in theirs, or set `EmbeddingModel` to multilingual."
)

type CountLanguages = Callable[[], Mapping[str, int]]
"""Counts the chunks of a scope by language."""


def resolve(strategy: Strategy, reading: QueryReading, scope: Scope, ports: Ports) -> Choice | None:
    """Returns the strategy that replaces the named one, and why; None where that one stays.

    `auto` is always replaced. So is `semantic` for a question that the model cannot read.
    """
    if strategy == "semantic":
        return replace_unread(reading, ports.embedder.model)
    if strategy == "auto":
        return choose(reading, ports.embedder.model, partial(ports.index.languages, scope))
    return None


def choose(reading: QueryReading, model: str, count_languages: CountLanguages) -> Choice:
    """Returns the strategy for a question, and why.

    `count_languages` is called only where the strategy depends on it.
    """
    text = reading.text
    if is_quotation(text):
        return Choice(strategy="lexical", why="the question is a quotation")
    if code := identifier(text):
        return Choice(strategy="lexical", why=f"the question is about the identifier {code}")
    if is_bare_name(text):
        return Choice(strategy="navigate", why="the question is a bare name")
    return _by_language(reading, MODELS.get(model, Languages()), count_languages)


def replace_unread(reading: QueryReading, model: str) -> Choice | None:
    """Returns what replaces a search by meaning where the model does not read the question.

    Returns None where it does.
    """
    only = MODELS.get(model, Languages()).only
    if not only or is_in(reading, only):
        return None
    return Choice(
        strategy="hybrid", why=f"the model reads one language ({only}), not the question's"
    )


def reads_across(model: str) -> bool:
    """Tells whether a model finds texts of one language by questions in another."""
    return MODELS.get(model, Languages()).across


def note_unread(
    reading: QueryReading, model: str, count_languages: CountLanguages
) -> tuple[str, ...]:
    """Notes that the documents are in another language than the question, and the model reads one.

    Returns () where they are in the same, or where the model may read both.
    """
    if not MODELS.get(model, Languages()).only:
        return ()
    prevailing = _prevailing_language(count_languages())
    if not prevailing or is_in(reading, prevailing):
        return ()
    return (UNREAD.format(reading.language, prevailing),)


def _by_language(
    reading: QueryReading, model_reads: Languages, count_languages: CountLanguages
) -> Choice:
    language = reading.language
    if (
        model_reads.only
        and language in _LETTERS
        and _prevailing_language(count_languages()) == language
    ):
        why = f"question and documents are in a language ({language}) that the model cannot read"
        return Choice(strategy="navigate", why=why)
    if model_reads.across:
        prevailing = _prevailing_language(count_languages())
        if prevailing and not is_in(reading, prevailing):
            why = f"the documents are in another language ({prevailing}) than the question"
            return Choice(strategy="semantic", why=why)
    return Choice(strategy="hybrid", why="nothing speaks for another strategy")


def _prevailing_language(counts: Mapping[str, int]) -> str:
    """Returns the language that more than `MOST` of the chunks are in, "" where there is none."""
    language, most = max(counts.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    return language if most > MOST * sum(counts.values()) else ""


def is_in(reading: QueryReading, language: str) -> bool:
    """Tells whether a query may be in a language: no other has more of its frequent words."""
    if language in _LETTERS or language not in STOPWORDS:
        return reading.language == language
    if reading.language in _LETTERS:
        return False
    query_words = words(reading.text)
    counts = {
        name: sum(word in frequent for word in query_words) for name, frequent in STOPWORDS.items()
    }
    return counts[language] == max(counts.values())


def is_quotation(text: str) -> bool:
    """Tells whether a question is nothing but words in quotation marks."""
    return bool(_QUOTED.fullmatch(text.strip(" ?!.")))


def identifier(text: str) -> str:
    """Returns the first code in a question, such as OC-26-0015; "" where it asks for more."""
    for match in _CODE.finditer(text):
        code = match[0]
        has_both = len(_DIGIT.findall(code)) > 1 and _LETTER.search(code)
        # "Flan-T5-small", "60-Hertz-Strom": words that are joined
        has_words = any(
            len(part) > _LONGEST_PART and not _CAPITALS.fullmatch(part)
            for part in _WORD.findall(code)
        )
        if has_both and len(code) >= _LEAST_CODE and not has_words and not _PLAIN.fullmatch(code):
            beside = f"{text[: match.start()]} {text[match.end() :]}"
            return code if len(set(terms(beside))) <= _MOST_BESIDE else ""
    return ""


def is_bare_name(text: str) -> bool:
    """Tells whether a question is nothing but a name of two to four words."""
    name = text.strip(" ?!.").split()
    return 2 <= len(name) <= _LONGEST_NAME and all(
        any(letter.isupper() or letter.isdigit() for letter in word) for word in name
    )
