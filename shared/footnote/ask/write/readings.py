"""The ways to read a claim: by its sentences, by its statements, without what leads it in."""

import re
from collections.abc import Iterator, Sequence

from footnote.ask.write.claims import Claim, is_sentence
from footnote.ask.write.not_said import is_denial
from footnote.ask.write.sources import Sources
from footnote.model import Sentence
from footnote.text.quotes import locate
from footnote.text.sentences import sentences

LEAST_WORDS = 3  # of a statement that is checked by itself
_SOURCE_OF_ALL = (
    r"(?:passages?|documents?|sources?|reports?|texts?|context|information|provided|given|above)"
)
_LEAD_INS = (
    re.compile(
        r"(?:based on|according to|as (?:stated|noted|described|mentioned|reported) in|in|from|per)"
        rf"\b[^,.;]{{0,60}}\b{_SOURCE_OF_ALL}\b[^,.;]{{0,30}},\s*(?P<rest>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:and |also,? |it |this |(?:the|these) (?:[\w.-]+ ){1,4})"
        r"(?:also )?(?:says?|states?|notes?|adds?|reports?|mentions?|shows?|explains?|confirms?"
        r"|indicates?)(?: that\b|[:,])?\s*(?P<rest>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"[^:.;\u201c\"]{2,60}:\s+(?P<rest>.+)"),
    re.compile(r"(?P<rest>[\"\u201c\u201e].+)"),
)
_QUOTED = re.compile(r"[\"\u201c\u201e](?P<said>[^\"\u201c\u201d]+)[\"\u201d\u201c]?[.]?")
_SEMICOLON = re.compile(r";\s++(?:(?:and|but|while)\s++)?")
_STOPPED = re.compile(r"[.!?\u2026\u3002][\"\u201d\u2019')\]]*\Z")


def cut(claim: Claim, sources: Sources) -> list[Claim]:
    """Cuts a claim into its sentences. All cite what stands at its end.

    One that stands verbatim in a passage remains whole. A sentence that denies cites nothing.
    """
    spans = sentences(claim.text)
    if len(spans) < 2 or any(locate(claim.text, said) for said in sources.texts(claim.markers)):
        return [claim]
    found = [
        claim._replace(text=claim.text[start:end], new_line=claim.new_line and not n)
        for n, (start, end) in enumerate(spans)
    ]
    *before, last = found
    return [*(_uncited(one) if is_denial(one.text) else one for one in before), last]


def _uncited(claim: Claim) -> Claim:
    return claim._replace(markers=(), named=())


class WrittenClaims:
    """The claims of a writer, sentence by sentence: each once, and nothing that is no sentence."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._seen: set[tuple[str, tuple[int, ...]]] = set()

    def read(self, claim: Claim, shown: Sequence[Sentence]) -> Iterator[Claim]:
        """Yields the new sentences of a claim. `shown`: those of the answer so far.

        A sentence that cites nothing and stands verbatim in a passage cites that.
        """
        for piece in cut(claim, self._sources):
            if is_sentence(piece.text) and self._is_new(piece, shown):
                is_cited = piece.markers or is_denial(piece.text)
                markers = piece.markers if is_cited else self._sources.find_verbatim(piece.text)
                yield piece._replace(markers=markers)

    def _is_new(self, claim: Claim, shown: Sequence[Sentence]) -> bool:
        said = (claim.text.casefold(), claim.markers)
        is_new = said not in self._seen
        self._seen.add(said)
        return is_new and all(sentence.text.casefold() != said[0] for sentence in shown)


def statements_of(claim: Claim) -> list[Claim]:
    """Returns the statements that semicolons join, as sentences; [] if one says too little."""
    pieces = [piece.strip() for piece in _SEMICOLON.split(claim.text)]
    if len(pieces) < 2 or any(len(piece.split()) < LEAST_WORDS for piece in pieces):
        return []
    texts = [f"{begin_large(piece)}." for piece in pieces[:-1]] + [begin_large(pieces[-1])]
    return [
        claim._replace(text=text, new_line=claim.new_line and not n) for n, text in enumerate(texts)
    ]


def without_lead_in(claim: Claim) -> Iterator[Claim]:
    """Yields the claim without what leads it in: "The report says:", "Costs:", quotation marks.

    What is left may say something else, so it is checked by itself.
    """
    for pattern in _LEAD_INS:
        if found := pattern.fullmatch(claim.text):
            rest = found["rest"].strip()
            quoted = _QUOTED.fullmatch(rest)
            text = _end_sentence(quoted["said"]) if quoted else rest
            if len(text.split()) >= LEAST_WORDS:
                yield claim._replace(text=begin_large(text))


def _end_sentence(text: str) -> str:
    return text if _STOPPED.search(text) else f"{text}."


def begin_large(text: str) -> str:
    """Returns a text that begins with a capital."""
    return text[:1].upper() + text[1:]
