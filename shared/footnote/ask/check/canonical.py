"""Puts a text into the form that is read: plain marks, figures in digits, phrases as keys."""

import re
import unicodedata
from decimal import Decimal

from footnote.ask.check.figures import COUNTED, count
from footnote.ask.check.lexicon import NOT, PHRASES

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
_HALF_DAY = re.compile(r"(?<=\d) ?([ap])\.?m\b\.?", re.IGNORECASE)
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


def canonical_form(text: str) -> str:
    """Returns the text on one line, with plain quotes and dashes, and phrases as their keys."""
    plain = _BROKEN.sub("", text).translate(_PLAIN)
    plain = " ".join(unicodedata.normalize("NFKC", plain).split())
    plain = re.sub(r"(?<=\w)n't\b", f" {NOT}", plain)
    plain = re.sub(r"\b([Nn]on-) (?=\w)", r"\1", plain)
    plain = _RANGE.sub(r"\1 to ", _BETWEEN.sub(r"from \1 to ", plain))
    plain = _HALF_DAY.sub(r" <\1 m> ", _COMPOUND.sub(_compound_number, plain))
    plain = _OUT_OF.sub(_percentage, plain)
    for pattern, key in PHRASES:
        plain = pattern.sub(key, plain)
    return " ".join(plain.split())


def _compound_number(found: re.Match[str]) -> str:
    """Returns 25 for "twenty-five"."""
    return str(COUNTED[found[1].casefold()] + _to_number(found[2]))


def _percentage(found: re.Match[str]) -> str:
    """Returns 20 percent for "one in five"."""
    share = Decimal(100) * _to_number(found[1]) / _to_number(found[2])
    return f"{round(share, 1).normalize():f}% of "


def _to_number(text: str) -> int:
    return 1 if text.casefold() == "one" else count(text)
