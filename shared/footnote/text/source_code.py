"""Distinguishes lines of a program from sentences: by their signs and missing words."""

import re

from footnote.text.language import STOPWORDS, words
from footnote.text.sentences import BULLETS

_SIGNS = re.compile(
    r"[;{}]\s*$"  # the end of a statement or of a line that opens a block
    r"|\w\.\w+\([^()]*+\)\s*$"  # a call that ends the line
    r"|[\w\]>]!?\((?!\d\w?\))[^()]*+\)\s*[;,.{)]"  # one within the line, except "see init(8)"
    r"|=>|^\s*(?://|/\*|#include\b|#!?\[)"  # an arrow of a function, a comment
)
_COMMENT = re.compile(r"(?<!:)//|/\*")
_STRING = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'|`[^`]*`")
_ITEM = re.compile(rf"\s*(?:[-*{BULLETS}]|\(?\w{{1,3}}[.)])\s")  # "(b) cash dividends;"
# A sentence has this many stop words, and this share of its words are stop words. "from" and "for"
# are words of programs, too.
_FEWEST, _PROSE = 2, 0.15


def is_source_code(line: str) -> bool:
    """Tells whether a line is of a program, such as "const h = monitor({ resolution: 20 });".

    A lone comment is; a shell command without such signs is not.
    """
    if _ITEM.match(line) or not _SIGNS.search(line):
        return False
    plain_words = words(_STRING.sub(" ", _COMMENT.split(line, maxsplit=1)[0]))
    stops = sum(word in STOPWORDS["en"] for word in plain_words)
    return stops < _FEWEST or stops < _PROSE * len(plain_words)
