"""Estimates how many tokens a model reads in a text, without any model's tokenizer.

It is meant for budgets: it rather counts too many. Figures and signs are what "four characters a
token" counts too few of: a table's row of 40 characters may have 20 tokens.
"""

import re
from functools import lru_cache

_PIECE = re.compile(
    r"(?P<latin>[A-Za-z]+)|(?P<digits>\d+)|(?P<dense>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<letters>[^\W\d_]+)|\S"
)
# Characters of a run that one token covers at least; of all else, each character is a token.
_COVERED = {"latin": 6, "digits": 3, "letters": 3}


@lru_cache(maxsize=256)  # the same passages are counted while they are joined and when trimmed
def estimate_tokens(text: str) -> int:
    return sum(_tokens(found) for found in _PIECE.finditer(text))


def fitting(text: str, tokens: int) -> int:
    """Returns the length of the longest beginning of whole words with at most that many tokens."""
    left = tokens
    for found in _PIECE.finditer(text):
        left -= _tokens(found)
        if left < 0:
            blank = max(text.rfind(" ", 0, found.end()), text.rfind("\n", 0, found.end()))
            return blank if blank > 0 else found.start()
    return len(text)


def _tokens(found: re.Match[str]) -> int:
    covered = _COVERED.get(found.lastgroup or "", 1)
    return -(-len(found[0]) // covered)
