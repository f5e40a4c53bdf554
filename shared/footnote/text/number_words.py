"""The words for numbers, for reading figures, limits and questions."""

from collections.abc import Mapping

ENGLISH: Mapping[str, int] = {
    name: n
    for n, name in {
        0: "zero", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
        9: "nine", 10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen",
        15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen",
        20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy",
        80: "eighty", 90: "ninety", 100: "hundred",
    }.items()
}  # fmt: skip
"""A word → its number. "One" is left out: it mostly means something else."""
GERMAN: Mapping[str, int] = {
    name: n
    for n, name in enumerate(
        ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"], start=2
    )
}
