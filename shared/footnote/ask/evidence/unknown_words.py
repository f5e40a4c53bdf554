"""Finds the words of a question that stand nowhere in what is searched: its unknown words.

Documents that never say 2022 cannot answer a question about 2022, however near their other words
are. The passages alone do not show that, as they are a few pages of many.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from footnote.accounting.glossary import FIGURES
from footnote.ask.evidence.passages import text_with_headings
from footnote.ask.query.reading import QueryReading
from footnote.model import Passage, Scope
from footnote.ports import SearchIndex
from footnote.text.language import STOPWORDS, detect_language, words
from footnote.text.names import has_name
from footnote.text.terms import spellings, stem, terms

MOST = 12  # words that are looked up, figures first: each is a search of some milliseconds
ENOUGH = 1_000
"""The least number of chunks, some 130,000 words, in which an unknown word means something. Answers
from less text often lack a word of their question: .44 of them where a conversation's few passages
were searched (docs/experiments-answers.md, "A word that stands nowhere in much text")."""
_LOOKED_AT = 3  # passages whose language is taken for that of what is searched
# Stems of words that ask, count, order, stand for anyone, or point at a part of a text: a document
# may well answer without them.
ASKING = frozenset(
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


def find_unknown_words(
    reading: QueryReading, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the question's words that neither the passages nor any text in the scope has.

    At most `MOST` words are looked up, and the others count as known.
    """
    passage_terms = {term for passage in passages for term in terms(text_with_headings(passage))}
    by_terms = {terms(word): word for word in words(reading.text) if word not in STOPWORDS["en"]}
    missing = [
        word for stems, word in by_terms.items() if stems and not passage_terms.issuperset(stems)
    ]
    missing.sort(key=lambda word: not word[0].isdigit())
    looked_up = missing[:MOST]
    present = index.present(looked_up, scope) if looked_up else set()
    return tuple(word for word in looked_up if word not in present)


def find_off_topic_words(
    reading: QueryReading,
    unknown: Iterable[str],
    passages: Sequence[Passage],
    scope: Scope,
    index: SearchIndex,
) -> tuple[str, ...]:
    """Returns the words that show that the documents are about something else.

    They are the `unknown` words but for periods, figures and words of asking. A word that signs
    join ("trim-paths") is one if the whole of it stands nowhere.

    There are none where the caller has named one document, which may use other words, where little
    text is searched, or where question and passages are in different languages.
    """
    if len(scope.names) == 1:
        return ()
    off_topic = [
        word
        for word in unknown
        if stem(word) not in ASKING and not _PERIOD.fullmatch(word) and not word[0].isdigit()
    ]
    # most joined words stand in the passages, and need no look-up
    texts = [text_with_headings(passage).casefold() for passage in passages]
    joined = [
        word for word in reading.joined_words if not any(word.casefold() in text for text in texts)
    ]
    if not off_topic and not joined:
        return ()
    languages = {detect_language(passage.text) for passage in passages[:_LOOKED_AT]}
    chunks = sum(index.languages(scope).values())
    if reading.language not in languages or chunks < ENOUGH:
        return ()
    present = index.present(joined[:MOST], scope) if joined else set()
    return (*off_topic, *(word for word in joined[:MOST] if word not in present))


def find_unrelated_documents(
    reading: QueryReading, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the ids of documents that have none of the question's names, or none of its code.

    What they say may be about something else. The index is asked only about documents whose
    passages do not settle it. If the caller has named one document, it counts as having the names,
    whatever it calls them; its code is looked for all the same.
    """
    called = reading.called_words - FIGURES if len(scope.names) != 1 else frozenset()
    codes = reading.code_words
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for passage in passages if called or codes else ():
        texts[passage.document_id].append(text_with_headings(passage))
    return tuple(
        document_id
        for document_id, own_texts in texts.items()
        if (called and not _has_name(called, own_texts, _only(scope, document_id), index))
        or (codes and not _has_code(codes, own_texts, _only(scope, document_id), index))
    )


def _has_name(
    called: frozenset[str], texts: Iterable[str], only: Scope, index: SearchIndex
) -> bool:
    if has_name(called, texts):
        return True
    any_of_them = " ".join(sorted(called))  # the index finds a text that has one of them
    return bool(index.present([any_of_them], only))


def _has_code(codes: Sequence[str], texts: Iterable[str], only: Scope, index: SearchIndex) -> bool:
    text = " ".join(texts).casefold()
    if any(spelling.casefold() in text for code in codes for spelling in spellings(code)):
        return True
    return bool(index.present(codes[:MOST], only))


def _only(scope: Scope, document_id: str) -> Scope:
    return scope.model_copy(update={"documents": (), "document_ids": {document_id: ""}})
