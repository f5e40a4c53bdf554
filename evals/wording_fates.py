"""Tells what became of written sentences: shown as written, told otherwise, or left out.

Words are compared, without signs and case. The check of the product is not asked: it is what is
judged here.
"""

import re
from collections.abc import Sequence

from evals.wording_cases import Case
from footnote.model import Answer, Sentence
from footnote.text.own_words import NOT_SAID
from footnote.text.terms import numbers, terms
from footnote.wire import Json

OWN_WORDS = "own words"  # a true sentence is told in the words of its passage
LOST = "lost"  # a true sentence is told in no way
REPLACED = "replaced"  # a false sentence is not shown, another is
REMOVED = "removed"  # a false sentence is not shown, and nothing in its place
NOT_SHOWN = frozenset({OWN_WORDS, LOST, REPLACED, REMOVED})
UNCONFIRMED = "unconfirmed"  # the one check that vouches for nothing
MOST = 2 / 3  # of a sentence's words, which count as the sentence
ROOM = 8  # words around a sentence that introduce it: "The report says:"
MARKS = re.compile(
    r"[\[\]{}<>|#*`【】^\\$]|\A\W*>"
)  # of markup, which no shown sentence should have
_WORD = re.compile(r"\w+")


def fates_of(case: Case, answer: Answer) -> dict[str, str]:
    """Returns the fate of each sentence of a case: how it is checked, or one of `NOT_SHOWN`."""
    shown = _cited(answer)
    found: dict[str, str] = {}
    for n, claim in enumerate(case.claims):
        written = next((one for one in shown if _is_as_written(one.text, claim, case)), None)
        if written:
            fate = check_of(written)
        elif case.true:
            told = any(_tells(one.text, claim, case) for one in shown)
            fate = OWN_WORDS if told else LOST
        else:
            fate = REPLACED if shown else REMOVED
        found[f"{case.id}/{n}"] = fate
    return found


def check_of(sentence: Sentence) -> str:
    """Returns how a sentence is checked, and by whom where that makes a difference."""
    checked = str(sentence.checked)
    if checked in {"exact", UNCONFIRMED}:
        return checked
    return f"{checked} by {sentence.judged_by}"


def says_nothing(answer: Answer) -> bool:
    """Tells whether an answer says that the documents do not say."""
    return NOT_SAID in answer.answer


def form_of(case: Case, answer: Answer) -> Json:
    """Returns how many of a form's sentences are shown, and the scraps that are shown beside them.

    A scrap is a cited sentence that holds none of them or much besides, has markup, or repeats one.
    """
    kept: set[str] = set()
    scraps = []
    for one in _cited(answer):
        held = {claim for claim in case.claims if _part_of(_words(claim), _words(one.text))}
        extra = len(_words(one.text)) - sum(len(_words(claim)) for claim in held)
        if not held or extra > ROOM or held <= kept or MARKS.search(one.text):
            scraps.append(one.text)
        kept |= held
    return {"kept": len(kept), "of": len(case.claims), "scraps": scraps}


def _cited(answer: Answer) -> list[Sentence]:
    return [one for one in answer.sentences if one.citations]


def _is_as_written(shown: str, claim: str, case: Case) -> bool:
    """Tells whether a shown sentence is the claim, or most of it in words that no passage has."""
    ours, theirs = _words(shown), _words(claim)
    if ours == theirs:
        return True
    most = len(ours) >= MOST * len(theirs) and _part_of(ours, theirs)
    return most and not _is_verbatim(shown, case)


def _tells(shown: str, claim: str, case: Case) -> bool:
    """Tells whether a shown sentence of the passage has a figure of the claim, or two of its words.

    The words count for a claim without figures.
    """
    if not _is_verbatim(shown, case):
        return False
    if figures := numbers(claim):
        return bool(figures & numbers(shown))
    return len({*terms(claim)} & {*terms(shown)}) > 1


def _is_verbatim(text: str, case: Case) -> bool:
    return any(_part_of(_words(text), _words(source)) for source in case.sources)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("%", " percent "))


def _part_of(part: Sequence[str], whole: Sequence[str]) -> bool:
    ends = range(len(part), len(whole) + 1)
    return any(list(whole[end - len(part) : end]) == list(part) for end in ends)
