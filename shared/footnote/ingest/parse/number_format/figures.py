"""Writes numbers: digits, grouping, percent, scaling, exponents, fractions, and "General"."""

import math
import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import takewhile

from footnote.ingest.parse.number_format import numerals
from footnote.ingest.parse.number_format.sections import Section, Token

_CONTEXT = Context(prec=700, rounding=ROUND_HALF_UP)
_DIGITS = 15  # that Excel computes with
_SMALL, _LARGE = -4, 15  # powers of ten between which there is no exponent
_WHOLE = 1e15  # whole numbers below it are written whole
_MOST_DECIMALS = 30
_USUAL = re.compile(r"x*(#*0(?:\.0{1,30})?)x*")
_LETTERS = dict.fromkeys(("literal", "gap", "fill", "percent"), "x") | dict.fromkeys(
    ("exponent", "general", "slash", "text", "date", "half", "elapsed"), "!"
)
_PADDING = {"0": "0", "?": " ", "#": ""}


def general(value: float) -> str:
    """Shows a number as "General" does in a cell that is wide enough for all its digits.

    Excel shows fewer in a narrow one; which, only the width of its column tells.
    """
    if not math.isfinite(value):
        return "#NUM!"
    if abs(value) < _WHOLE and value == int(value):
        return str(int(value))
    number = _decimal(value)
    power = number.adjusted()
    if not _SMALL - 1 < power < _LARGE:
        mantissa, _, exponent = f"{number:.14E}".partition("E")
        mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}E{exponent[0]}{exponent[1:].zfill(2)}"
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimal(value: float) -> Decimal:
    return Decimal(f"{value:.{_DIGITS}g}")


def _round(number: Decimal, decimals: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-decimals), context=_CONTEXT)


class Figures:
    """A section that shows numbers. It is read once, and shows any number of them."""

    def __init__(self, section: Section) -> None:
        self._numerals = section.numerals
        self._is_general = section.has("general")
        self._tokens = tokens = list(_without_commas(section.tokens))
        self._groups, scales = _count_commas(section.tokens)
        percents = sum(token.kind == "percent" for token in tokens)
        self._power = 2 * percents - 3 * scales
        kinds = [token.kind for token in tokens]
        end = kinds.index("exponent") if "exponent" in kinds else len(kinds)
        self._exponent = end
        self._point = kinds.index("point") if "point" in kinds[:end] else end
        self._whole = [at for at in range(self._point) if kinds[at] == "digit"]
        self._decimals = [at for at in range(self._point, end) if kinds[at] == "digit"]
        self._powers = [at for at in range(end, len(kinds)) if kinds[at] == "digit"]
        self._slash = _find_fraction(tokens)
        self._affixes = None if section.numerals else _find_affixes(tokens)

    def show(self, value: float) -> str:
        if not math.isfinite(value):
            return "#NUM!"
        return f"{'-' if value < 0 else ''}{self._show(abs(value))}"

    def _show(self, value: float) -> str:
        if self._is_general:
            return self._replace((), self._spell(general(value)))
        number = _decimal(value)
        number = number.scaleb(self._power) if self._power else number
        if self._slash:
            return self._fraction(number, self._slash)
        if self._exponent < len(self._tokens):
            return self._scientific(number)
        number = _round(number, min(len(self._decimals), _MOST_DECIMALS))
        if self._numerals:
            return self._replace((*self._whole, *self._decimals), self._spell(f"{number:f}"))
        if self._affixes:
            shown = f"{number:,f}" if self._groups else f"{number:f}"
            return f"{self._affixes[0]}{shown}{self._affixes[1]}"
        return self._join(self._fill(number))

    def _spell(self, plain: str) -> str:
        return numerals.spell(plain, self._numerals) if self._numerals else plain

    def _join(self, digits: dict[int, str]) -> str:
        """Joins the tokens. `digits` are the texts of placeholders."""
        return "".join(digits.get(at, token.shown) for at, token in enumerate(self._tokens))

    def _replace(self, places: Sequence[int], plain: str) -> str:
        """Writes a number as a whole, in the first of the `places` or where "General" stands."""
        first = min(places, default=-1)
        return "".join(
            plain
            if at == first or token.kind == "general"
            else ""
            if token.kind in {"digit", "point"}
            else token.shown
            for at, token in enumerate(self._tokens)
        )

    def _fill(self, number: Decimal) -> dict[int, str]:
        """Returns the digits of each placeholder."""
        whole, _, decimals = f"{number:f}".partition(".")
        digits = dict(self._fill_whole(whole.lstrip("0")))
        kept = decimals.rstrip("0")
        for n, at in enumerate(self._decimals):
            padding = _PADDING[self._tokens[at].text]
            digits[at] = decimals[n] if n < len(kept) else padding
        return digits

    def _fill_whole(self, whole: str) -> Iterator[tuple[int, str]]:
        """Yields the digits before the point; the first placeholder takes those that are left."""
        if not self._whole:
            if whole and self._point < len(self._tokens):
                yield self._point, f"{whole}."
            return
        count = len(self._whole)
        padded = whole.rjust(count, " ")
        for n, at in enumerate(self._whole):
            first = 0 if n == 0 else len(padded) - count + n
            last = len(padded) - count + n + 1
            texts = [
                (_PADDING[self._tokens[at].text] if padded[i] == " " else padded[i])
                + self._comma(at, padded[i], len(padded) - 1 - i)
                for i in range(first, last)
            ]
            yield at, "".join(texts)

    def _comma(self, at: int, digit: str, behind: int) -> str:
        is_shown = digit != " " or self._tokens[at].text == "0"
        return "," if self._groups and is_shown and behind and behind % 3 == 0 else ""

    def _scientific(self, number: Decimal) -> str:
        period = max(1, len(self._whole))
        power = number.adjusted() // period * period if number else 0
        mantissa = _round(number.scaleb(-power), len(self._decimals))
        if mantissa and mantissa.adjusted() >= period:
            power += period
            mantissa = _round(number.scaleb(-power), len(self._decimals))
        digits = self._fill(mantissa)
        mark = self._tokens[self._exponent].text
        sign = "-" if power < 0 else "+" if mark.endswith("+") else ""
        digits[self._exponent] = f"E{sign}{str(abs(power)).zfill(len(self._powers))}"
        return self._join(digits | dict.fromkeys(self._powers, ""))

    def _fraction(self, number: Decimal, place: tuple[int, int, int]) -> str:
        start, slash, end = place
        written = "".join(token.text for token in self._tokens[slash + 1 : end])
        whole = [at for at in self._whole if at < start]
        count = int(number) if whole else 0
        rest = Fraction(number) - count
        if written.strip("0#?"):  # the denominator is given
            bottom = int(written.replace("#", "").replace("?", "") or "1") or 1
            top = int(rest * bottom + Fraction(1, 2))
        else:
            top, bottom = _nearest(rest, 10 ** min(len(written), 9) - 1)
        if whole and top == bottom:
            count, top = count + 1, 0
        before = "".join(t.shown for t in self._tokens[: whole[0] if whole else start])
        between = "".join(t.shown for t in self._tokens[whole[-1] + 1 : start]) if whole else ""
        after = "".join(t.shown for t in self._tokens[end:])
        shown = str(count) if whole and (count or not top) else ""
        if top or not whole:
            shown += f"{between if shown else ''}{top}/{bottom}"
        return f"{before}{shown}{after}"


def _find_affixes(tokens: Sequence[Token]) -> tuple[str, str] | None:
    """Returns what stands before and behind the digits of a usual format such as `$#,##0.00`.

    Python shows its digits as Excel does, and faster than one placeholder after the other.
    """
    match = _USUAL.fullmatch("".join(_LETTERS.get(token.kind, token.text) for token in tokens))
    if not match:
        return None
    start, end = match.span(1)
    before, after = tokens[:start], tokens[end:]
    return "".join(t.shown for t in before), "".join(t.shown for t in after)


def _nearest(number: Fraction, largest: int) -> tuple[int, int]:
    """Returns the last convergent of the continued fraction that fits, as Excel does: 3 1/7."""
    tops, bottoms, rest = (0, 1), (1, 0), number
    while True:
        whole = rest.numerator // rest.denominator
        bottom = whole * bottoms[1] + bottoms[0]
        if bottom > largest:
            break
        tops = tops[1], whole * tops[1] + tops[0]
        bottoms = bottoms[1], bottom
        if rest == whole:
            break
        rest = 1 / (rest - whole)
    return tops[1], bottoms[1]


def _find_fraction(tokens: Sequence[Token]) -> tuple[int, int, int] | None:
    """Returns where the numerator begins, where the slash stands, where the denominator ends."""
    for slash, token in enumerate(tokens):
        if token.kind != "slash":
            continue
        top = sum(1 for _ in takewhile(_is_digit, reversed(tokens[:slash])))
        bottom = sum(1 for _ in takewhile(_is_figure, tokens[slash + 1 :]))
        if top and bottom:
            return slash - top, slash, slash + 1 + bottom
    return None


def _is_digit(token: Token) -> bool:
    return token.kind == "digit"


def _is_figure(token: Token) -> bool:
    return _is_digit(token) or (token.kind == "literal" and token.text.isdecimal())


def _count_commas(tokens: Sequence[Token]) -> tuple[bool, int]:
    """Tells whether commas group the digits, and counts those that scale by 1,000.

    Grouping commas stand between digits, scaling ones behind the last.
    """
    groups, scales, pending, seen, past_point = False, 0, 0, False, False
    for token in tokens:
        if token.kind == "digit":
            groups |= bool(pending) and not past_point
            pending, seen = 0, True
        elif token.kind == "comma" and seen:
            pending += 1
        elif token.kind == "point":
            scales += pending
            pending, past_point = 0, True
    return groups, scales + pending


def _without_commas(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yields the tokens without commas behind digits: those are signs for the format."""
    seen = False
    for token in tokens:
        seen |= token.kind == "digit"
        if token.kind != "comma":
            yield token
        elif not seen:
            yield Token("literal", ",")
