"""Tells which documents a question compares: a few that it names, or all of a small scope."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

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
    r"|how (?:do|does|did)(?= .{1,200}(?:differ|compare)\b)"
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
    return bool(_BEGINS.match(" ".join(question.split())))


def compared_documents(
    question: str, entries: Sequence[Entry], *, is_narrowed: bool
) -> list[Entry]:
    """Returns the documents that a question compares, in its order; [] where it compares no such.

    `is_narrowed` tells whether the request names documents: then "What differs?" means these.
    """
    plain = " ".join(question.split()).strip(" ?!.")
    begins = _BEGINS.match(plain)
    if not begins:
        return []
    bare = _ENDS.sub("", plain[begins.end() :])
    pieces = [piece for piece in _JOINTS.split(bare) if piece.strip()]
    wanted = name_terms(bare)
    if wanted <= _ALL and (wanted or is_narrowed):
        return _few(entries)
    if len(pieces) == 1:
        named = _called(wanted - _COUNTS, entries)
        return _few(named) if wanted & _COUNTS else []
    if len(pieces) > MOST_PIECES:
        return []
    return next(filter(None, (_each(sides, entries) for sides in _groupings(pieces))), [])


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
