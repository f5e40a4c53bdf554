"""What is shown of a question that no sentence surely answers.

Mostly these are the nearest passages. Only where the search itself knows that nothing is there does
the answer say so: nothing was found, or no word of the question stands anywhere.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.quote.doubts import are_all_words_unknown
from footnote.ask.quote.nearest import nearest_lines
from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.model import Citation, Evidence, Outcome, Plan, Sentence
from footnote.text.names import called_words
from footnote.text.own_words import NOT_SAID


class Unanswered(NamedTuple):
    """The outcome, the sentences with those that begin a line, and what they cite."""

    outcome: Outcome
    sentences: tuple[Sentence, ...]
    breaks: frozenset[int]
    citations: tuple[Citation, ...]


def show_unanswered(
    plan: Plan,
    evidence: Mapping[str, Evidence],
    checker: Checker,
    head: Sequence[Sentence],
    share: str,
) -> Unanswered:
    """Returns the nearest passages, or that there are none.

    `checker` knows the passages of all evidence. `head` says why they are shown. `share` is how
    many of the documents were asked, or "".
    """
    if is_nowhere(plan, evidence):
        said = Sentence(text=" ".join(filter(None, (_not_said(plan), share))))
        return Unanswered("none", (said,), frozenset(), ())
    facts = " ".join(filter(None, (_nowhere_words(evidence), share)))
    sentences = [*head, *([Sentence(text=facts)] if facts else [])]
    breaks = set[int]()
    numbered = {passage.key: n for n, passage in checker.sources.passages.items()}
    for lines in nearest_lines(plan, evidence):
        for line in lines:
            marker = numbered[line.passage.key]
            quoted = checker.check(Claim(unmark_quote(line.text), (marker,)))
            shown = {sentence.text for sentence in sentences}
            if isinstance(quoted, Sentence) and quoted.text not in shown:
                # it is not said that it answers, so nothing is said of a check
                breaks.add(len(sentences))
                sentences.append(quoted.model_copy(update={"checked": None}))
    return Unanswered("nearest", tuple(sentences), frozenset(breaks), checker.citations)


def is_nowhere(plan: Plan, evidence: Mapping[str, Evidence]) -> bool:
    """Tells whether the search knows that nothing states what was asked.

    It does where it has found nothing, or where no word of the question stands in what was asked.
    A search that failed knows nothing.
    """
    subs = [sub for sub in plan.sub_questions if not sub.field] or plan.sub_questions
    pieces = [evidence.get(sub.id) for sub in subs if sub.was_looked_up]
    return len(pieces) == len(subs) and all(
        piece is not None and (not piece.passages or are_all_words_unknown(piece))
        for piece in pieces
    )


def _not_said(plan: Plan) -> str:
    looked_for = "; ".join(sub.text.rstrip(" .?!") for sub in plan.sub_questions if not sub.field)
    return f"{NOT_SAID}. Looked for: {looked_for}."


def _nowhere_words(evidence: Mapping[str, Evidence]) -> str:
    """Returns which names and figures of the question no document that was asked has, or ""."""
    words = dict.fromkeys(
        word
        for piece in evidence.values()
        for word in piece.absent
        if word in called_words(piece.question) or word[:1].isdigit()
    )
    return f"No document that was asked has: {', '.join(words)}." if words else ""
