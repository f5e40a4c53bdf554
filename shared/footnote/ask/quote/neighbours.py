"""Finds what belongs to a sentence in its passage: the items of its list, or the next sentence.

A sentence is given as its place among the passage's sentences. An item begins with a bullet, a
number or a letter, and reaches to the next item.
"""

import re
from collections.abc import Sequence

from footnote.model import CELL, Passage, ScoredSentence
from footnote.text.sentences import BULLETS, TICKS

MOST_STEPS = 12  # more are no instruction, but the paragraphs of a contract or a pleading
MOST_ITEMS = 24  # sentences of a list that an answer gives whole
MOST_SENTENCES = 3  # of one step
_NUMBER = re.compile(r"\s*\(?(\d{1,2})[.)]?\s+(?=[^\W\d_a-z]|[\"'\u201c(])")
_MARK = re.compile(rf"\s*(?:[-*{BULLETS}{TICKS}\u2013]|\(?\d{{1,2}}[.)]|\(?[a-z]\))\s+")
_WORD = re.compile(r"[^\W\d_]{2}")
_BLANK = re.compile(r"\n[^\S\n]*\n")
# A sentence that begins with such a word of reference or conjunction is tied to the one before it
# (Halliday and Hasan, Cohesion in English, 1976).
_TIED = re.compile(
    r"(?:if|this|that|these|those|it|its|they|their|he|his|she|her|we|our|you|however|otherwise"
    r"|therefore|thus|instead|by default|default|such|but|and|so|then|when|unless|only|use|not|note"
    r"|also|additionally|moreover|similarly|as a result|nor|or|both|each|here|there|yes|no"
    r"|the (?:default|same|value|latter|former|recommendation)"
    r"|in (?:this|that|such|these|other|addition|general|particular)"
    r"|for (?:example|this|instance))\b"
    r"|[^,]*, however,",
    re.IGNORECASE,
)


def tied_sentence(passage: Passage, n: int) -> ScoredSentence | None:
    """Returns the sentence after sentence `n`, if it is tied to it and in the same paragraph.

    It often says what is asked for in words that the question lacks: "If it still runs, the field
    is null." Rows of tables have none. The words are English; texts in other languages have none.
    """
    if n + 1 == len(passage.sentences) or CELL in _text(passage, passage.sentences[n]):
        return None
    sentence, following = passage.sentences[n], passage.sentences[n + 1]
    between = passage.text[sentence.end - passage.start : following.start - passage.start]
    is_tied = _TIED.match(" ".join(_text(passage, following).split()))
    return following if is_tied and "\n\n" not in between else None


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
    end = next((k for k, span in enumerate(spans) if not is_item(passage, span)), len(spans))
    return spans[:end]


def led_in(passage: Passage, n: int) -> Sequence[ScoredSentence]:
    """Returns the items that follow sentence `n`, if it ends in a colon; () where it leads in none.

    Steps are returned with what stands between them.
    """
    if not _text(passage, passage.sentences[n]).rstrip().endswith(":"):
        return ()
    has_next = n + 1 < len(passage.sentences)
    items = (steps_around(passage, n + 1) if has_next else ()) or items_after(passage, n)
    return items if 1 < len(items) <= MOST_ITEMS else ()


def steps_around(passage: Passage, n: int) -> Sequence[ScoredSentence]:
    """Returns the sentences of all numbered steps, if sentence `n` is in one of them, else ().

    Steps are numbered without a gap. Too many or too long items are no steps.
    """
    numbers = [_number(passage, sentence) for sentence in passage.sentences]
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
    """Returns whether sentence `n` begins the first step: none before it has the number before."""
    nearest = reversed(numbers[max(0, n - MOST_SENTENCES) : n])
    before = next((number for number in nearest if number), 0)
    return numbers[n] == 1 or before != numbers[n] - 1


def _number(passage: Passage, sentence: ScoredSentence) -> int:
    match = _NUMBER.match(_text(passage, sentence))
    return int(match[1]) if match else 0


def _text(passage: Passage, sentence: ScoredSentence) -> str:
    return passage.text[sentence.start - passage.start : sentence.end - passage.start]


def _is_apart(passage: Passage, n: int) -> bool:
    """Returns whether a blank line stands before sentence `n`."""
    before, sentence = passage.sentences[n - 1], passage.sentences[n]
    between = passage.text[before.end - passage.start : sentence.start - passage.start]
    return bool(_BLANK.search(between))
