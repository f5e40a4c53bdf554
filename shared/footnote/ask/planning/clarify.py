"""Asks back in the plainest case: "How much does it cost?" as the first question of a session."""

import re
from collections.abc import Sequence

from footnote.text.terms import terms

_PRONOUN = re.compile(r"\b(its?|he|she|him|her|his|they|them|their|that|there)\b", re.IGNORECASE)
_NAME_OR_FIGURE = re.compile(r"(?<!^)\b[A-Z]|\d")
_HOW = frozenset(terms("much many long often old far"))  # "How much" names nothing either
MOST_TERMS = 1  # beside the pronoun; a search would look for that word alone
MOST_REPLIED = 6  # terms of a reply to a question back; a longer one is a question of its own


def ask_back(
    question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()
) -> str:
    """Returns what has to be known before the question can be looked up, "" if that is nothing.

    `documents` are those that the search is limited to: "it" may be what a single one is about.
    """
    pronoun = None if history or len(documents) == 1 else _PRONOUN.search(question)
    asked = [term for term in terms(question) if term not in _HOW]
    is_bare = 0 < len(asked) <= MOST_TERMS and not _NAME_OR_FIGURE.search(question)
    return f"What do you mean by \u201c{pronoun[0]}\u201d?" if pronoun and is_bare else ""


def complete(
    question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()
) -> str:
    """Returns the last question with the user's reply to a question back, which `question` is.

    Returns "" where the last answer did not ask back, or where the reply is a question itself.
    """
    asked, answer = history[-1] if history else ("", "")
    is_reply = not question.rstrip().endswith("?") and 0 < len(terms(question)) <= MOST_REPLIED
    if not is_reply or not answer or answer != ask_back(asked, history[:-1], documents):
        return ""
    return f"{asked.rstrip(' ?.!')} ({question.strip(' ?.!')})?"
