"""Rules that numbers of people and accounts satisfy: check digits, as their issuers define them.

Each takes a number without separators, in capitals, and tells whether it may be one. A figure that
merely has as many digits passes seldom: one in ten by Luhn, one in 97 by ISO 7064.
"""

import re
from datetime import date

_LETTERS_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_LETTERS_HETU = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_ODD = (
    1,
    0,
    5,
    7,
    9,
    13,
    15,
    17,
    19,
    21,
    2,
    4,
    18,
    20,
    11,
    3,
    6,
    8,
    12,
    14,
    16,
    10,
    22,
    25,
    24,
    23,
)
_ODD_CF = {chr(ord("A") + n): value for n, value in enumerate(_ODD)} | {
    str(n): value for n, value in enumerate(_ODD[:10])
}  # values of the odd places of an Italian codice fiscale (decree of 23 December 1976)


def is_luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """The issuers' first digits and lengths (ISO/IEC 7812-1), then Luhn."""
    issuers = r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6\d{15,18}|3[0689]\d{12}"
    return bool(re.fullmatch(issuers, digits)) and is_luhn(digits)


def is_iban(number: str) -> bool:
    """ISO 13616-1: the remainder of the rearranged number by 97 is 1."""
    turned = number[4:] + number[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def is_german_tax_id(digits: str) -> bool:
    """Steuer-IdNr: one digit of the first ten comes two or three times; ISO 7064 mod 11, 10."""
    counts = sorted(digits[:10].count(sign) for sign in set(digits[:10]))
    if digits[0] == "0" or counts[-1] not in {2, 3} or (len(counts) > 1 and counts[-2] > 1):
        return False
    product = 10
    for digit in digits[:10]:
        product = ((int(digit) + product - 1) % 10 + 1) * 2 % 11
    return (11 - product) % 10 == int(digits[10])


def is_spanish_id(number: str) -> bool:
    """DNI, and NIE, whose first letter stands for a digit: the letter is the remainder by 23."""
    digits = number[:-1].translate(str.maketrans("XYZ", "012"))
    return number[-1] == _LETTERS_DNI[int(digits) % 23]


def is_french_id(number: str) -> bool:
    """NIR: the last two digits are 97 less the remainder by 97; Corsica's 2A is 19, its 2B 18."""
    body = number[:-2].replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body) % 97 == int(number[-2:])


def is_italian_id(number: str) -> bool:
    """Codice fiscale: the last letter follows from odd and even places."""
    odd = sum(_ODD_CF[sign] for sign in number[0:15:2])
    even = sum(int(sign) if sign.isdigit() else ord(sign) - ord("A") for sign in number[1:15:2])
    return chr(ord("A") + (odd + even) % 26) == number[15]


def is_polish_id(digits: str) -> bool:
    """PESEL: a date whose month tells the century, then weights 1 3 7 9."""
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    century = {0: 1900, 1: 2000, 2: 2100, 3: 2200, 4: 1800}[month // 20]
    weights = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
    total = sum(weight * int(digit) for weight, digit in zip(weights, digits, strict=True))
    return total % 10 == 0 and is_day(century + year, month % 20, day)


def is_belgian_id(digits: str) -> bool:
    """Rijksregisternummer: 97 less the remainder by 97; births from 2000 on have a 2 before."""
    checks = [97 - int(before + digits[:9]) % 97 for before in ("", "2")]
    month, day = int(digits[2:4]), int(digits[4:6])
    return int(digits[9:]) in checks and month <= 12 and day <= 31


def is_finnish_id(number: str) -> bool:
    """HETU: the last sign is the remainder of date and number by 31."""
    day, month = int(number[:2]), int(number[2:4])
    remainder = int(number[:6] + number[-4:-1]) % 31  # the sign of the century may be gone
    return number[-1] == _LETTERS_HETU[remainder] and is_day(2000, month, day)


def is_swedish_id(digits: str) -> bool:
    """Personnummer: a date (coordination numbers add 60 to the day), then Luhn over ten digits."""
    digits = digits[-10:]
    month, day = int(digits[2:4]), int(digits[4:6])
    return is_luhn(digits) and is_day(2000, month, day - 60 if day > 60 else day)


def is_american_id(digits: str) -> bool:
    """SSN: it has no check digit; the ranges that are never given are left out (SSA, POMS RM)."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
