"""Numbers that a program sets before paragraphs: "3", "iv", "(c)", in the forms that files name."""

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_MOST_ROMAN = 4_000
_MOST_LETTERS = 780  # a letter repeated thirty times


def to_roman(number: int) -> str:
    """Returns a number in small Roman figures; outside of 1 to 3,999 as it is."""
    if not 0 < number < _MOST_ROMAN:
        return str(number)
    pieces = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        pieces.append(letters * count)
    return "".join(pieces)


def to_letters(number: int) -> str:
    """Returns 1 as "a", 26 as "z", 27 as "aa", 28 as "bb": as office programs count."""
    if not 0 < number <= _MOST_LETTERS:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def to_ordinal(number: int) -> str:
    """Returns 1 as "1st", 12 as "12th"."""
    last = number % 10 if number % 100 not in {11, 12, 13} else 0
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
