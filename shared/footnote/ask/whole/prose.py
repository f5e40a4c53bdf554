"""Tells sentences of a document's prose from labels, fragments, fields of forms and references."""

import re

from footnote.ask.whole.lines import WholeLine
from footnote.text.instructions import is_instruction
from footnote.text.language import STOPWORDS

FEWEST_WORDS = 6
MOST_WORDS = 60
FEWEST_OF_A_LINE = 4
FUNCTION_WORDS = 0.2
"""The share of a sentence's words that are function words, at least. Sentences of reports, papers
and manuals have .3 to .5; labels, addresses and references below .2 (seven documents, 2026)."""
_WORD = re.compile(r"[^\W\d_]+")
_BOX = re.compile(r"[\u2610-\u2612\u25a1\u25a2\u274f-\u2752]")  # of a form, to be ticked
_ENDS = (".", "!", ";", "\u3002", "\u0964")


def is_sentence(line: WholeLine, language: str) -> bool:
    """Tells whether a line is a whole sentence, or an item of a list with as many words.

    It begins with no small letter, ends as sentences do, and has function words where those of the
    language are known.
    """
    is_whole = line.is_item or line.text.rstrip("\"'\u201d\u2019)").endswith(_ENDS)
    if not (is_whole and _is_said(line, FEWEST_WORDS)):
        return False
    first = next((letter for letter in line.text if letter.isalpha()), "")
    if first.islower() and not line.is_item:
        return False
    known = STOPWORDS.get(language)
    said = _WORD.findall(line.text.casefold())
    least = FUNCTION_WORDS * len(line.text.split())
    return not known or sum(word in known for word in said) >= least


def is_statement(line: WholeLine) -> bool:
    """Tells whether a line may say something by itself, as those of slides do."""
    return _is_said(line, FEWEST_OF_A_LINE) and not line.text.endswith((":", "?"))


def _is_said(line: WholeLine, fewest: int) -> bool:
    is_field = line.is_row or _BOX.match(line.text)
    fits = fewest <= len(line.text.split()) <= MOST_WORDS
    return fits and not is_field and not is_instruction(line.text)
