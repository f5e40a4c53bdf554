"""Writes numbers that code has worked out: 1,234.5 million dollars."""

from decimal import Decimal

_MONEY = {"$": "dollars", "\u20ac": "euros", "\u00a3": "pounds", "\u00a5": "yen"}
_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def round_to(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places))


def show_number(number: Decimal) -> str:
    """Returns a number with a comma for thousands and no zeros at its end."""
    plain = f"{number:,f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return plain.replace("-", "\u2212")


def unit_in_words(unit: str, scale: int) -> str:
    """Returns " million dollars" for ("$", 6): what follows a number, or ""."""
    words = (_SCALES.get(scale, f"\u00d7 10^{scale}") if scale else "", _MONEY.get(unit, unit))
    return "".join(f" {word}" for word in words if word)
