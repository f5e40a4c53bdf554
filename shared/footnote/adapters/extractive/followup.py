"""Resolves follow-ups such as "and the year before?": the last question supplies what they omit."""

import re
from collections.abc import Sequence

from footnote.adapters.extractive.subject import subject_of
from footnote.text.language import STOPWORDS, words
from footnote.text.terms import terms

_OPENING = re.compile(
    r"(?:and|but|so|what about|how about|what of|and what about|und|und was ist mit|et)\b[,:]?\s*",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|this|that|those|these|there|same|then)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:the )?(?:year before(?: that)?|(?:previous|prior|preceding|last) (?:fiscal )?year)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:the )?(?:year after(?: that)?|(?:next|following) (?:fiscal )?year)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NAME = re.compile(r"[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*")
LONG = 7  # terms; a longer question stands on its own unless it opens like "and what about"
FRAGMENT = 2  # terms of what asks without a verb: "Investments?"
# "Is it true that", "there are", "the fact that": these point at nothing before.
_EMPTY = re.compile(
    r"\b(?:is|was|would|will) (?:it|that|this)(?= (?:true|possible|necessary|legal|safe|better|good"
    r"|bad|worth|okay|ok|normal|illegal|allowed)\b)|\bthere(?= (?:is|are|was|were|any|a|an|be)\b)"
    r"|\b(?:is|are|was|were) there\b|(?<=\w )\bthat\b(?= \w)|\bat the same\b|\bthe same\b"
    r"|\bthis (?:year|month|week|time|day)\b",
    re.IGNORECASE,
)
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
    for rewrite in (_other_year, _other_name):
        if text := rewrite(rest, last):
            return text, f"follows up on {last!r}"
    subject = subject_of([asked for asked, _ in history])
    new = {stem for word in words(rest) for stem in terms(word)}
    kept = " ".join(word for word in subject.split() if not set(terms(word)) <= new)
    return (f"{question.rstrip('?')} ({kept})?" if kept else question), f"follows up on {last!r}"


def _follows_up(question: str) -> bool:
    """Returns whether a question leaves out what it is about.

    It opens like one that goes on, has a word that points back, or is a fragment: "Investments?".
    """
    asked = terms(question)
    if _OPENING.match(question):
        return True
    if len(asked) <= LONG and _BACK.search(_EMPTY.sub(" ", question)):
        return True
    return 0 < len(asked) <= FRAGMENT and not _WHOLE.match(question.strip())


def _other_year(rest: str, last: str) -> str:
    """Returns the last question for another year: a named one, or the one before or after.

    Returns "" when the follow-up asks for something other than a year.
    """
    found = _YEAR.findall(last)
    if not found:
        return ""
    step = -1 if _EARLIER.search(rest) else 1 if _LATER.search(rest) else 0
    named = _YEAR.findall(rest)
    left = set(terms(_LATER.sub("", _EARLIER.sub("", _YEAR.sub("", rest)))))
    if not (step or named) or left - set(terms(last)) - {"year", "fiscal"}:
        return ""
    return _YEAR.sub(named[0] if named else lambda year: str(int(year[0]) + step), last)


def _other_name(rest: str, last: str) -> str:
    """Returns the last question about another name, when both questions have one name only.

    Otherwise returns "".
    """
    new = rest.strip(" ?.!")
    names = [name for name in _NAME.findall(last[1:]) if name.casefold() not in STOPWORDS["en"]]
    if len(names) != 1 or not _NAME.fullmatch(new.removeprefix("for ").removeprefix("in ")):
        return ""
    return last.replace(names[0], new.removeprefix("for ").removeprefix("in "))
