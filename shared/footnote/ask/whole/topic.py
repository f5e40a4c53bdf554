"""Reads what a list or a count is about: the words, figures and kind that an item must have."""

import re
from collections.abc import Collection
from typing import NamedTuple

from footnote.ask.whole.duties import DUTIES, obliges
from footnote.text.language import STOPWORDS
from footnote.text.terms import has_root, numbers, stem, terms

# nouns of the form "all members of the board": who lists the board's members lists the board
_GENERIC = frozenset(
    terms(
        "member members item items entry entries name names kind kinds type types thing things"
        " list lists person people step steps instruction instructions different various available"
    )
)
_GERMAN = re.compile(r"\b(?:de[rms]|das|und|vom|im|f\u00fcr)\b", re.IGNORECASE)
DOCUMENT_NOUNS = (
    r"documents|files|reports|contracts|agreements|letters|invoices|policies|memos|minutes"
)
_HOW_MANY = r"(?:in )?(?:how many|which)(?: of the)?(?: different)? "
_COUNTED = re.compile(rf"{_HOW_MANY}({DOCUMENT_NOUNS})\b", re.IGNORECASE)
_ANY_COUNTED = re.compile(rf"{_HOW_MANY}([a-z][a-z-]{{2,30}})\b", re.IGNORECASE)
_SAYS = (
    r"(?:mention|say|speak of|speak about|talk about|refer to|state|name|are about"
    r"|erw\u00e4hnen|nennen|handeln von|sprechen von)"
)
_SAYING = re.compile(
    rf"(?:that |which )?(?:do(?: not|n['\u2019]t) )?{_SAYS}\b"
    r"|.* (?:erw\u00e4hnt|genannt|die rede)$",
    re.IGNORECASE,
)
_HAVING = re.compile(rf"(?:that |which )?(?:{_SAYS}|contain|have|enthalten|haben)\b", re.IGNORECASE)
_LACKING = re.compile(
    rf"(?:that |which )?(?:do(?: not|n['\u2019]t) (?:{_SAYS}|have|contain|include)|lack"
    rf"|(?:are )?without|(?:{_SAYS}|have|contain|include) no|(?:are )?missing)\b(?: an?\b| any\b)? "
    r"(?P<topic>.+)"
    rf"|(?:die )?(?:{_SAYS}|haben|enthalten|sind) (?:kein(?:e[nrms]?)?|ohne) (?P<kein>.+)"
    rf"|(?:die )?(?:{_SAYS}|haben|enthalten) (?P<nicht>.+) nicht",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:is|are|was|were) (.+) (?:named|mentioned|spoken of|referred to|found|stated)",
    re.IGNORECASE,
)
_GERMAN_COUNTED = re.compile(
    r"(?:in )?(?:wie ?viele[nr]?|welchen?)(?: der| von den)? [^\W\d_]{3,30} ", re.IGNORECASE
)
_BARE_YEAR = re.compile(r"(?<=[a-z]en) (?=(?:19|20)\d\d$)", re.IGNORECASE)
ANY_DOCUMENT = frozenset({"documents", "files"})


class Topic(NamedTuple):
    """What an item must have: `words` by stem, and `figures`.

    With `duties` it is a sentence that says what the one who is named in it must do.
    """

    text: str
    words: frozenset[str]
    figures: frozenset[str]
    duties: bool = False

    def missing(self, own: Collection[str]) -> frozenset[str]:
        """Returns the words that are not among these terms.

        Words of one root count as one: who lists suppliers of rope asks who supplies rope. A word
        alone must be there itself.
        """
        if len(self.words) == 1:
            return self.words.difference(own)
        forms = {*own, *map(_fold, own)}
        return frozenset(
            word
            for word in self.words
            if not (has_root(word, forms) or has_root(_fold(word), forms))
        )

    def says_duty(self, text: str) -> bool:
        """Tells whether a sentence says what the one must do whom all words of the topic name."""
        return obliges(text, self._is_named)

    def _is_named(self, text: str) -> bool:
        return not self.missing(set(terms(text)))


def _fold(term: str) -> str:
    """Returns a term as others of its root begin: "suppli" for "supply", as in "supplier"."""
    return f"{term[:-1]}i" if term.endswith("y") else term


def read_topic(text: str) -> Topic:
    """Reads the words that a topic's items must have; without any of them, `words` is empty."""
    duties = bool(DUTIES.search(text))
    bare = DUTIES.sub(" ", text) if duties else text
    words = frozenset(terms(bare))
    if _GERMAN.search(text):  # too short to be told by its words
        words -= frozenset(map(stem, STOPWORDS["de"]))
    figures = frozenset(numbers(bare))
    particular = words - _GENERIC or words
    return Topic(text, particular - figures or particular, figures, duties)


def noun_of(question: str) -> str:
    """Returns what the documents are called that a question counts or lists, or ""."""
    counted = _COUNTED.match(" ".join(question.split()))
    return counted[1].casefold() if counted else ""


def any_noun_of(question: str) -> str:
    """Returns what a question counts or lists, whatever it is called, or ""."""
    counted = _ANY_COUNTED.match(" ".join(question.split()))
    return counted[1].casefold() if counted else ""


def condition_of(question: str) -> str:
    """Returns what a question asks of each of what it counts: "have no due date"."""
    plain = " ".join(question.split()).strip(" ?!.")
    for counted in (_GERMAN_COUNTED, _ANY_COUNTED):
        if counted.match(plain):
            return counted.sub("", plain, count=1).strip()
    return plain


def topic_without_noun(question: str) -> str:
    """Returns what a question asks of the documents that it counts."""
    bare = condition_of(question)
    named = _NAMED.fullmatch(bare)
    return named[1] if named else _HAVING.sub("", bare, count=1).strip()


def lacking_of(question: str) -> str:
    """Returns what is asked to be lacking: "a due date" of "which have no due date"; or ""."""
    lacking = _LACKING.fullmatch(condition_of(question))
    return next(filter(None, lacking.groups()), "").strip() if lacking else ""


def asks_what_is_said(question: str) -> bool:
    """Tells whether a question asks what documents say ("mention"), not what they have or are."""
    condition = condition_of(question)
    return bool(_SAYING.match(condition) or _NAMED.fullmatch(condition))


def says_or_has(question: str) -> bool:
    """Tells whether a question asks which of several say, have or lack something."""
    condition = condition_of(question)
    return bool(_HAVING.match(condition) or _LACKING.fullmatch(condition))


def rows_question(question: str) -> str:
    """Returns what is asked of each thing as a question for rows: "which rows have no due date".

    In German a year needs no preposition: "enden 2027".
    """
    return f"which rows {_BARE_YEAR.sub(' in ', condition_of(question))}"
