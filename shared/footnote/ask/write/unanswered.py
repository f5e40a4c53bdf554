"""What is shown of a question that no sentence surely answers.

Mostly these are the nearest passages. Only where the search itself knows that nothing is there does
the answer say so: nothing was found, or no word of the question stands anywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from footnote.ask.quote.doubts import are_all_words_unknown
from footnote.ask.quote.lines import NEAR_BEST, RankedLine, rank_lines
from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.quote.table_rows import add_siblings
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.model import Citation, Evidence, Outcome, Plan, Sentence
from footnote.text.names import called_words
from footnote.text.own_words import NO_PASSAGE

LOOKED_FOR = "Looked for: {}."
MOST_PASSAGES = 4
NEAR_MEANING = 0.3  # cosine: "fee" has .38 with a sentence on a price, others .12 at most
NEAR_STATES = -7.5  # log-odds that it answers: "fee" has -6.7 with it, others -8.3 at most
MOST_LINES = 3  # rows of a passage's table


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
    # passages that overlap have the same line, which is cited once
    once: dict[str, RankedLine] = {}
    for line in chain.from_iterable(_nearest_lines(plan, evidence)):
        once.setdefault(line.text, line)
    for text, line in once.items():
        quoted = checker.check(Claim(unmark_quote(text), (numbered[line.passage.key],)))
        if isinstance(quoted, Sentence):
            # it is not said that it answers, so nothing is said of a check
            breaks.add(len(sentences))
            sentences.append(quoted.model_copy(update={"checked": None}))
    return Unanswered("nearest", tuple(sentences), frozenset(breaks), checker.citations)


def is_nowhere(plan: Plan, evidence: Mapping[str, Evidence]) -> bool:
    """Tells whether the search knows that nothing states what was asked.

    It does where it has found nothing, or where no word of the question stands in what was asked,
    and no sentence is near it by meaning: "price" stands where "cost" is asked for.
    A search that failed knows nothing.
    """
    subs = [sub for sub in plan.sub_questions if not sub.field] or plan.sub_questions
    pieces = [evidence.get(sub.id) for sub in subs if sub.was_looked_up]
    return len(pieces) == len(subs) and all(
        piece is not None
        and (not piece.passages or (are_all_words_unknown(piece) and not _is_near(piece)))
        for piece in pieces
    )


def _is_near(evidence: Evidence) -> bool:
    """Tells whether a sentence is near the question by meaning, in whatever words.

    Only of sentences that the judge of lines has read is it known what a cosine means: it comes
    with the embedding model that NEAR_MEANING was measured with.
    """
    return any(
        sentence.similarity >= NEAR_MEANING
        and sentence.states is not None
        and sentence.states >= NEAR_STATES
        for passage in evidence.passages
        for sentence in passage.sentences
    )


def _not_said(plan: Plan) -> str:
    looked_for = "; ".join(sub.text.rstrip(" .?!") for sub in plan.sub_questions if not sub.field)
    return f"{NO_PASSAGE}. {LOOKED_FOR.format(looked_for)}"


def _nowhere_words(evidence: Mapping[str, Evidence]) -> str:
    """Returns which names and figures of the question no document that was asked has, or ""."""
    words = dict.fromkeys(
        word
        for piece in evidence.values()
        for word in piece.absent
        if word in called_words(piece.question) or word[:1].isdigit()
    )
    return f"No document that was asked has: {', '.join(words)}." if words else ""


# -- the nearest passages --------------------------------------------------------------------------


def _nearest_lines(plan: Plan, evidence: Mapping[str, Evidence]) -> list[list[RankedLine]]:
    """Returns the likeliest lines, a list for each of the best passages of all sub-questions.

    The sub-questions take turns, so that each has a passage before one has a second.
    """
    pieces = [evidence[sub.id] for sub in plan.sub_questions if sub.id in evidence]
    waiting = [_by_passage(rank_lines(one.question, one), one.question) for one in pieces]
    most = max(MOST_PASSAGES, len(waiting))
    chosen: dict[tuple[str, str, int, int], list[RankedLine]] = {}
    while len(chosen) < most and (waiting := [queue for queue in waiting if queue]):
        for queue in waiting:
            lines = queue.pop(0)
            if len(chosen) < most:
                chosen.setdefault(lines[0].passage.key, lines)
    return list(chosen.values())


def _by_passage(ranked: Sequence[RankedLine], question: str) -> list[list[RankedLine]]:
    """Returns the best lines of each passage as they stand there, the best passage first.

    Where the best row is of a kind that the question asks for ("by zone"), these are all of the
    kind that stand in the passage.
    """
    lines: dict[tuple[str, str, int, int], list[RankedLine]] = {}
    for line in ranked:
        lines.setdefault(line.passage.key, []).append(line)
    shown = [add_siblings([*_best(own)], own, question) for own in lines.values()]
    return [sorted(each, key=lambda line: line.sentence.start) for each in shown]


def _best(ranked: Sequence[RankedLine]) -> Iterator[RankedLine]:
    """Yields the best line of a passage, and if it is a row, the table's rows nearly as good.

    Who wants the sentences around a line opens its page.
    """
    for line in ranked[:MOST_LINES]:
        is_row_beside = line.header and line.header == ranked[0].header
        if line is ranked[0] or (is_row_beside and line.score >= NEAR_BEST * ranked[0].score):
            yield line
