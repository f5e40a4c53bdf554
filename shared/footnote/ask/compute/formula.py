"""Works a computation out from its figures, and writes how: 12.4 - 10.1 = 2.3."""

from collections.abc import Sequence
from decimal import Decimal

from footnote.text.computations import Computation

SHARE_DECIMALS = 1  # of a change in percent
RATIO_DECIMALS = 2
MEAN_DECIMALS = 2  # more than its figures have
_MINUS = "\u2212"
_MONEY = {"$": "dollars", "\u20ac": "euros", "\u00a3": "pounds", "\u00a5": "yen"}
_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def work_out(name: Computation, numbers: Sequence[Decimal]) -> tuple[str, Decimal] | None:
    """Returns how the result follows, and the result; None where it would divide by zero.

    The first number is the later one of a difference, and the earlier one of a change in percent.
    """
    first, second = numbers[0], numbers[-1]
    places = max(map(_decimals, numbers))
    texts = [show_number(number) for number in numbers]
    terms = [texts[0], *(f"({text})" if text.startswith(_MINUS) else text for text in texts[1:])]
    match name:
        case "difference":
            return f"{texts[0]} {_MINUS} {terms[1]}", _round(first - second, places)
        case "change in percent" if first:
            subtrahend = f"({texts[0]})" if first < 0 else texts[0]
            how = f"({texts[1]} {_MINUS} {subtrahend}) \u00f7 {show_number(abs(first))} \u00d7 100"
            return how, _round((second - first) / abs(first) * 100, SHARE_DECIMALS)
        case "sum":
            return " + ".join(terms), _round(sum(numbers, Decimal(0)), places)
        case "mean":
            mean = sum(numbers, Decimal(0)) / len(numbers)
            return f"({' + '.join(terms)}) \u00f7 {len(numbers)}", _round(
                mean, places + MEAN_DECIMALS
            )
        case "ratio" if second:
            return f"{texts[0]} \u00f7 {terms[1]}", _round(first / second, RATIO_DECIMALS)
        case _:
            return None


def show_result(name: Computation, result: Decimal, unit: str, scale: int) -> str:
    """Returns a result with its unit in words: "0.6 million euros", "16.7 %"."""
    return f"{show_number(result)}{_unit_of(name, unit, scale)}"


def show_number(number: Decimal) -> str:
    """Returns a number with a comma for thousands and no zeros at its end."""
    plain = f"{number:,f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return plain.replace("-", _MINUS)


def _unit_of(name: Computation, unit: str, scale: int) -> str:
    if name == "change in percent":
        return " %"
    if name == "ratio":
        return ""
    if unit in {"%", "pp"}:
        return " percentage points" if name == "difference" or unit == "pp" else " %"
    words = (_SCALES.get(scale, f"\u00d7 10^{scale}") if scale else "", _MONEY.get(unit, unit))
    return "".join(f" {word}" for word in words if word)


def _round(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places))


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
