"""Resolves follow-ups such as "and the year before?": the last question supplies what they omit."""

import re
from collections.abc import Sequence

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
SHORT = 4  # terms; a longer question stands on its own unless it opens like "and what about"


def resolve(question: str, history: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Returns the question as asked without a history, and why it was changed ("": it was not)."""
    if not history or not _follows_up(question):
        return question, ""
    last = history[-1][0]
    rest = _OPENING.sub("", question, count=1).strip()
    for rewrite in (_other_year, _other_name):
        if text := rewrite(rest, last):
            return text, f"follows up on {last!r}"
    carried = [word for word in words(last) if word not in STOPWORDS["en"]]
    new = set(words(rest))
    kept = " ".join(word for word in carried if word not in new)
    return (f"{question.rstrip('?')} ({kept})?" if kept else question), f"follows up on {last!r}"


def _follows_up(question: str) -> bool:
    short = len(terms(question)) <= SHORT
    return bool(_OPENING.match(question)) or (short and bool(_BACK.search(question)))


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
