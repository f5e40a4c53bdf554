"""Resolves follow-ups such as "and the year before?": the last question supplies what they omit."""

import re
from collections.abc import Sequence

from footnote.ask.planning.replaced import replaced
from footnote.ask.planning.subject import content_of, subject_of, topic_of_talk
from footnote.text.language import words
from footnote.text.terms import terms

_OPENING = re.compile(
    r"(?:and|but|so|what about|how about|what of|and what about|und|und was ist mit|et)\b[,:]?\s*",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|this|that|those|these|there|same|then)\b",
    re.IGNORECASE,
)
LONG = 7  # terms; a longer question stands on its own unless it opens like "and what about"
LITTLE = 1  # content words: too little without the main words of the last question
FRAGMENT = 2  # terms or words of what asks without a verb: "Investments?"
# "Is it true that", "there are", "the fact that": these point at nothing before.
_EMPTY = re.compile(
    r"\b(?:is|was|would|will) (?:it|that|this)(?= (?:true|possible|necessary|legal|safe|better|good"
    r"|bad|worth|okay|ok|normal|illegal|allowed)\b)|\bthere(?= (?:is|are|was|were|any|a|an|be)\b)"
    r"|\b(?:is|are|was|were) there\b|(?<=\w )\bthat\b(?= \w)|\bat the same\b|\bthe same\b"
    r"|\bthis (?:year|month|week|time|day)\b",
    re.IGNORECASE,
)
# "Is that more than", "how much of that", "in that year": this "that" points.
_POINTS = re.compile(
    r"^(?:is|was|are|were) (?:that|this|those|these)\b(?! (?:true|why|because)\b)"
    r"|\b(?:of|than|in|at|for|from|with|by|on) (?:that|those|these)\b"
    r"|\bthat (?:by|for|compare|mean|change|happen|yr|year|quarter|month|period|time)\b",
    re.IGNORECASE,
)
# All of a question, which the last one completes.
_BARE = re.compile(r"(?:why|how|when|where|who)(?: (?:so|come|not|exactly))?\W*", re.IGNORECASE)
# What begins like this is a question or a wish of its own.
_WHOLE = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will"
    r"|would|should|shall|may|might|must|has|have|had|am|list|name|tell|give|show|explain|define"
    r"|describe|find|compare|summari[sz]e|i|we|my|hi|hello|thanks?|please|ok|okay|yes|no)\b",
    re.IGNORECASE,
)


def resolve(question: str, history: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Returns the question as asked without a history, and why it was changed ("": it was not)."""
    if not history or not _follows_up(question):
        return question, ""
    last = history[-1][0]
    rest = _OPENING.sub("", question, count=1).strip()
    why = f"follows up on {last!r}"
    if text := replaced(rest, last, opened=rest != question.strip()):
        return text, why
    asked = [each for each, _ in history]
    says_little = len(content_of(rest)) <= LITTLE
    return _with(question, topic_of_talk(asked) if says_little else subject_of(asked)), why


def _with(question: str, carried: str) -> str:
    """Returns the question with the words in brackets that it does not have yet."""
    own = {stem for word in words(question) for stem in terms(word)}
    kept = " ".join(word for word in carried.split() if not set(terms(word)) <= own)
    return f"{question.rstrip(' ?.!')} ({kept})?" if kept else question


def _points_back(question: str) -> bool:
    return bool(_BACK.search(_EMPTY.sub(" ", question)) or _POINTS.search(question))


def _follows_up(question: str) -> bool:
    """Returns whether a question leaves out what it is about.

    It opens like one that goes on, has a word that points back, or is a fragment: "Investments?".
    """
    asked = terms(question)
    if _OPENING.match(question) or _BARE.fullmatch(question.strip()):
        return True
    if len(asked) <= LONG and _points_back(question):
        return True
    short = len(asked) <= FRAGMENT or len(question.split()) <= FRAGMENT
    return bool(asked) and short and not _WHOLE.match(question.strip())
