"""The words and marks for how a sentence was checked. Every face uses them.

The page has the same table in `js/fates.js`. `tests/contract/test_fates.py` compares the two.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from footnote.text.own_language import OwnLanguage, translate
from footnote.text.own_words import BY_OCR, NOT_SAID


class Fate(NamedTuple):
    """How a sentence was checked: words for a count, words for beside it, and a sign.

    The sign tells two fates apart where nobody sees colours.
    """

    short: str
    words: str
    mark: str


FATES: Mapping[str, Fate] = MappingProxyType(
    {
        "exact": Fate("word for word", "word for word", "✓"),
        "confirmed": Fate("confirmed by rules", "in other words, confirmed by rules", "✓"),
        "judged": Fate("confirmed by a model", "confirmed by a model", "✓"),
        "unconfirmed": Fate("not confirmed", "not confirmed: compare it with its quote", "?"),
        "ocr": Fate("read by OCR", BY_OCR, "OCR"),
    }
)
"""The fates in the order in which they are counted. `judged`: a model has confirmed it."""
UNCONFIRMED = FATES["unconfirmed"]
NEAREST = "Nearest passages, not an answer"
"""Heads passages that are shown where no sentence answers. None of them has a mark of a fate."""
NOT_HELD = "What was written did not hold against the documents. They may say it all the same."
CHECKED = frozenset({"exact", "confirmed", "ocr"})
"""The values of `checked` of a sentence whose citations hold. `ocr` has a mark of its own."""


def fate_of(checked: object, judged_by: object = "rules") -> Fate | None:
    """Returns the fate of a sentence, or None for one that reports what was not found.

    It is None for a check that a later release has named, too.
    """
    name = "judged" if (checked, judged_by) == ("confirmed", "model") else checked
    return FATES.get(name) if isinstance(name, str) else None


def name_outcome(outcome: object) -> str:
    """Returns a word or two for an answer that states nothing. Earlier releases know no more."""
    words = {"nearest": "nearest", "none": "no passage"}
    return words.get(outcome, "not found") if isinstance(outcome, str) else "not found"


def count_fates(fates: Iterable[Fate | None], own: OwnLanguage = "en") -> str:
    """Counts how sentences were checked: "2 word for word, 1 not confirmed", or ""."""
    counts = Counter(fates)
    return ", ".join(
        f"{counts[fate]} {translate(own, fate.short)}" for fate in FATES.values() if counts[fate]
    )


def say_refusal(answer: str, *, is_check_failed: bool) -> str:
    """Returns the text of an answer that was not found.

    Where sentences were written and none held, nobody knows that the documents do not say it.
    """
    not_said = f"{NOT_SAID}."
    if is_check_failed and answer.startswith(not_said):  # of an earlier release: it is in English
        return f"{NOT_HELD}{answer.removeprefix(not_said)}"
    return answer


def unconfirmed_numbers(
    sentences: Iterable[tuple[object, Sequence[int]]], fields: Iterable[Sequence[int]] = ()
) -> set[int]:
    """Returns the numbers of the citations that no checked sentence or field uses.

    `sentences` has `checked` and the citations of each, `fields` the citations of each value.
    """
    pairs = list(sentences)
    held = {n for checked, numbers in pairs if checked in CHECKED for n in numbers}
    cited = {n for _, numbers in pairs for n in numbers}
    return cited - held - {n for numbers in fields for n in numbers}
