"""Follow-ups that put something else in a question's place: another year, quarter, name, phrase."""

import re
from collections.abc import Sequence

from footnote.ask.planning.subject import content_of
from footnote.text.language import STOPWORDS, words
from footnote.text.terms import terms

_EARLIER = re.compile(
    r"\b(?:the )?(?:year before(?: that)?|(?:previous|prior|preceding|last) (?:fiscal )?year)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:the )?(?:year after(?: that)?|(?:next|following) (?:fiscal )?year)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTER = re.compile(r"\b(?:q([1-4])|(first|second|third|fourth) quarter)\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_NAME = re.compile(r"[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*")
# A fragment that begins with one of these takes the place of a phrase that begins alike.
_ALIKE = tuple(
    map(
        frozenset,
        (
            ("in", "inside", "outside", "within", "across"),
            ("a", "an"),
            *((word,) for word in ("for", "from", "at", "by", "with", "under", "on", "about")),
        ),
    )
)
# A phrase ends before one of these, or behind a mark.
_ENDS = frozenset().union(*_ALIKE) | frozenset(
    words("of to and or as is are was were has have had do does did will would can could")
)
_ASKING = frozenset(words("what which who whom whose when where why how"))
_ARTICLES = frozenset(words("a an the"))
_TIMES = frozenset(words("quarter year years month months week day half end fiscal"))
_MOST = 5  # words of a phrase


def replaced(rest: str, last: str, *, opened: bool) -> str:
    """Returns the last question with what `rest` says in the place of its like, "" if it has none.

    `rest` is the follow-up without its opening: "in 2021", "Velmark", "for a tug". Unless `opened`,
    it had none: then one word is no name, for "Dividends?" looks like one.
    """
    bare = rest.strip(" ?.!")
    return (
        _other_year(bare, last)
        or _other_quarter(bare, last)
        or (_other_name(bare, last) if opened or " " in bare else "")
        or _other_phrase(bare, last)
    )


def _other_year(rest: str, last: str) -> str:
    """Returns the last question for another year: a named one, or the one before or after."""
    found = _YEAR.findall(last)
    step = -1 if _EARLIER.search(rest) else 1 if _LATER.search(rest) else 0
    named = _YEAR.findall(rest)
    left = set(terms(_LATER.sub("", _EARLIER.sub("", _YEAR.sub("", rest)))))
    if not (step or named) or left - set(terms(last)) - {"year", "fiscal"}:
        return ""
    if not found:
        return f"{last.rstrip(' ?')} in {named[0]}?" if named else ""
    return _YEAR.sub(named[0] if named else lambda year: str(int(year[0]) + step), last)


def _other_quarter(rest: str, last: str) -> str:
    new, old = _QUARTER.search(rest), _QUARTER.search(last)
    left = set(terms(_QUARTER.sub("", rest))) if new else set[str]()
    if not new or not old or left - set(terms(last)):
        return ""
    number = int(new[1]) if new[1] else _ORDINALS.index(new[2].casefold()) + 1
    said = f"Q{number}" if old[1] else f"{_ORDINALS[number - 1]} quarter"
    return last[: old.start()] + said + last[old.end() :]


def _other_name(rest: str, last: str) -> str:
    """Returns the last question about another name, where both have one name only."""
    new = rest.removeprefix("for ").removeprefix("in ")
    names = [name for name in _NAME.findall(last[1:]) if name.casefold() not in STOPWORDS["en"]]
    if len(names) != 1 or not _NAME.fullmatch(new) or _QUARTER.search(new):
        return ""
    own = "'s" if names[0].endswith("'s") and not new.endswith("'s") else ""
    return last.replace(names[0], new + own)


def _other_phrase(rest: str, last: str) -> str:
    """Returns the last question with a phrase in the place of the last one that begins alike."""
    said, new = last.rstrip(" ?!.").split(), rest.split()
    alike = next((each for each in _ALIKE if new and new[0].casefold() in each), None)
    if alike is None or not 1 < len(new) <= _MOST:
        return ""
    if not content_of(rest) or _ASKING.intersection(words(rest)):
        return ""  # "for them", "for how long" put nothing in a place
    for first in range(len(said) - 2, -1, -1):
        end = _end_of(said, first) if said[first].casefold() in alike else first
        if 1 < end - first <= _MOST:
            mark = said[end - 1][len(said[end - 1].rstrip(",;:")) :]
            return " ".join([*said[:first], rest + mark, *said[end:]]) + "?"
    return ""


def _end_of(said: Sequence[str], first: int) -> int:
    """Returns where the phrase that begins at `first` ends; at `first` where it is of a time."""
    begun = first + 2 if said[first + 1].casefold() in _ARTICLES else first + 1
    for n in range(begun, len(said)):
        if said[n].casefold() in _ENDS:
            return n
        if _YEAR.search(said[n]) or said[n].casefold().rstrip(",;:") in _TIMES:
            return first
        if said[n][-1] in ",;:":
            return n + 1
    return len(said)
