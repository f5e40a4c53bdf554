"""Tells which documents a question compares: a few that it names, or all of a small scope."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from footnote.ask.whole.items import Names, name_terms
from footnote.model import Entry
from footnote.text.terms import numbers, terms

MOST_COMPARED = 4  # documents of one comparison
MOST_PIECES = 8  # of the names in a question
_BEGINS = re.compile(
    r"(?:please |bitte )?(?:can you |could you |kannst du |k\u00f6nnen sie )?(?:"
    r"compare|contrast|differences? (?:between|of)"
    r"|what (?:is|are) (?:the )?(?:main |key )?(?:differences?|different)(?: (?:between|in|of))?"
    r"|what differs(?: (?:between|in))?|what(?: has|'s| is| have)? changed(?: (?:between|from|in))?"
    r"|how (?:do|does|did|has|have)(?= .{1,200}(?:differ|compare|changed?)\b)"
    r"|vergleichen?(?: sie)?|unterschiede? zwischen|was unterscheidet"
    r"|(?:was|worin|wie) unterscheide[nt] sich"
    r"|(?:was (?:ist|sind)|welche) (?:der |die )?unterschiede?(?: gibt es)? zwischen"
    r"|was hat sich(?: (?:von|zwischen))?"
    r")(?=\W|$) ?",
    re.IGNORECASE,
)
_ENDS = re.compile(r" (?:differ|compare|ge\u00e4ndert|vergleichen)$", re.IGNORECASE)
_JOINTS = re.compile(
    r" ?, (?:and |und )?| (?:and|with|to|against|versus|vs\.?|differs? from|compares? (?:to|with)"
    r"|und|mit|zu|von|gegen) ",
    re.IGNORECASE,
)
_ABOUT = re.compile(  # "the staff in the 2024 and the 2025 report"
    r"(?: (?:differ|compare|changed?))? (?:in|of|between|from|zwischen|im|in den|der|des) ",
    re.IGNORECASE,
)
_SAY = r"(?:say|state|write|provide|specify)"
_ON = (
    r"(?:about|on|regarding|concerning|as to|with (?:regard|respect) to|in terms of"
    r"|\u00fcber|zu[mr]?|hinsichtlich|bez\u00fcglich|in bezug auf)"
)
_SAYING = re.compile(  # "Compare what the lease and the handbook say about pets"
    r"(?:please |bitte )?(?:can you |could you |kannst du |k\u00f6nnen sie )?(?:"
    rf"(?:compare|contrast) what (?P<docs>.{{3,200}}?) (?:each |both |have to )?{_SAY}s? {_ON}"
    r" (?P<topic>.{2,200})"
    rf"|what do (?P<both>.{{3,200}}?) (?:each |both |have to )?{_SAY} {_ON} (?P<of>.{{2,200}})"
    r"|vergleichen?(?: sie)?,? was (?:in )?(?P<de>.{3,200}?)"
    rf" {_ON} (?P<thema>.{{2,200}}?) (?:sagen|sagt|schreiben|steht|stehen|vorsehen|regeln)"
    rf"|was (?:sagen|schreiben|steht in|regeln) (?P<beide>.{{3,200}}?) {_ON} (?P<dazu>.{{2,200}})"
    r")",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"(?P<docs>.{{3,200}}?) {_ON} (?P<topic>.{{2,200}})", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|de[rnms]|die|das) ", re.IGNORECASE)
_ALL = frozenset(
    terms(
        "document documents file files these those them two three four both all version versions"
        " beide beiden diese dokumente dateien zwei drei vier alle fassungen"
    )
)
_COUNTS = frozenset(
    terms("two three four both all these those zwei drei vier beide beiden alle diese")
)


def compares(question: str) -> bool:
    """Tells whether a question asks how things differ. It may ask that of anything."""
    plain = " ".join(question.split()).strip(" ?!.")
    return bool(_BEGINS.match(plain) or _SAYING.fullmatch(plain))


class Compared(NamedTuple):
    """The documents that a question compares, and in what: "" for all that they say."""

    documents: Sequence[Entry] = ()
    topic: str = ""


def compared_documents(question: str, entries: Sequence[Entry], *, is_narrowed: bool) -> Compared:
    """Returns the documents that a question compares, in its order; none where it compares no such.

    `is_narrowed` tells whether the request names documents: then "What differs?" means these.
    """
    plain = " ".join(question.split()).strip(" ?!.")
    if saying := _SAYING.fullmatch(plain):
        called, topic = filter(None, saying.groupdict().values())
        found = _named(called, entries, is_narrowed=is_narrowed)
        return Compared(found, _ARTICLE.sub("", topic)) if found else Compared()
    begins = _BEGINS.match(plain)
    if not begins:
        return Compared()
    bare = _ENDS.sub("", plain[begins.end() :])
    if found := _named(bare, entries, is_narrowed=is_narrowed):
        return Compared(found)
    for place in _ABOUT.finditer(bare):
        topic, rest = bare[: place.start()], bare[place.end() :]
        if terms(topic) and (found := _named(rest, entries, is_narrowed=is_narrowed)):
            is_version = frozenset(_without_figures(terms(topic))) <= _ALL  # "version 2 of"
            return Compared(found, "" if is_version else topic)
    behind = _BEHIND.fullmatch(bare)  # "the lease and the handbook on pets"
    found = _named(behind["docs"], entries, is_narrowed=is_narrowed) if behind else []
    return Compared(found, _ARTICLE.sub("", behind["topic"])) if behind and found else Compared()


def _named(bare: str, entries: Sequence[Entry], *, is_narrowed: bool) -> list[Entry]:
    """Returns the documents that are named behind the words that ask for a comparison."""
    pieces = [piece for piece in _JOINTS.split(bare) if piece.strip()]
    wanted = name_terms(bare)
    if wanted <= _ALL and (wanted or is_narrowed):
        return _few(entries)
    if len(pieces) == 1:
        named = _called(wanted - _COUNTS, entries)
        return _few(named) if wanted & _COUNTS or _are_versions(named) else []
    if len(pieces) > MOST_PIECES:
        return []
    return next(filter(None, (_each(sides, entries) for sides in _groupings(pieces))), [])


def _are_versions(named: Sequence[Entry]) -> bool:
    """Tells whether documents are called the same but for figures: "policy-v1", "policy-v2"."""
    return len({frozenset(_without_figures(Names.of(one).terms)) for one in named}) == 1


def _without_figures(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if not any(map(str.isdigit, word)))


def _few(entries: Sequence[Entry]) -> list[Entry]:
    return list(entries) if 1 < len(entries) <= MOST_COMPARED else []


def _groupings(pieces: Sequence[str]) -> Iterator[list[frozenset[str]]]:
    """Yields the ways to read pieces as names: a name may have an "and" in it."""
    bags = [name_terms(piece) for piece in pieces]
    for sides in range(min(len(bags), MOST_COMPARED), 1, -1):
        for cuts in combinations(range(1, len(bags)), sides - 1):
            edges = (0, *cuts, len(bags))
            yield [frozenset().union(*bags[a:b]) for a, b in pairwise(edges)]


def _each(sides: Sequence[frozenset[str]], entries: Sequence[Entry]) -> list[Entry]:
    """Returns one document for each side; [] where a side names none, or several."""
    found = [_one(side, sides, entries) for side in sides]
    chosen = [one for one in found if one]
    different = {one.document_id for one in chosen}
    return chosen if len(different) == len(sides) else []


def _one(
    side: frozenset[str], sides: Sequence[frozenset[str]], entries: Sequence[Entry]
) -> Entry | None:
    """Returns the document that a side names.

    What another side says of both counts as well: "the 2024 and the 2025 lease".
    """
    for other in (sides[-1], sides[0], frozenset[str]()):
        shared = frozenset(word for word in other if not numbers(word))
        if len(named := _called((side | shared) - _ALL, entries)) == 1:
            return named[0]
    return None


def _called(wanted: frozenset[str], entries: Sequence[Entry]) -> list[Entry]:
    """Returns the documents whose title and path have all the words, or that are called just so."""
    named = [one for one in entries if wanted and wanted <= Names.of(one).terms]
    exact = [one for one in named if name_terms(one.document.rpartition("/")[2]) == wanted]
    return exact if len(exact) == 1 else named
