"""What can be told about a passage and its sentences without understanding them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from footnote.model import Evidence, Passage, ScoredSentence
from footnote.terms import numbers, terms

_MONEY = re.compile(
    r"[$€£]\s?\d|\d\s?(?:%|percent|million|billion|bn|mn|eur|usd|chf)", re.IGNORECASE
)
_DATE = re.compile(
    r"\b(?:(?:19|20)\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday"
    r"|thursday|friday|days?|weeks?|months?|years?|hours?|minutes?)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z]+)+")
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w&'-]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_KINDS = (
    (re.compile(r"\bhow (?:much|many)|percent|ratio|amount|how (?:large|big|long|far)|rate\b", re.IGNORECASE), "number"),
    (re.compile(r"\bwhen|what (?:year|date|month|day)|which (?:year|quarter)|how (?:soon|old)", re.IGNORECASE), "date"),
    (re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE), "person"),
)  # fmt: skip


class Candidate(NamedTuple):
    """A sentence that may be the answer."""

    text: str
    passage: Passage
    sentence: ScoredSentence
    fits: bool  # has what the question asks for: a number, a date, a name

    @property
    def score(self) -> float:
        near = 0.55 * self.sentence.similarity + 0.35 * self.sentence.overlap
        return near + 0.1 * self.passage.score + 0.08 * self.fits


def candidates(question: str, evidence: Evidence) -> list[Candidate]:
    """Sentences that say more than the question does, best first."""
    asked = set(terms(question))
    kind = kind_of(question)
    found = [
        Candidate(text, passage, sentence, fits=has(kind, text))
        for passage in evidence.passages
        for sentence in passage.sentences
        if _says_something(text := cut(passage, sentence), asked)
    ]
    return sorted(found, key=lambda candidate: -candidate.score)


def cut(passage: Passage, sentence: ScoredSentence) -> str:
    """The sentence's text on one line."""
    start, end = sentence.start - passage.start, sentence.end - passage.start
    return " ".join(passage.text[start:end].split())


def kind_of(question: str) -> str:
    """What kind of thing the answer must have in it; "" when that cannot be told."""
    return next((kind for pattern, kind in _KINDS if pattern.search(question)), "")


def has(kind: str, text: str) -> bool:
    match kind:
        case "number":
            return bool(numbers(text))
        case "date":
            return bool(_DATE.search(text))
        case "person":
            return bool(_PERSON.search(text))
        case _:
            return True


def features(question: str, evidence: Evidence) -> tuple[float, ...]:
    """The inputs of the calibrated score; see `NAMES` for their order."""
    ranked = candidates(question, evidence)
    if not ranked:
        return (0.0,) * len(NAMES)
    best = ranked[0]
    around = " ".join((best.passage.document, best.passage.title, *best.passage.section))
    context = f"{around} {best.passage.text}"
    return (
        max(c.sentence.similarity for c in ranked),
        best.sentence.overlap,
        _share(set(terms(question)), set(terms(context))),
        _share(set(_YEAR.findall(question)), set(_YEAR.findall(context))),
        _share(set(terms(" ".join(_NAME.findall(question)))), set(terms(context))),
        float(best.fits),
        best.score - ranked[min(5, len(ranked) - 1)].score,
    )


NAMES = (
    "similarity", "overlap", "coverage", "years", "names", "fits", "margin",
)  # fmt: skip


def _says_something(text: str, asked: set[str]) -> bool:
    """Neither a heading, nor a question, nor the question in other words."""
    told = terms(text)
    return len(told) > 1 and not text.endswith("?") and bool(set(told) - asked)


def _share(wanted: set[str], there: set[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def redundant(text: str, chosen: Sequence[str]) -> bool:
    """Whether the sentence repeats one that is already in the answer."""
    mine = set(terms(text))
    return any(
        len(mine & set(terms(other))) > 0.6 * min(len(mine), len(set(terms(other))))
        for other in chosen
    )
