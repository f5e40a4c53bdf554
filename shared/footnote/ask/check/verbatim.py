"""Finds a claim that stands verbatim in a passage, and that nothing around it takes back."""

import re
from collections.abc import Sequence

from footnote.ask.check.lexicon import CONDITIONS, DENIALS, HEDGES, NEGATIONS
from footnote.model import Passage
from footnote.text.quotes import locate
from footnote.text.sentences import sentences

# what may stand before a claim in its sentence: else "former staff" would say what "staff" does
_BOUNDARY = re.compile(
    r"(?:^|[.!?,;:|()\u2013\u2014-]|\b(?:that|and|dass|und|que|et|che|y|e)|\n)\s*$", re.IGNORECASE
)
# what may stand behind it: else "sales fell" would be what "sales fell in Peru" says
_END = re.compile(
    r"[^\S\n]*+(?:$|[.!?,;:|()\u2013\u2014\u201d\"-]|\[\d|\n|"
    r"(?:and|but|while|which|who|und|aber|et|mais|y|pero|e|ma)\b)",
    re.IGNORECASE,
)


def find_verbatim(
    text: str, passage: Passage, places: Sequence[tuple[int, int]] = ()
) -> tuple[int, int] | None:
    """Returns where the claim stands verbatim in the passage, as a span of the document's text.

    With `places`, it is looked for there alone. None: it stands nowhere, or what stands before or
    behind it in the same sentence takes it back.
    """
    looked_at = [
        (offset, said, start - offset, end - offset)
        for offset, said in passage.parts()
        for start, end in places or [(offset, offset + len(said))]
        if offset <= start < offset + len(said)
    ]
    for offset, said, start, end in looked_at:
        if span := locate(text, said, start, end):
            return None if _is_part(span, said) else (offset + span[0], offset + span[1])
    return None


def _is_part(span: tuple[int, int], text: str) -> bool:
    """Tells whether a span of the text says something else without the rest of its sentence."""
    around = [s for s in sentences(text) if s[0] < span[1] and span[0] < s[1]]
    before = text[around[0][0] : span[0]] if around else ""
    behind = text[span[1] : around[-1][1]] if around else ""
    if not _BOUNDARY.search(before[-40:]) or not (
        text[: span[1]].endswith(".") or _END.match(behind)
    ):
        return True
    denied = is_taken_back(before, NEGATIONS | HEDGES | DENIALS)
    return denied or is_taken_back(behind, CONDITIONS | DENIALS)


def is_taken_back(text: str, words: frozenset[str]) -> bool:
    """Returns whether one of these words stands in the text, which the claim leaves out."""
    return bool(words & set(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text.casefold())))
