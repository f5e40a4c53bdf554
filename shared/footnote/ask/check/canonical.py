"""Puts a text into the form that is read: plain marks, figures in digits, phrases as keys."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.figures import COUNTED, count
from footnote.ask.check.lexicon import NOT, PHRASES

type Replacement = Callable[[re.Match[str]], str]

_PLAIN = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-",
        "\u2014": " - ", "\u00ad": None, "\u200b": None, "\u2060": None, "\ufeff": None,
        "\u00ae": None, "\u2122": None,
        **dict.fromkeys("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207d\u207e"),
    }
)  # fmt: skip
_BROKEN = re.compile(r"(?<=[a-z])-[^\S\n]*\n\s*(?=[a-z])")
_BLANKS = re.compile(r"\s{2,}")
_HALF_DAY = re.compile(
    r"(?<![\d:.,])(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
_NUMBER = r"[$\u20ac\u00a3]?\d[\d.,]*%?"
_RANGE = re.compile(rf"(?<![\w.,/-])({_NUMBER}) ?- ?(?={_NUMBER}(?![\d.,/-]))")
_BETWEEN = re.compile(
    rf"\bbetween ({_NUMBER}(?: (?:percent|thousand|million|billion))?) and (?={_NUMBER})",
    re.IGNORECASE,
)
_COMPOUND = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -]"
    r"(one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|[1-9]) (?:in|out of) "
    r"(two|three|four|five|six|seven|eight|nine|ten|hundred|[2-9]|10|100) (?=[a-z])",
    re.IGNORECASE,
)


class Canonical(NamedTuple):
    """A text in its canonical form, with the words that each of its characters stands for.

    `spans`: for each character of `text`, where `original` has what it stands for.
    """

    text: str
    original: str
    spans: Sequence[tuple[int, int]]

    def words_at(self, start: int, end: int) -> str:
        """Returns the original words for a span of the canonical text."""
        return self.original[self.spans[start][0] : self.spans[end - 1][1]].strip()

    def replace(self, pattern: re.Pattern[str], by: str | Replacement) -> "Canonical":
        """Replaces each match; the new characters stand for the words of the whole match."""
        pieces: list[str] = []
        spans: list[tuple[int, int]] = []
        end = 0
        for match in pattern.finditer(self.text):
            if match.start() == match.end():
                continue
            new = match.expand(by) if isinstance(by, str) else by(match)
            pieces += self.text[end : match.start()], new
            spans += self.spans[end : match.start()]
            stands_for = self.spans[match.start()][0], self.spans[match.end() - 1][1]
            spans += [stands_for] * len(new)
            end = match.end()
        if not pieces:
            return self
        return Canonical(
            "".join((*pieces, self.text[end:])), self.original, [*spans, *self.spans[end:]]
        )


def canonical_form(text: str) -> Canonical:
    """Returns the text on one line, with plain quotes and dashes, and phrases as their keys."""
    plain = _BROKEN.sub("", text).translate(_PLAIN)
    plain = " ".join(unicodedata.normalize("NFKC", plain).split())
    canonical = Canonical(plain, plain, [(n, n + 1) for n in range(len(plain))])
    for pattern, by in (*_STEPS, *PHRASES, (_BLANKS, " ")):
        canonical = canonical.replace(pattern, by)
    return canonical


def _compound_number(found: re.Match[str]) -> str:
    """Returns 25 for "twenty-five"."""
    return str(COUNTED[found[1].casefold()] + _to_number(found[2]))


def _percentage(found: re.Match[str]) -> str:
    """Returns 20 percent for "one in five"."""
    share = Decimal(100) * _to_number(found[1]) / _to_number(found[2])
    return f"{round(share, 1).normalize():f}% of "


def _time_of_day(found: re.Match[str]) -> str:
    """Returns 17:30 for "5:30 pm"."""
    hour = int(found["hour"]) % 12 + 12 * (found["half"] in "pP")
    return f"{hour}:{found['minute'] or '00'}"


def _to_number(text: str) -> int:
    return 1 if text.casefold() == "one" else count(text)


_STEPS: Sequence[tuple[re.Pattern[str], str | Replacement]] = (
    (re.compile(r"\bcan(?:'t| ?not)\b", re.IGNORECASE), f"can {NOT}"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), f"will {NOT}"),
    (re.compile(r"\b(\w+)n't\b"), rf"\1 {NOT}"),
    (re.compile(r"\b([Nn]on-) (?=\w)"), r"\1"),
    (_BETWEEN, r"from \1 to "),
    (_RANGE, r"\1 to "),
    (_COMPOUND, _compound_number),
    (_HALF_DAY, _time_of_day),
    (_OUT_OF, _percentage),
)
