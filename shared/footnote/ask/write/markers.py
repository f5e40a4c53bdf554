"""The forms in which models cite: which passages does "(Source: 1)" or "[a.pdf, p. 2]" mean?"""

import re
from collections.abc import Collection, Mapping, Sequence

from footnote.model import Passage

_SOURCE = (
    r"(?:sources?|passages?|docs?|documents?|refs?|references?|citations?|cites?|evidence"
    r"|excerpts?|quellen?|notes?|footnotes?)"
)
_NAMED = rf"(?:(?:see|cf|siehe)(?:\.?\s+{_SOURCE})?|{_SOURCE})"
_ONE = r"(?<![\d.])\d{1,3}(?:\.\d{1,3})?(?![\d.]*\d)"
_JOINT = rf"\s*(?:[,;&+/\u2013-]|and|und|to)\s*(?:{_NAMED}[\s:.#]*)?"
NUMBERS = rf"{_ONE}(?:{_JOINT}{_ONE})*"
_INNER = re.compile(
    rf"\s*(?P<named>{_NAMED}[\s:.#]*)?[\^#@]?\s*(?P<numbers>{NUMBERS})\s*"
    r"(?P<more>(?:[:\u2020]|,?\s*(?:pp?|pages?|S)\.?\s*\d).*)?",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"({_ONE})\s*(?:[\u2013-]|to)\s*({_ONE})", re.IGNORECASE)
_NUMBER = re.compile(_ONE)
_PAGE = re.compile(r"\b(?:pp?|pages?|seiten?|s)\b\.?\s*(\d+)", re.IGNORECASE)
MOST_IN_A_RANGE = 10
MOST_OF_A_FILE = 5  # passages that a file's name stands for


def read_marker(inner: str, passages: Mapping[int, Passage]) -> tuple[int, ...]:
    """Returns the numbers that stand between the brackets of a marker, or () if it is none.

    The name of a file stands for its passages, on the page that is named with it.
    """
    if found := _INNER.fullmatch(inner):
        return read_numbers(found["numbers"], passages)
    return _of_file(inner, passages)


def is_named(inner: str) -> bool:
    """Returns whether it says what the numbers are: "Source: 1", "passage 2" or a file's name."""
    found = _INNER.fullmatch(inner)
    return found is None or bool(found["named"] or found["more"])


def read_numbers(text: str, known: Collection[int]) -> tuple[int, ...]:
    """Returns the numbers of a list; those inside a range only if there are such passages."""
    numbers = [int(float(one)) for one in _NUMBER.findall(text)]
    for first, last in _RANGE.findall(text):
        between = range(int(float(first)) + 1, int(float(last)))
        if len(between) <= MOST_IN_A_RANGE:
            numbers += [n for n in between if n in known]
    if _RANGE.search(text):
        numbers = [n for n in numbers if n in known] or numbers
    return tuple(dict.fromkeys(numbers))


def show_markers(numbers: Sequence[int]) -> str:
    """Returns the one form in which markers are read on."""
    return "".join(f"[{n}]" for n in numbers)


def _of_file(text: str, passages: Mapping[int, Passage]) -> tuple[int, ...]:
    said = text.casefold()
    of_file = {
        n: one for n, one in passages.items() if one.document.rpartition("/")[2].casefold() in said
    }
    pages = {int(page) for page in _PAGE.findall(text)}
    on_page = [n for n, one in of_file.items() if pages & set(one.pages)]
    return tuple((on_page or list(of_file))[:MOST_OF_A_FILE])
