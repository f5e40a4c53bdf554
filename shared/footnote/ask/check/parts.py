"""Reads a sentence into parts that can be compared: figures, periods, names, directions, words."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from footnote.ask.check.canonical import Canonical, canonical_form
from footnote.ask.check.figures import (
    FIGURE,
    PERIOD,
    RATES,
    Figure,
    figure_in,
    periods_in,
)
from footnote.ask.check.lexicon import (
    DIRECTIONS,
    HEDGES,
    LIMITS,
    LITTLE,
    NEGATIONS,
    NOT,
    RELATIONS,
    RESTRICTIONS,
    STRINGS,
    SYNONYMS,
)
from footnote.text.language import STOPWORDS
from footnote.text.terms import stem

type PartKind = Literal["figure", "period", "name", "direction", "not", "limit", "word"]

DECIMAL_COMMA = frozenset({"de", "fr", "es", "it", "pt", "nl", "da", "sv", "no", "fi", "pl", "cs"})
CAPITAL_NOUNS = frozenset({"de"})

_KEY = re.compile(r"<[A-Za-z ]+>")
# a code is one part: it has a letter and a digit, and is no number with its unit
_CODE = re.compile(
    r"(?<![\w$-])(?=[\w./-]{0,60}\d)(?=[\w./-]{0,60}[A-Za-z])"
    r"[A-Za-z0-9]+(?:[-./][A-Za-z0-9]+){0,20}(?!\w)"
)
_NUMBER_AND_WORD = re.compile(
    r"(?P<number>\d[\d,.]*)-?(?P<word>[a-z]{3,}|%|[kmb]n?|mm|tn|st|nd|rd|th)", re.IGNORECASE
)
_SEAM = re.compile(
    r"[;(]|(?<!\d):|(?:and|but|while|whereas|although|though|or|which|excluding|including|except"
    r"|und|aber|et|mais|y|pero|e|ma)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;:()\[\]|]|(?<= )-(?= )")
_JOIN = re.compile(
    r"(?:and|but|or|nor|while|whereas|although|though|und|aber|oder)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_ACCOUNT = re.compile(
    r"(?:\b(?:was|were|is|are|of|to|at|by|from|and)|[:|=$\u20ac\u00a3])\s*$", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"\b(to|by|from|since|until|till|um|auf|von|bis|ab|seit)\s+"
    r"(?:zum\s+|(?:the|fiscal|den|dem)\s+|<[a-z ]+>\s+|an?\s+)*$",
    re.IGNORECASE,
)
_LEADS = {
    **dict.fromkeys(("till", "bis"), "until"),
    **dict.fromkeys(("von", "ab"), "from"),
    "um": "by",
    "auf": "to",
    "seit": "since",
}
_PAIR = re.compile(r"(?<![\w.,:])\d{1,3}:\d{1,3}(?![\d:]|[.,]\d)")
_NUMBERED = re.compile(
    r"\b(?:version|release|section|clause|article|chapter|v|abschnitt|kapitel|ziffer|\u00a7)\.?\s*$",
    re.IGNORECASE,
)
_KEPT = HEDGES | STRINGS | RESTRICTIONS  # kept even where a language counts them as stop words


class Part(NamedTuple):
    """One part of a sentence. Two parts say the same when their keys are equal.

    `text`: as it is read. `written`: as it stands. `figure`: the value of a figure. `lead`: "to",
    "by", "from", "since" or "until" before it. `clause`: the number of its clause, from 0. `date`:
    the keys of all parts of the date to which a period belongs.

    `links`: the relations that little words before it say (`RELATIONS`). `edge`: what parts it from
    the part before: a bracket ("("), a comma or the like (","), a word like "and", or nothing ("").
    `segment`: the number of edges before it.
    """

    kind: PartKind
    key: str
    text: str
    figure: Figure | None = None
    lead: str = ""
    clause: int = 0
    date: frozenset[str] = frozenset()
    written: str = ""
    links: tuple[str, ...] = ()
    edge: str = ""
    segment: int = 0

    @property
    def word(self) -> str:
        return self.text.casefold()


@lru_cache(maxsize=2048)  # each sentence that cites a passage reads it
def parts_of(text: str, language: str = "en") -> tuple[Part, ...]:
    """Returns the parts of a sentence in order.

    `language`: its ISO 639-1 code, which decides on stop words, figures (1.234,5) and capitals (in
    German every noun has one).
    """
    canonical = canonical_form(text)
    made = list(_read(canonical, language))
    return tuple(made if language in CAPITAL_NOUNS else _with_first_names(made, canonical.text))


class _Place:
    """What stands between the last part and the next: it grows as a text is read."""

    def __init__(self, language: str) -> None:
        self._compared = frozenset[str]() if language == "en" else STOPWORDS.get(language, LITTLE)
        self.clause = self.segment = 0
        self.links: list[str] = []
        self.edge = ""

    def pass_over(self, plain: str, at: int, end: int) -> None:
        """Notes a mark or a little word that is no part."""
        if _BREAK.match(plain, at):
            self.edge = "(" if plain[at] in "([" else ","
        elif join := _JOIN.match(plain, at):
            self.edge = join[0].casefold()
        word = plain[at:end].casefold()
        if word in RELATIONS or word in self._compared:
            self.links.append(RELATIONS.get(word, word))

    def take(self, part: Part) -> Part:
        """Returns the part with its place, and begins the next."""
        self.segment += bool(self.edge)
        placed = part._replace(
            clause=self.clause, links=tuple(self.links), edge=self.edge, segment=self.segment
        )
        self.links, self.edge = (["'s"] if part.text.endswith(("'s", "s'")) else []), ""
        return placed


def _read(canonical: Canonical, language: str) -> Iterator[Part]:
    plain, place = canonical.text, _Place(language)
    at, first = 0, True
    before: Part | None = None
    while at < len(plain):
        if plain[at].isspace():
            at += 1
            continue
        made, end = _parts_at(plain, at, language, first=first)
        if not made or plain[at] == "(":  # a figure is read with its brackets
            place.pass_over(plain, at, end)
        for part in made:
            written = part.text if part.text in plain[at:end] else plain[at:end]
            if canonical.words_at(at, end) != plain[at:end].strip():
                written = canonical.words_at(at, end)
            written = written.rstrip(".,") if part.figure else written
            placed = place.take(part._replace(written=written))
            before = _with_unit(before, placed) if before else None
            if before:
                yield before
            before = placed
        place.clause += bool(_SEAM.match(plain, at))
        first = (first and end <= at + 1) or plain[at : at + 1] in '.!?;"'
        at = max(end, at + 1)
    if before:
        yield before


def _with_unit(part: Part, following: Part) -> Part:
    """Gives a figure the unit and scale of its range's other end: "2.5 to 4 percent"."""
    low, high = part.figure, following.figure
    if (
        not low
        or not high
        or following.lead not in {"to", "until"}
        or low.unit not in {"", high.unit}
    ):
        return part
    value = low.value
    if high.scaled and low.value and not low.scaled:
        scale = next(n for n in (12, 9, 6, 3, 2, 0) if high.value.scaleb(-n) >= 1 or not n)
        like = low.value.scaleb(scale) / high.value if high.value else Decimal(0)
        value = low.value.scaleb(scale) if Decimal("0.05") < abs(like) < 20 else low.value
    scaled = low.scaled or value != low.value
    figure = low._replace(value=value, unit=high.unit, scaled=scaled)
    return part._replace(key=figure.key, figure=figure)


def _with_first_names(parts: list[Part], plain: str) -> Iterator[Part]:
    """Makes the first word a name if a name follows at once ("Tom Hale"), or if it has an "'s"."""
    for n, part in enumerate(parts):
        capital = part.kind == "word" and part.text[:1].isupper()
        follows = n + 1 < len(parts) and parts[n + 1].kind == "name"
        follows = follows and f"{part.text} {parts[n + 1].text}" in plain
        yield part._replace(kind="name") if capital and (follows or "'s" in part.text) else part


def _parts_at(plain: str, at: int, language: str, *, first: bool) -> tuple[list[Part], int]:
    """Returns the parts that begin at a place, and where they end."""
    for read in (_key_at, _period_at, _name_at):
        if found := read(plain, at):
            return found
    if (number := FIGURE.match(plain, at)) and number[0].strip():
        return [_of_figure(plain, at, number, comma=language in DECIMAL_COMMA)], number.end()
    if word := _WORD.match(plain, at):
        by = "by" if plain[max(0, at - 3) : at].casefold() == "by " else ""
        names = not first and language not in CAPITAL_NOUNS
        words = _of_word(word[0], language, names=names)
        return [part._replace(lead=by) for part in words], word.end()
    return [], at + 1


def _key_at(plain: str, at: int) -> tuple[list[Part], int] | None:
    found = _KEY.match(plain, at)
    return ([_of_key(found[0])], found.end()) if found else None


def _period_at(plain: str, at: int) -> tuple[list[Part], int] | None:
    if plain[at] == "(" and PERIOD.match(plain, at + 1):  # else "(2023" is read as a figure
        return [], at + 1
    found = PERIOD.match(plain, at)
    if found is None:
        return None
    periods, text, lead = periods_in(found), found[0].strip(), _lead(plain, at)
    date = frozenset(one.key for one in periods)
    return [Part("period", one.key, text, lead=lead, date=date) for one in periods], found.end()


def _name_at(plain: str, at: int) -> tuple[list[Part], int] | None:
    """Reads a time, a ratio or a code as a name."""
    found = _PAIR.match(plain, at) or _CODE.match(plain, at)
    if found is None or _NUMBER_AND_WORD.fullmatch(found[0]):
        return None
    # a time is the same with a zero before it
    return [Part("name", found[0].casefold().lstrip("0"), found[0])], found.end()


def _of_figure(plain: str, at: int, found: re.Match[str], *, comma: bool) -> Part:
    figure, text = figure_in(found, comma=comma), found[0].strip()
    before = max(0, at - 40)
    # the number of a version or a section is a name, not a figure
    if figure is None or _NUMBERED.search(plain, before, at):
        return Part("name", text.strip(".,"), text)
    if text[0] == "(" and not _ACCOUNT.search(plain, before, at) and not figure.scaled:
        figure = figure._replace(negative=False, bracketed=not figure.unit)
    return Part("figure", figure.key, text, figure, _lead(plain, at))


def _lead(plain: str, at: int) -> str:
    """Returns the preposition before a place (from, to, by …) in English; "" for none."""
    found = _PREPOSITION.search(plain, max(0, at - 40), at)
    return _LEADS.get(found[1].casefold(), found[1].casefold()) if found else ""


def _of_key(key: str) -> Part:
    if key == NOT:
        return Part("not", key, "not")
    if key in LIMITS:
        return Part("limit", key, key.strip("<>"))
    kind: PartKind = "name" if key[1].isupper() else "word"
    return Part(kind, key, key.strip("<>"))


def _of_word(word: str, language: str, *, names: bool) -> list[Part]:
    """Returns the parts of a word: none if it says nothing, several for a compound."""
    small = word.casefold().removesuffix("'s").removesuffix("'")
    if names and len(word) == 1 and word.isupper() and word != "I":  # "Company A"
        return [Part("name", small, word)]
    if small in NEGATIONS:
        return [Part("not", NOT, word)]
    if (
        small in LITTLE
        or small in RATES
        or (language != "en" and small in STOPWORDS.get(language, LITTLE) and small not in _KEPT)
    ):
        return []
    if key := DIRECTIONS.get(small):
        return [Part("direction", key, word)]
    if "-" in word and small not in SYNONYMS and not small.startswith("non-"):
        pieces = [piece for piece in word.split("-") if piece]
        return [part for piece in pieces for part in _of_word(piece, language, names=names)]
    is_name = word[0].isupper() and names
    return [Part("name" if is_name else "word", key_of(small), word)]


def key_of(small: str) -> str:
    """Returns the key of a lower-case word: the stem of its group's first word, else its own."""
    group = SYNONYMS.get(small) or SYNONYMS.get(stem(small))
    return stem(group) if group else stem(small)
