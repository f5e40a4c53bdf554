"""Tells lines of a program from sentences: by the signs they have, and the words they lack."""

import re

from footnote.text.bullets import BULLETS
from footnote.text.language import STOPWORDS, words

_SIGNS = re.compile(
    r"[;{}]\s*$"  # the end of a statement or of a line that opens a block
    r"|\w\.\w+\([^()]*+\)\s*$"  # a call that ends the line
    r"|[\w\]>]!?\((?!\d\w?\))[^()]*+\)\s*[;,.{)]"  # one within it, but for "see init(8)"
    r"|=>|^\s*(?://|/\*|#include\b|#!?\[)"  # an arrow of a function, a comment
)
_COMMENT = re.compile(r"(?<!:)//|/\*")
_STRING = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'|`[^`]*`")
_ITEM = re.compile(rf"\s*(?:[-*{BULLETS}]|\(?\w{{1,3}}[.)])\s")  # "(b) cash dividends;"
# A sentence has this many stop words, and they are this share of its words. "from" and "for" are
# words of programs, too.
_FEWEST, _PROSE = 2, 0.15


def is_source_code(line: str) -> bool:
    """Returns whether a line is of a program, such as "const h = monitor({ resolution: 20 });".

    A comment alone is one; a command as it is typed in a shell, without such signs, is none.
    """
    if _ITEM.match(line) or not _SIGNS.search(line):
        return False
    told = words(_STRING.sub(" ", _COMMENT.split(line, maxsplit=1)[0]))
    stops = sum(one in STOPWORDS["en"] for one in told)
    return stops < _FEWEST or stops < _PROSE * len(told)
