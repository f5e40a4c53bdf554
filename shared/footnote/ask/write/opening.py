"""The writer's round of opening: it names passages, and is shown what stands around them.

There is one such round. A reply that is an answer needs none, so it costs nothing more.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.question.expected_cost import OPENED_TOKENS
from footnote.ask.write.citations import Documents
from footnote.ask.write.quoted_places import passage_at
from footnote.errors import NotFoundError
from footnote.model import Document, ModelRequest, Passage
from footnote.text.sentences import sentences
from footnote.text.tokens import estimate_tokens

WORD = "OPEN"
MOST_OPENED = 3
AROUND = (2_000, 1_000, 500)  # characters before and after a passage, as far as they fit
OFFER = (
    f"\nIf a passage breaks off before it says what is asked, write nothing but {WORD} [2][5], with"
    f" the numbers of at most {MOST_OPENED} passages. You are then shown what stands around them,"
    " once, and answer. Otherwise answer now."
)
_NUMBERS = re.compile(r"[\s\d.,;\[\]]+")
_NUMBER = re.compile(r"(\d{1,6})(?:\.\d+)?")


class Opened(NamedTuple):
    """What the writer is asked after opening: the request, and all passages it may cite."""

    request: ModelRequest
    passages: Mapping[int, Passage]


type Open = Callable[[Sequence[int]], Opened]


def numbers_to_open(reply: str) -> tuple[int, ...]:
    """Returns the numbers of the passages that a reply asks to open, () where it is an answer."""
    text = reply.strip().rstrip(".")
    numbers = text.removeprefix(WORD)
    if numbers == text or not _NUMBERS.fullmatch(numbers):
        return ()
    return tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(numbers)))


def open_passages(
    numbers: Sequence[int], passages: Mapping[int, Passage], documents: Documents
) -> dict[int, Passage]:
    """Returns chosen passages with the text around them, by the number of the narrow one.

    One whose document is gone or closed by now is left out.
    """
    chosen = [n for n in numbers if n in passages][:MOST_OPENED]
    opened: dict[int, Passage] = {}
    for n in chosen:
        try:
            document = documents(passages[n].document_id, passages[n].version)
        except NotFoundError:
            continue
        opened[n] = _widen(passages[n], document, OPENED_TOKENS // len(chosen))
    return opened


def _widen(passage: Passage, document: Document, tokens: int) -> Passage:
    """Returns a passage with the whole sentences around it that so many tokens have room for."""
    for around in AROUND:
        first = max(0, passage.start - around)
        last = min(len(document.text), passage.end + around)
        spans = [
            (first + start, first + end)
            for start, end in sentences(document.text[first:last])
            if (start or not first) and (first + end < last or last == len(document.text))
        ]
        start = min([passage.start, *(start for start, _ in spans)])
        end = max([passage.end, *(end for _, end in spans)])
        added = (document.text[start : passage.start], document.text[passage.end : end])
        if sum(map(estimate_tokens, added)) <= tokens:
            return passage_at(passage, document, start, end)
    return passage
