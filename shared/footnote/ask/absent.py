"""Finds the words of a question that stand nowhere in what is searched.

A question about 2022 cannot be answered by documents that know no 2022, however near their other
words are. The passages do not show that: they are a few pages of many.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable

from footnote.model import Passage, Scope
from footnote.ports import SearchIndex
from footnote.text.glossary import FIGURES
from footnote.text.language import STOPWORDS, words
from footnote.text.names import called_words, names
from footnote.text.terms import terms

MOST = 12  # words that are looked up, figures first: each is a search of some milliseconds


def absent_words(
    question: str, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the question's words that neither the passages nor any text in the scope has.

    More than `MOST` words are not looked up: the rest counts as there.
    """
    known = {term for one in passages for term in terms(_text(one))}
    asked = {terms(word): word for word in words(question) if word not in STOPWORDS["en"]}
    unknown = [word for stems, word in asked.items() if stems and not known.issuperset(stems)]
    unknown.sort(key=lambda word: not word[0].isdigit())
    asked_for = unknown[:MOST]
    there = index.present(asked_for, scope) if asked_for else set()
    return tuple(word for word in asked_for if word not in there)


def strange_documents(
    question: str, passages: Iterable[Passage], scope: Scope, index: SearchIndex
) -> tuple[str, ...]:
    """Returns the ids of documents that say none of the names which the question calls.

    What they say may be of something else. There are none where the question calls no name, or
    where the caller has named one document: it is about that, whatever it calls it. Only documents
    whose passages have no such name are looked up.
    """
    called = called_words(question) - FIGURES
    if not called or len(scope.names) == 1:
        return ()
    known: defaultdict[str, set[str]] = defaultdict(set)
    for one in passages:
        known[one.document_id].update(names(_text(one), most=sys.maxsize))
    doubtful = [name for name, there in known.items() if called.isdisjoint(there)]
    any_of_them = " ".join(sorted(called))  # a text that has one of them is found
    return tuple(name for name in doubtful if not index.present([any_of_them], _only(scope, name)))


def _only(scope: Scope, document_id: str) -> Scope:
    return scope.model_copy(update={"documents": (), "document_ids": {document_id: ""}})


def _text(passage: Passage) -> str:
    return " ".join((passage.document, passage.title, *passage.section, passage.text))
