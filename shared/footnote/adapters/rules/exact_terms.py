"""Exact terms of a text: numbers, codes and identifiers, which analyzers would split."""

import re
from itertools import islice

_EDGES = "()[]{}<>\"'`,;:!?.$€£%*|\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_GROUPED_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_TELLING = re.compile(r"\d|\w[._/#@:]\w")
_LONGEST = 80
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ONE_TERM = re.compile(rf"[{_NO_BLANKS}\U00020000-\U0003ffff]|[^\W_{_NO_BLANKS}]+")


def exact_terms(text: str) -> list[str]:
    """Returns each word with a digit or an inner `._/#@:` once, in lower case.

    Single characters and words over 80 characters are left out. 1,234.5 becomes 1234.5.
    """
    words = (word.strip(_EDGES).lower() for word in text.split())
    telling = (word for word in words if 1 < len(word) <= _LONGEST and _TELLING.search(word))
    return list(
        dict.fromkeys(
            word.replace(",", "") if _GROUPED_NUMBER.fullmatch(word) else word for word in telling
        )
    )


def first_words(text: str, most: int) -> tuple[str, int]:
    """Returns the text up to its `most`th word, and how many words that is.

    In a script without blanks each character counts as a word, as it becomes a term of its own.
    """
    ends = [word.end() for word in islice(_ONE_TERM.finditer(text), most)]
    return text[: ends[-1]] if len(ends) == most else text, len(ends)
