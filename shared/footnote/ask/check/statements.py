"""Takes a claim apart into statements that can be checked one by one: "A did x and was y"."""

import re
from collections.abc import Sequence

from footnote.ask.check.parts import Part, parts_of

_SEAM = re.compile(
    r"(?<!\s)(?:\s*+;|(?:\s*+,)?\s++(?:and|but|while|whereas|although|though)"
    r"|\s*+,\s++(?:which|who|where|with))\s++",
    re.IGNORECASE,
)
# matches "costs were …" and "the plant …", but not "employs …" or "was …"
_OWN_SUBJECT = re.compile(
    r"(?:the|an?|its|their|our|his|her|this|that|these|those|each|all)\b"
    r"|(?:[\w'-]+ ){1,4}?(?:was|were|is|are|has|have|had|will|can|may|must|rose|fell|grew|declined"
    r"|increased|decreased|amounted|reached|totall?ed|stood)\b",
    re.IGNORECASE,
)
_LEAST = 2  # fewest parts of a statement; a subject put in front does not count


def divisions(text: str, language: str = "en") -> list[tuple[tuple[Part, ...], ...]]:
    """Returns the ways to take a claim apart into two or more statements, the finest first.

    Each later statement has the subject of the first in front. One with a subject of its own has
    only the names of the first in front.
    """
    # else the time for a run of blanks grows with the cube of its length
    text = " ".join(text.split())
    seams = list(_SEAM.finditer(text))
    if not seams or len(seams) > 6:
        return []
    ways = [seams] if len(seams) == 1 else [seams, *([seam] for seam in seams)]
    made = (_divide(text, way, language) for way in ways)
    return [statements for statements in made if statements]


def _divide(
    text: str, seams: Sequence[re.Match[str]], language: str
) -> tuple[tuple[Part, ...], ...]:
    starts = [0, *(seam.end() for seam in seams)]
    ends = [*(seam.start() for seam in seams), len(text)]
    pieces = [text[a:b] for a, b in zip(starts, ends, strict=True)]
    first, *later = (parts_of(piece, language) for piece in pieces)
    if any(len(parts) < _LEAST for parts in (first, *later)):
        return ()
    subject = subject_of(first)
    own = [bool(_OWN_SUBJECT.match(piece)) for piece in pieces[1:]]
    named = tuple(part for part in subject if part.kind == "name")
    fronts = (named if has else subject for has in own)
    return (first, *((*front, *parts) for front, parts in zip(fronts, later, strict=True)))


def subject_of(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Returns what a statement is about: its leading names, or else its first part."""
    names: list[Part] = []
    for part in parts:
        if part.kind == "name" or (not names and part.text[:1].isupper() and part.kind == "word"):
            names.append(part)
        elif names or part.kind != "period":
            break
    return tuple(names) if names else tuple(parts[:1])
