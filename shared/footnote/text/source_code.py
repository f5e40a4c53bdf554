"""Tells lines of a program from sentences: by the signs they have, and the words they lack."""

import re

from footnote.text.bullets import BULLETS
from footnote.text.language import STOPWORDS, words

# the end of a statement or block, a call but for "see init(8)", an arrow of a function, a comment
_SIGNS = re.compile(
    r"[;{}]\s*$|[\w\]>]!?\((?!\d\w?\))[^()]*+\)\s*[;,.{)]|=>|^\s*(?://|/\*|#include\b|#!?\[)"
)
_STRING = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'|`[^`]*`")
_ITEM = re.compile(rf"\s*(?:[-*{BULLETS}]|\(?\w{{1,3}}[.)])\s")  # "(b) cash dividends;"
_PROSE = 0.15  # share of a line's words that are stop words, from which on it is a sentence


def is_source_code(line: str) -> bool:
    """Returns whether a line is of a program, such as "const h = monitor({ resolution: 20 });".

    A comment alone is one; a command as it is typed in a shell, without such signs, is none.
    """
    if _ITEM.match(line) or not _SIGNS.search(line):
        return False
    told = words(_STRING.sub(" ", line))
    is_comment = line.lstrip().startswith(("//", "/*"))
    return is_comment or sum(one in STOPWORDS["en"] for one in told) < _PROSE * len(told)
