"""Sentences that say what the documents do not say: they cite nothing, and name nothing new."""

import re
from collections.abc import Sequence

from footnote.ask.guard.screen import content_words, is_unsafe
from footnote.ask.write.claims import Claim
from footnote.model import Plan, Sentence
from footnote.text.own_words import NOT_SAID, NOT_STATED
from footnote.text.sentences import sentences

_SAYING = content_words("whether anything information about mention state give detail exactly")
_SOURCES = r"(?:documents?|passages?|sources?|texts?|context|information|evidence)"
_SAY = (
    r"(?:say|state|mention|contain|provide|specify|give|include|tell|answer|cover|address|indicate"
    r"|discuss|describe|reveal|disclose|show|explain|have|sufficient|enough)"
)
_DENIAL = re.compile(
    rf"(?:the|these|those)\s+(?:\w+\s+){{0,2}}{_SOURCES}\s+(?:\w+\s+){{0,2}}?"
    rf"(?:(?:do|does|did)\s+not|don't|doesn't|didn't|is\s+not|are\s+not)\s+{_SAY}"
    rf"|(?:none of the|no)\s+(?:\w+\s+){{0,2}}{_SOURCES}\s+(?:\w+\s+){{0,2}}?{_SAY}"
    r"|(?:there is|i (?:have|find|found|see)) no (?:information|mention|passage|document)"
    r"|i (?:do not|don't|cannot|can't|could not|couldn't) (?:know|find|tell|answer|see)\b",
    re.IGNORECASE,
)


def read_not_said(claim: Claim, plan: Plan) -> Sentence | None:
    """Returns a claim that says what the documents do not say as a sentence; None for others.

    It needs no citation, and may speak of nothing but what was asked.
    """
    if claim.markers or not claim.text.startswith((NOT_SAID, NOT_STATED)):
        return None
    asked = (plan.question, *(q.text for q in plan.sub_questions))
    left_open = claim.text.removeprefix(NOT_SAID).removeprefix(NOT_STATED)
    return Sentence(text=claim.text) if is_about(left_open, asked) else None


def is_denial(text: str) -> bool:
    """Returns whether a sentence says, in whatever words, that the documents do not say."""
    if text.startswith(NOT_SAID):
        return True
    text = text.replace("\u2019", "'")
    return bool(_DENIAL.match(text))


def is_about(text: str, asked: Sequence[str]) -> bool:
    """Returns whether a text uses words of the questions alone."""
    if text.strip(" :.?!") in {one.strip(" :.?!") for one in asked}:
        return True
    new = content_words(text) - content_words(" ".join(asked)) - _SAYING
    return not new and len(sentences(text)) <= 1 and not is_unsafe(text, asked)
