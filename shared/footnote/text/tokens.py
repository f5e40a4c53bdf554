"""Estimates how many tokens a model reads in a text, without any model's tokenizer.

It is for budgets, so it rather counts too many. "Four characters a token" counts too few for
figures and signs: a table's row of 40 characters may have 20 tokens.
"""

import re
from functools import lru_cache

from footnote.text.sentences import sentences

NUMBER = 3  # tokens of a line's number and its end

_PIECE = re.compile(
    r"(?P<latin>[A-Za-z]+)|(?P<digits>\d+)|(?P<dense>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<letters>[^\W\d_]+)|\S"
)
# The fewest characters of a run that one token covers. Any other character is one token.
_COVERED = {"latin": 6, "digits": 3, "letters": 3}


@lru_cache(maxsize=256)  # the same passages are counted when joined and when trimmed
def estimate_tokens(text: str) -> int:
    return sum(_tokens(piece) for piece in _PIECE.finditer(text))


def estimate_lines(text: str) -> int:
    """Returns the tokens of a text that is shown line by line, each with its number."""
    return sum(estimate_tokens(text[start:end]) + NUMBER for start, end in sentences(text))


def fitting(text: str, tokens: int) -> int:
    """Returns the length of the longest beginning of whole words with at most that many tokens."""
    rest = tokens
    for piece in _PIECE.finditer(text):
        rest -= _tokens(piece)
        if rest < 0:
            blank = max(text.rfind(" ", 0, piece.end()), text.rfind("\n", 0, piece.end()))
            return blank if blank > 0 else piece.start()
    return len(text)


def _tokens(piece: re.Match[str]) -> int:
    covered = _COVERED.get(piece.lastgroup or "", 1)
    return -(-len(piece[0]) // covered)
