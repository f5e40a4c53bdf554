"""Finds the items of lists in a passage: what a line leads in, and the steps around a step.

A sentence is named by its place among the passage's sentences. An item begins with a bullet, a
number or a letter; what follows up to the next item belongs to it.
"""

import re
from collections.abc import Sequence

from footnote.model import Passage, ScoredSentence
from footnote.text.bullets import BULLETS, TICKS

MOST_STEPS = 12  # more are no instruction, but the paragraphs of a contract or a pleading
MOST_ITEMS = 24  # sentences of a list; of a longer one no answer is made
MOST_SENTENCES = 3  # of one step
_NUMBER = re.compile(r"\s*\(?(\d{1,2})[.)]?\s+(?=[^\W\d_a-z]|[\"'\u201c(])")
_MARK = re.compile(rf"\s*(?:[-*{BULLETS}{TICKS}\u2013]|\(?\d{{1,2}}[.)]|\(?[a-z]\))\s+")
_WORD = re.compile(r"[^\W\d_]{2}")
_BLANK = re.compile(r"\n[^\S\n]*\n")


def is_item(passage: Passage, sentence: ScoredSentence) -> bool:
    """Returns whether a sentence stands in a line that begins with a bullet, number or letter."""
    start, end = sentence.start - passage.start, sentence.end - passage.start
    line = passage.text[passage.text.rfind("\n", 0, start) + 1 : end]
    return bool(_MARK.match(line))


def begins_item(passage: Passage, sentence: ScoredSentence) -> bool:
    """Returns whether a sentence is the first of an item."""
    start = sentence.start - passage.start
    before = passage.text[passage.text.rfind("\n", 0, start) + 1 : start]
    text = _text(passage, sentence)
    is_marked = _MARK.match(f"{before}{text}") and not _WORD.search(before)
    return bool(is_marked or _NUMBER.match(text))


def items_after(passage: Passage, n: int) -> Sequence[ScoredSentence]:
    """Returns the sentences of the list that directly follows sentence `n`, () where none does."""
    spans = passage.sentences[n + 1 :]
    ends = next((k for k, one in enumerate(spans) if not is_item(passage, one)), len(spans))
    return spans[:ends]


def led_in(passage: Passage, n: int) -> Sequence[ScoredSentence]:
    """Returns the items that sentence `n` leads in: it ends in a colon, some items follow it.

    Steps are given with what stands between them.
    """
    if not _text(passage, passage.sentences[n]).rstrip().endswith(":"):
        return ()
    follows = n + 1 < len(passage.sentences)
    found = (steps_around(passage, n + 1) if follows else ()) or items_after(passage, n)
    return found if 1 < len(found) <= MOST_ITEMS else ()


def steps_around(passage: Passage, n: int) -> Sequence[ScoredSentence]:
    """Returns the sentences of all numbered steps where sentence `n` is of one of them, else ().

    Steps are numbered without a gap. What is numbered but too long for steps is none.
    """
    numbers = [_number(passage, one) for one in passage.sentences]
    first = n
    while first > 0 and not (numbers[first] and _begins(numbers, first)):
        first -= 1
    if not numbers[first]:
        return ()
    steps, last, k = 1, first, first + 1
    while k < len(numbers) and k - last <= MOST_SENTENCES:
        if numbers[k] == numbers[last] + 1:
            steps, last = steps + 1, k
        elif numbers[k]:
            break
        k += 1
    end = last + 1
    while end < len(numbers) and not numbers[end] and not _is_apart(passage, end):
        end += 1
    fits = 1 < steps <= MOST_STEPS and n < min(end, last + MOST_SENTENCES)
    return passage.sentences[first : min(end, last + MOST_SENTENCES)] if fits else ()


def _begins(numbers: Sequence[int], n: int) -> bool:
    """Returns whether no earlier step goes before this one."""
    before = next((one for one in reversed(numbers[max(0, n - MOST_SENTENCES) : n]) if one), 0)
    return numbers[n] == 1 or before != numbers[n] - 1


def _number(passage: Passage, one: ScoredSentence) -> int:
    found = _NUMBER.match(_text(passage, one))
    return int(found[1]) if found else 0


def _text(passage: Passage, one: ScoredSentence) -> str:
    return passage.text[one.start - passage.start : one.end - passage.start]


def _is_apart(passage: Passage, n: int) -> bool:
    """Returns whether a blank line stands before sentence `n`."""
    before, one = passage.sentences[n - 1], passage.sentences[n]
    return bool(_BLANK.search(passage.text[before.end - passage.start : one.start - passage.start]))
