"""How a catalogue question is read: a grammar is tables of patterns, one for each language.

A question is one only where a pattern has consumed each of its words. What is left over would be a
condition that the documents table cannot tell: "How many contracts end in 2027?"
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from footnote.model.catalogue import CatalogueQuery, Dimension


class Ground(NamedTuple):
    """What a reading rests on besides the words.

    `has_collection` tells whether the caller may read a document in a collection of this name.
    """

    today: date
    has_collection: Callable[[str], bool]


type Change = Callable[[re.Match[str], CatalogueQuery, Ground], CatalogueQuery | None]
"""What a pattern adds to the question; None where it does not fit after all."""


class Rule(NamedTuple):
    """A pattern for the next words, and what they add."""

    pattern: re.Pattern[str]
    change: Change


class Head(NamedTuple):
    """How a question begins, and what it then is.

    With `names` the documents that are meant follow, and then conditions; else only these. `needs`
    is a condition that must be there: "Why did the documents …?" asks for those that failed.
    """

    pattern: re.Pattern[str]
    begins: CatalogueQuery
    names: bool = True
    needs: str = ""
    change: Change | None = None


class Grammar(NamedTuple):
    """The patterns of a language: `lead` is courtesy, `of_nouns` stand before a noun."""

    lead: re.Pattern[str]
    heads: Sequence[Head]
    of_nouns: Sequence[Rule]
    nouns: Sequence[Rule]
    conditions: Sequence[Rule]
    follows: re.Pattern[str]
    one: re.Pattern[str]
    """A noun in the singular: the newest document is one."""


def phrase(pattern: str) -> re.Pattern[str]:
    """Returns a pattern for whole words at the beginning of what is left."""
    return re.compile(rf"(?:{pattern})(?=[\s,;:]|$)", re.IGNORECASE)


def merge(query: CatalogueQuery, changes: Mapping[str, object]) -> CatalogueQuery:
    """Adds to the values of conditions that have several, and replaces the others."""
    joined: dict[str, object] = {}
    for name, value in changes.items():
        before = getattr(query, name)
        if isinstance(before, tuple) and isinstance(value, tuple):
            joined[name] = tuple(dict.fromkeys(before + value))
        else:
            joined[name] = value
    return query.model_copy(update=joined)


def rule(pattern: str, change: Change) -> Rule:
    """Returns the rule of whole words."""
    return Rule(phrase(pattern), change)


def head(
    pattern: str,
    begins: CatalogueQuery,
    *,
    names: bool = True,
    needs: str = "",
    change: Change | None = None,
) -> Head:
    """Returns the head of whole words."""
    return Head(phrase(pattern), begins, names, needs, change)


def grouped(dimension: Dimension) -> CatalogueQuery:
    """Returns the question that groups all documents."""
    return CatalogueQuery(shows="groups", by=dimension)


def sets(pattern: str, **changes: object) -> Rule:
    """Returns the rule of words that always mean the same."""
    return Rule(phrase(pattern), lambda _, query, __: merge(query, changes))


def skips(pattern: str) -> Rule:
    """Returns the rule of words that add nothing."""
    return Rule(phrase(pattern), lambda _, query, __: query)


def read_next(
    rest: str, query: CatalogueQuery, rules: Sequence[Rule], ground: Ground
) -> tuple[str, CatalogueQuery] | None:
    """Returns what is left after the first rule that fits, and the question with it."""
    for rule in rules:
        match = rule.pattern.match(rest)
        if match and match.end():
            changed = rule.change(match, query, ground)
            if changed is not None:
                return rest[match.end() :].lstrip(" ,;:"), changed
    return None


def read_all(
    rest: str, query: CatalogueQuery, rules: Sequence[Rule], ground: Ground
) -> CatalogueQuery | None:
    """Returns the question with all that is left; None where a word fits no rule."""
    while rest:
        step = read_next(rest, query, rules, ground)
        if step is None:
            return None
        rest, query = step
    return query


def read(text: str, grammar: Grammar, ground: Ground) -> CatalogueQuery | None:
    """Returns what a question asks of the catalogue; None if it is no such question."""
    rest = text
    while lead := grammar.lead.match(rest):
        rest = rest[lead.end() :]
    for head in grammar.heads:
        if not (match := head.pattern.match(rest)):
            continue
        left = rest[match.end() :].lstrip(" ,;:")
        begun = _begin(head, match, ground)
        query = (
            _read_named(left, begun, grammar, ground)
            if head.names
            else read_all(left, begun, grammar.conditions, ground)
        )
        if query is not None and (not head.needs or getattr(query, head.needs)):
            return query
    return None


def _begin(head: Head, match: re.Match[str], ground: Ground) -> CatalogueQuery:
    changed = head.change(match, head.begins, ground) if head.change else None
    return changed or head.begins


def follow(
    text: str, last: CatalogueQuery, grammar: Grammar, ground: Ground
) -> CatalogueQuery | None:
    """Returns the last question with what a later one changes of it: "And PDFs?".

    It is None where the later one says more than conditions.
    """
    rest = text
    while lead := grammar.follows.match(rest):
        rest = rest[lead.end() :]
    rules = (*grammar.conditions, *grammar.nouns, *grammar.of_nouns)
    said = read_all(rest, CatalogueQuery(), rules, ground) if rest else None
    if said is None or said == CatalogueQuery():
        return None
    new = last.model_copy(update={name: getattr(said, name) for name in said.model_fields_set})
    return new if new.statuses or not said.with_reasons else None  # why what?


def _read_named(
    rest: str, query: CatalogueQuery, grammar: Grammar, ground: Ground
) -> CatalogueQuery | None:
    """Reads what is asked about ("the five newest PDF files"), then the conditions."""
    while rest:
        noun = read_next(rest, query, grammar.nouns, ground)
        if noun is not None:
            is_one = bool(grammar.one.match(rest))
            after = read_all(noun[0], noun[1], grammar.conditions, ground)
            if after is not None:
                return _limited(after) if is_one else after
        step = read_next(rest, query, grammar.of_nouns, ground)
        if step is None:
            return None
        rest, query = step
    return None


def _limited(query: CatalogueQuery) -> CatalogueQuery:
    """Wants one document where one was asked for in an order: "the newest document"."""
    is_first = query.order != "name" and not query.limit
    return query.model_copy(update={"limit": 1}) if is_first else query
