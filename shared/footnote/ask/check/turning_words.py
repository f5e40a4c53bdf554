"""Compares the words that turn a statement: "not", "only", "all", "because", "at least".

A claim may say them in its own words. It may not drop them, and may not add them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from footnote.ask.check.align import align
from footnote.ask.check.omissions import omissions
from footnote.ask.check.parts import Part
from footnote.ask.check.segments import Unit
from footnote.ask.check.verdict import Difference


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_CARRIERS: Mapping[str, re.Pattern[str]] = {
    "negation": _any_of(
        r"not|no|none|nor|never|nobody|nothing|neither|without|cannot|unable|\w+n't"
    ),
    "comparison": _any_of(
        r"or (?:more|less|fewer|over|under|older|younger)|at (?:least|most)|minimum|maximum|up to"
        r"|limit\w*|cap(?:ped|s)?|over|under|above|below|exceed\w*|beyond|earliest|latest"
        r"|(?:more|less|fewer|\w+er) than"
    ),
    "certainty": _any_of(
        r"if|unless|provided|providing|subject|when|whenever|while|once|depend\w*|except|excluding"
        r"|apart|but|only|conditional|may|might|could|can|must|should|shall|will|ha(?:s|ve) to"
        r"|asked|possible|expect\w*|plan\w*|propos\w*|requir\w*|need\w*|reject\w*|refus\w*"
        r"|accompanied|with"
    ),
    "scope": _any_of(
        r"only|solely|exclusively|just|merely|alone|purely|half|part\w*|some|few|certain|most"
        r"|quarter|third|percent|limited|nothing but|all but"
    ),
}
"""What a sentence says that a claim leaves out → how the claim may say it in its own words."""
_ADDED = (
    (_any_of(r"(?:only|solely|exclusively|merely|alone)(?!(?: \w+)? \d)"), None),
    (
        _any_of(r"(?:all|every|everyone|everything|everybody|always|entire\w*)(?! but)"),
        _any_of("each|any|whole|no|none|every|both|throughout"),
    ),
    (
        _any_of("because|due to|owing to|thanks to|caused|as a result"),
        _any_of(r"because|as|since|so|therefore|result\w*|caus\w*|led|reason|due|for"),
    ),
    (_any_of("including|included|includes"), _any_of("of|and")),
    (_any_of(r"the (?!(?:earli|lat)est)\w{3,}est"), None),
)
"""Words that a claim may not add → others by which a sentence may say the same."""
_RATE = re.compile(
    r"(?<![\d.,])\d[\d.,]*+(?:\s?(?:%|percent|million|thousand|pounds|dollars|euros))?"
    r"\s+(?:an?|per|each|every)\s+(?P<unit>[a-z]{3,})",
    re.IGNORECASE,
)
_RATES = _any_of(r"each|per|every|apiece|annual\w*|yearly|monthly|weekly|daily|hourly|nightly")
_DENYING = re.compile(r"un\w{4}|dis\w{4}|\w{3,}less\b")


def turning_words(text: str, claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Yields the words of this kind that a claim drops or adds."""
    said = " ".join(unit.text for unit in units)
    yield from _left_out(text, claim, units)
    yield from _added(text, said)
    yield from _denied(claim, units)
    yield from _rates(text, said)


def _left_out(text: str, claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Finds a "not", a limit or a condition that the claim has in no words."""
    for unit in units:
        for one in omissions(align(claim, unit.parts)):
            carriers = _CARRIERS.get(one.about)
            if carriers and not carriers.search(text):
                yield one


def _added(text: str, said: str) -> Iterator[Difference]:
    """Finds a "not", an "all" or a "because" of the claim that the sentences do not have."""
    for words, others in _ADDED:
        found = words.search(text)
        if found and not words.search(said) and not (others and others.search(said)):
            yield Difference("scope", found[0], refutes=False)


def _denied(claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Finds a "not" of the claim where no sentence denies anything."""
    for part in claim:
        if part.kind == "not" and not any(_denies(p) for unit in units for p in unit.parts):
            yield Difference("negation", part.written, refutes=False)


def _denies(part: Part) -> bool:
    return part.kind == "not" or _DENYING.match(part.word) is not None


def _rates(text: str, said: str) -> Iterator[Difference]:
    """Finds "a person" behind a figure that the claim has for another unit, or for none."""
    own = {found["unit"].casefold() for found in _RATE.finditer(text)}
    theirs = {found["unit"].casefold() for found in _RATE.finditer(said)}
    if own and theirs and not own & theirs and not any(_has(said, one) for one in own):
        yield Difference("figure", min(own), min(theirs), refutes=False)
    figures = [found for found in _RATE.finditer(said) if _has(text, found[0].split()[0])]
    for found in figures:
        if not own and not _RATES.search(text) and not _has(text, found["unit"]):
            yield Difference("figure", "", found["unit"], refutes=False)


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE) is not None
