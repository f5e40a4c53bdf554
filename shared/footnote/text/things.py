"""Divides a question about several things: "What do Kestrel and Marram say about late deliveries?".

Each is asked of by itself, so each has its own evidence, and one of which nothing is found is
named.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from footnote.text.terms import has_root, stem, terms

LONGEST = 400  # characters of a question that is read: the patterns try each name in two ways
_NAME = r"[A-Z][\w&'-]*(?: (?:of )?[A-Z0-9][\w&'-]*)*"
_THING = rf"(?>(?:[Tt]he )?{_NAME})"
_NOUN = r"(?: (?!and\b|or\b|with\b)[a-z]\w+)"
_BOTH = (
    rf"(?P<a>{_THING}){_NOUN}?(?:, (?P<more>{_THING}){_NOUN}?)?,? (?:and|with|to) (?P<b>{_THING})"
)
_SAYS = r"(?:say|said|write|state|report|offer|promise|require|ask|provide|charge)"
_SAYING = re.compile(
    rf"(?:(?:[Pp]lease )?[Cc]ompare what|[Ww]hat (?P<aux>do|did|have)) (?:both )?{_BOTH}{_NOUN}?"
    rf" (?P<says>{_SAYS})(?P<rest> (?:about|on|of|in|for|as|regarding|concerning) (?P<topic>.+))"
)
_ON_A_POINT = re.compile(
    rf"(?:(?:[Pp]lease )?[Cc]ompare|[Hh]ow (?:do|did)) (?:both )?{_BOTH}{_NOUN}? (?:differ )?"
    r"(?:on|in|for|by|regarding|as to|in terms of) (?:their )?(?P<topic>.+)"
)
_ONE = {"do": "does", "have": "has"}


class OfThing(NamedTuple):
    """A question about one thing, by the stems of what it is called and of what is asked of it."""

    text: str
    name: frozenset[str]
    topic: frozenset[str]

    def is_said_in(self, text: str) -> bool:
        """Tells whether a text names the thing and has all words of the topic, by their roots."""
        said = frozenset(terms(text))
        return _has_all(self.name, said) and _has_all(self.topic, said)


def of_each_thing(question: str) -> list[OfThing]:
    """Returns a question of each of two or three things; none where it asks of no such things."""
    plain = question.strip().rstrip("?. ")
    if len(plain) > LONGEST:
        return []
    saying = _SAYING.fullmatch(plain)
    found = saying or _ON_A_POINT.fullmatch(plain)
    if found is None:
        return []
    names = [name for name in (found["a"], found["more"], found["b"]) if name]
    if saying:
        aux = _ONE.get(saying["aux"] or "do", "did")
        texts = [f"What {aux} {name} {saying['says']}{saying['rest']}?" for name in names]
    else:
        texts = [f"What is said of {name} and {found['topic']}?" for name in names]
    topic = frozenset(terms(found["topic"]))
    stems = [frozenset(terms(name)) - {stem("the")} for name in names]
    if not topic or not all(stems) or len(set(stems)) < len(names):
        return []
    return [OfThing(*each, topic) for each in zip(texts, stems, strict=True)]


def _has_all(wanted: Collection[str], said: Collection[str]) -> bool:
    return all(has_root(word, said) for word in wanted)
