"""Finds the words of a question that stand nowhere in what is searched.

A question about 2022 cannot be answered by documents that know no 2022, however near their other
words are. The passages do not show that: they are a few pages of many.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from footnote.accounting.glossary import FIGURES
from footnote.ask.query.reading import QueryReading
from footnote.model import Passage, Scope
from footnote.ports import SearchIndex
from footnote.text.joined_words import spellings
from footnote.text.language import STOPWORDS, detect_language, words
from footnote.text.names import has_name
from footnote.text.terms import stem, terms

MOST = 12  # words that are looked up, figures first: each is a search of some milliseconds
ENOUGH = 1_000
"""Chunks that have the common words of a language, some 130,000 words. In fewer, an answer may well
lack a word of its question: where a conversation's few passages were searched, .44 of the questions
with an answer have such a word (docs/experiments-answers.md, "A word that stands nowhere in much
text")."""
_LOOKED_AT = 3  # passages that tell the language of what is searched
# Words that ask, count, order, stand for anyone, or point at a part of a text: a document need not
# have them to say what is asked for. Compared by their stems.
_ASKING = frozenset(
    stem(word)
    for word in words(
        "many much often long far total percentage percent proportion number amount average sum"
        " difference gap combined highest lowest longest largest smallest least according mention"
        " mentioned describe described discuss discussed state stated give given show shown list"
        " listed say said report reported refer referred provide provided indicate indicated"
        " include included contain contained explain explained emphasize emphasized question answer"
        " document slide page figure table chart graph paper speech text section appendix example"
        " information detail type kind way step thing reason aspect main key major specific"
        " particular overall related among whose based please write format integer round decimal"
        " order happen happened occur occurred concerning regarding name"
        " somebody someone anybody anyone everybody everyone nobody"
    )
)
_PERIOD = re.compile(r"(?:fy|cy)\d*|[qh][1-4](?:fy)?\d*")  # "fy24": reports write "fiscal 2024"


def absent_words(
    reading: QueryReading, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the question's words that neither the passages nor any text in the scope has.

    More than `MOST` words are not looked up: the rest counts as there.
    """
    known = {term for one in passages for term in terms(_text(one))}
    asked = {terms(word): word for word in words(reading.text) if word not in STOPWORDS["en"]}
    unknown = [word for stems, word in asked.items() if stems and not known.issuperset(stems)]
    unknown.sort(key=lambda word: not word[0].isdigit())
    asked_for = unknown[:MOST]
    there = index.present(asked_for, scope) if asked_for else set()
    return tuple(word for word in asked_for if word not in there)


def foreign_words(
    reading: QueryReading,
    absent: Iterable[str],
    passages: Sequence[Passage],
    scope: Scope,
    index: SearchIndex,
) -> tuple[str, ...]:
    """Returns words that speak of something else than the documents do.

    They are those of the `absent` words that are no periods and no words of asking, and words that
    signs join ("trim-paths") where the whole of one stands nowhere, whatever its parts do.

    There are none where the caller has named one document, which may well say it in other words,
    where little is searched, or where the question is in another language than the passages.
    """
    if len(scope.names) == 1:
        return ()
    found = [
        word
        for word in absent
        if stem(word) not in _ASKING and not _PERIOD.fullmatch(word) and not word[0].isdigit()
    ]
    # most joined words stand in what was found, which spares asking the index
    texts = [_text(one).casefold() for one in passages]
    joined = [
        word for word in reading.joined_words if not any(word.casefold() in one for one in texts)
    ]
    if not found and not joined:
        return ()
    there = {detect_language(passage.text) for passage in passages[:_LOOKED_AT]}
    if reading.language not in there or sum(index.languages(scope).values()) < ENOUGH:
        return ()
    whole = index.present(joined[:MOST], scope) if joined else set()
    return (*found, *(word for word in joined[:MOST] if word not in whole))


def strange_documents(
    reading: QueryReading, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the ids of documents that say nothing of what the question calls.

    They say none of its names, or none of its words that are written as code is. What they say may
    be of something else. Only documents whose passages have no such word are looked up. Where the
    caller has named one document, it is about the names, whatever it calls them; of code it is
    asked all the same.
    """
    called = reading.called_words - FIGURES if len(scope.names) != 1 else frozenset()
    codes = reading.code_words
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for one in passages if called or codes else ():
        texts[one.document_id].append(_text(one))
    return tuple(
        document_id
        for document_id, there in texts.items()
        if (called and not _is_named(called, there, _only(scope, document_id), index))
        or (codes and not _has_code(codes, there, _only(scope, document_id), index))
    )


def _is_named(
    called: frozenset[str], texts: Iterable[str], only: Scope, index: SearchIndex
) -> bool:
    if has_name(called, texts):
        return True
    any_of_them = " ".join(sorted(called))  # a text that has one of them is found
    return bool(index.present([any_of_them], only))


def _has_code(codes: Sequence[str], texts: Iterable[str], only: Scope, index: SearchIndex) -> bool:
    found = " ".join(texts).casefold()
    if any(spelled.casefold() in found for code in codes for spelled in spellings(code)):
        return True
    return bool(index.present(codes[:MOST], only))


def _only(scope: Scope, document_id: str) -> Scope:
    return scope.model_copy(update={"documents": (), "document_ids": {document_id: ""}})


def _text(passage: Passage) -> str:
    return " ".join((passage.document, passage.title, *passage.section, passage.text))
