"""Asks back where a question points at something that neither it nor the history names.

The rules are for English and would rather go on than ask: they were chosen on questions of the
shared dialogues and of filings, where none that has an answer is asked back
(docs/experiments-answers.md, "Asked back by rules").
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from footnote.text.language import STOPWORDS, words
from footnote.text.smalltalk import WHICH_ONE
from footnote.text.terms import stem, terms

_STOP = STOPWORDS["en"]
_PRONOUN = re.compile(r"\b(it|its|he|she|him|her|his|hers|they|them|their|theirs)\b", re.IGNORECASE)
_PERSONS = frozenset({"he", "she", "him", "her", "his", "hers"})
_OWNERS = frozenset({"its", "his", "their"})
_HOW = frozenset(map(stem, ("much", "many", "long", "old", "often", "far", "big", "high", "well")))
# "this", "that", "there" that stand alone, at the end or before a word that no noun follows
_ALONE = re.compile(
    r"\b(?:(?:of|about|in|to|from|by|for|with|is|was|does|did|said|do)\s+(this|that|these|those)"
    r"|(?:\w+\s+)(there))\s*$",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(this|these)\s+((?:[\w\u2019'-]+\s*){1,6})", re.IGNORECASE)
# "Is it true that …", "what does it cost to …", "what time is it": nothing is meant by "it"
_NOBODY = re.compile(
    r"\b(?:is|was|will|would|does|did|can|could|should|has|had|might|may)\s+it\s+"
    r"(?:be\s+|been\s+|ever\s+|also\s+|really\s+|still\s+|not\s+)*"
    r"(?:take|true|possible|legal|illegal|allowed|permitted|necessary|required|better|worth|safe|ok"
    r"|okay|mandatory|normal|common|important|advisable|likely|mean|matter|make sense|rain|snow)\b"
    r"|\bit\s+(?:costs?|needs?|pays?|hurts?|helps?|works?|counts?)\s+(?:\w+\s+)?(?:to|if|that)\b"
    r"|\bit\s+(?:\w+\s+)?(?:free|cheap|cheaper|hard|easy|fine|enough|useful|wise|forbidden"
    r"|prohibited|dangerous|a problem|a good idea)\s+(?:\w+\s+)?(?:to|if|that|for)\b"
    r"|\bit\s+(?:is|was|takes|seems|appears|depends)\b|\btime is it\b|\bit's\b",
    re.IGNORECASE,
)
# Words for what is asked of, and for time: "this report", "this year" name themselves.
_KNOWN = {
    stem(word)
    for word in re.findall(
        r"\S+",
        "report reports document documents paper papers file files filing filings article articles"
        " study studies page pages section sections table tables figure figures chart charts text"
        " passage passages contract agreement manual book presentation slide slides policy letter"
        " memo guide collection corpus set data dataset question answer system"
        " year quarter month week day time date period season morning evening century decade"
        " way regard respect reason point kind type sort",
    )
}
# A noun phrase ends where one of these begins.
_ENDS = _STOP | frozenset(
    re.findall(
        r"\S+",
        "before over during between because via per have has had might must should been work works"
        " whom whose",
    )
)
_CLAUSE = re.compile(
    r"[.!?;:]\s+\S|,|.\b(?:and|or|but|if|when|while|because|although|than)\b", re.IGNORECASE
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|may|might)\s+$",
    re.IGNORECASE,
)
_NAME_OR_FIGURE = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w&.-]*|\d")
_COMPARED = re.compile(r"(?:please )?compare\b.*|.*\bcompares?", re.IGNORECASE)
_OTHER_SIDE = re.compile(
    r"\b(?:and|or|with|to|vs|versus|between|against|across|over|from|than|among|each|all|both|every"
    r"|by|these|those|different|various|other)\b|[,/;&]|\d\D+\d",
    re.IGNORECASE,
)
_WHICH = re.compile(r"(?:which|who) (?:one |of them )?is (?:the )?\w+(?:er|est)$", re.IGNORECASE)
_ASKS_IF = re.compile(r"\s*(?:is|are|was|were)\s+", re.IGNORECASE)  # "is this different": no noun
MAX_BEFORE = 6  # terms before "this": more may well name it
MAX_QUOTED = 200  # characters of the question that are said again
MAX_REPLY = 6  # terms of an answer to a question back; a longer one is a question of its own


_ASKED_WHICH = re.compile(rf"{re.escape(WHICH_ONE)} (\u201c[^?]+\u201d)\?(?: ?\[\d+\])*$")
_ORDINALS = ("first", "second", "third", "fourth")


class Gap(NamedTuple):
    """What is not known: the place in the question that the user's reply fills, and what to ask.

    The reply is put between `before` and `after`.
    """

    start: int
    end: int
    asks: str
    before: str = ""
    after: str = ""


def find_gap(
    question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()
) -> Gap | None:
    """Returns what has to be known before the question can be looked up, None if that is nothing.

    `documents` are those that the search is limited to: of a single one, "this" is that one.
    """
    text = question.rstrip(" ?!.")
    if not history and (found := _one_side(text) or _nobody_named(text)):
        return found
    return None if len(documents) == 1 else _pointing(text, history)


def fill(question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()) -> str:
    """Returns the last question with its gap filled by the user's reply, which `question` is.

    Returns "" where the last answer did not ask back, or where the reply is a question itself.
    """
    if not history or question.rstrip().endswith("?") or len(terms(question)) > MAX_REPLY:
        return ""
    *before, (asked, said) = history
    gap = find_gap(asked, before, documents)
    reply = question.strip(" ?!.")
    if gap is None or gap.asks != said or not reply:
        return ""
    return f"{asked[: gap.start]}{gap.before}{reply}{gap.after}{asked[gap.end :]}"


def chosen(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Returns the document that the user's reply names of those that the last answer asks about.

    Returns "" where it did not ask, or where the reply names none of them, or says more.
    """
    found = _ASKED_WHICH.search(history[-1][1]) if history else None
    if not found or question.rstrip().endswith("?"):
        return ""
    names: list[str] = re.findall(r"\u201c([^\u201c\u201d]+)\u201d", found[1])
    said = set(terms(re.sub(r"[\W_]+", " ", question))) - {"one"}
    for name, ordinal in zip(names, _ORDINALS, strict=False):
        if said == {stem(ordinal)}:
            return name
    own = {name: set(terms(re.sub(r"[\W_]+", " ", name))) for name in names}
    known = _KNOWN | set(terms(history[-1][0])) | set().union(*own.values())
    if not said or not said <= known:
        return ""
    best, *others = sorted(names, key=lambda name: -len(said & own[name]))
    is_one = all(len(said & own[best]) > len(said & own[other]) for other in others)
    return best if is_one else ""


def _nobody_named(text: str) -> Gap | None:
    """Finds a pronoun before which nothing is named."""
    if _CLAUSE.search(text):
        return None
    found = _PRONOUN.search(text)
    if found and not _NOBODY.search(text) and _names_nothing(text, found.start(), found.end()):
        return _gap_at(found, 1)
    found = _ALONE.search(text)
    if found and _names_nothing(text, found.start(found.lastindex or 0), len(text)):
        return _gap_at(found, found.lastindex or 0)
    return None


def _names_nothing(text: str, start: int, end: int) -> bool:
    """Tells whether what stands before a pronoun is no more than a verb."""
    told, left = text[:start], text[end:]
    if text[start:end].casefold() == "they" and len(terms(left)) > 1:
        return False  # "where do they film …": people
    named = [term for term in terms(told) if term not in _HOW]
    return not _NAME_OR_FIGURE.search(f"{told} {left}") and len(named) <= int(not left)


def _gap_at(found: re.Match[str], group: int) -> Gap:
    word = found[group]
    who = "Who" if word.casefold() in _PERSONS else "What"
    after = "'s" if word.casefold() in _OWNERS else ""
    asks = f"{who} do you mean by “{word}”?"
    return Gap(found.start(group), found.end(group), asks, after=after)


def _pointing(text: str, history: Sequence[tuple[str, str]]) -> Gap | None:
    """Finds "this country" where no country was spoken of."""
    found = _POINTING.search(text)
    if found is None:
        return None
    before, named = text[: found.start()], _noun_phrase(found[2])
    is_whole = len(words(named)) == 1
    if _says_enough(before) or (is_whole and _ASKS_IF.fullmatch(before)):
        return None
    told = " ".join((*(said for pair in history for said in pair), before))
    stems = set(map(stem, words(named)))
    if not stems or named.endswith("ing") or stems & (_KNOWN | set(map(stem, words(told)))):
        return None
    if is_whole or not _AUXILIARY.search(before):
        end = found.start(2) + len(named)
        return Gap(found.start(), end, f"Which {named} do you mean?")
    # where the noun ends and a verb begins, as in "did this company grow", no rule here knows
    quoted = f"{found[1]} {named}" if len(text) > MAX_QUOTED else text
    asks = f"What do you mean by “{found[1]}” in “{quoted}”?"
    return Gap(len(text), len(text), asks, " (", ")")


def _says_enough(before: str) -> bool:
    """Tells whether the words before "this" may name what it points at, or are no question."""
    if _CLAUSE.search(before) or _NAME_OR_FIGURE.search(before):
        return True
    told = words(before)
    return not told or told[-1] not in _STOP or len(terms(before)) > MAX_BEFORE


def _noun_phrase(text: str) -> str:
    """Returns the words up to the first that begins something else."""
    kept = ""
    for piece in re.findall(r"[\w\u2019'-]+\s*", text):
        if piece.strip().casefold() in _ENDS:
            break
        kept += piece
    return kept.rstrip()


def _one_side(text: str) -> Gap | None:
    """Finds a comparison of which one side is named, or none."""
    at = len(text)
    if _OTHER_SIDE.search(text):
        return None
    if _COMPARED.fullmatch(text):
        return Gap(at, at, "What would you like to compare it with?", " with ")
    if terms(text) == (stem("difference"),):
        return Gap(at, at, "The difference between what do you mean?", " between ")
    if _WHICH.fullmatch(text):
        return Gap(at, at, "Which ones do you mean?", " of ")
    return None
