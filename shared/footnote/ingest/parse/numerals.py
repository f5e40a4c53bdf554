"""Writes the numbers that a program sets before list items and headings: 4, d, D, iv, IV."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN = 3_999
_MOST_LETTERS = 26**4
_MOST_REPEATED = 26 * 30  # a letter thirty times
_LONGEST = 6  # characters; Python refuses to read very long numbers


def numeral(number: int, kind: str) -> str:
    """Returns a number as HTML's `type` and ODF's `num-format` write it.

    Digits stand for other kinds, and for numbers that letters do not reach.
    """
    if kind == "01":
        return f"{number:02}"
    if kind in {"a", "A"} and 0 < number <= _MOST_LETTERS:
        letters = _letters(number)
    elif kind in {"i", "I"}:
        letters = to_roman(number)
    else:
        return str(number)
    return letters if kind.islower() else letters.upper()


def _letters(number: int) -> str:
    """Counts a, b, … z, aa, ab."""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("a") + place) + letters
    return letters


def to_roman(number: int) -> str:
    """Returns a number in small Roman figures; outside of 1 to 3,999 in digits."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    figures = ""
    for value, sign in _ROMAN:
        times, number = divmod(number, value)
        figures += sign * times
    return figures


def repeated_letter(number: int) -> str:
    """Returns 1 as "a", 26 as "z", 27 as "aa", 28 as "bb", as Word and PowerPoint count."""
    if not 0 < number <= _MOST_REPEATED:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def to_ordinal(number: int) -> str:
    """Returns 1 as "1st", 12 as "12th"."""
    last = number % 10 if number % 100 not in {11, 12, 13} else 0
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


def to_number(text: str, default: int) -> int:
    """Reads a whole number of at most six digits from an attribute."""
    digits = text.strip()
    is_number = digits.removeprefix("-").isdecimal() and len(digits) <= _LONGEST
    return int(digits) if is_number else default
