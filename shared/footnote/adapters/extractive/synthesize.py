"""Writes an answer from the documents' own sentences: the best one to three per sub-question."""

import re
from collections.abc import Mapping, Sequence

from footnote.adapters.extractive.features import Candidate, candidates, is_redundant
from footnote.adapters.extractive.grade import FOUND, confidence
from footnote.model import Evidence, Passage, Plan, SubQuestion
from footnote.text.language import sentences
from footnote.text.smalltalk import NOT_SAID

MOST = 3  # sentences per sub-question
NEARLY_AS_GOOD = 0.9  # share of the best score that another sentence must have
# Characters of one passage between the best sentence and another, about a paragraph: sentences from
# elsewhere cite another page, which is mostly the wrong one.
NEAR = 400
type Place = tuple[str, str, int, int]
_MARKER = re.compile(r"\[(\s*\d[\d\s,;\u2013-]*)\]")


def write(plan: Plan, evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]) -> str:
    """Returns the answer, or "" when no sub-question was found.

    Each sub-question that was found gets a paragraph. The others follow as not said.
    """
    numbers = {_place(passage): n for n, passage in passages.items()}
    said: list[str] = []
    paragraphs, missing = [], []
    for question in plan.sub_questions:
        chosen = _choose(question, evidence.get(question.id), said)
        said += [candidate.text for candidate in chosen]
        if chosen:
            paragraphs.append(_paragraph(chosen, numbers))
        elif not question.was_looked_up:
            continue  # nobody can say what the documents say of it: `degraded` names it
        elif not said or not _is_found(question, evidence.get(question.id)):
            missing.append(f"{NOT_SAID}: {join_sentences(_unmark(question.text))}")
    return "\n\n".join([*paragraphs, *missing]) if paragraphs else ""


def _paragraph(chosen: Sequence[Candidate], numbers: Mapping[Place, int]) -> str:
    """Joins sentences into a paragraph. Table rows get lines of their own below their header."""
    text, above = "", ""
    for candidate in chosen:
        marker = f"[{numbers[_place(candidate.passage)]}]"
        if candidate.header not in {"", above}:
            text += f"\n\n{_unmark(candidate.header)} {marker}"
        text += f"{'\n\n' if candidate.header else ' '}{_unmark(candidate.text)} {marker}"
        above = candidate.header
    return text.strip()


def _choose(
    question: SubQuestion, evidence: Evidence | None, said: Sequence[str]
) -> list[Candidate]:
    if evidence is None or not _is_found(question, evidence):
        return []
    ranked = candidates(question.text, evidence)
    chosen: list[Candidate] = []
    for candidate in ranked:
        if len(chosen) == MOST or candidate.score < NEARLY_AS_GOOD * ranked[0].score:
            break
        if chosen and not _is_near(candidate, chosen[0]):
            continue
        if not is_redundant(candidate.text, [*said, *(other.text for other in chosen)]):
            chosen.append(candidate)
    return sorted(chosen, key=lambda c: (ranked.index(c) > 0, c.passage.document, c.sentence.start))


def _is_near(one: Candidate, other: Candidate) -> bool:
    same = _place(one.passage) == _place(other.passage)
    return same and abs(one.sentence.start - other.sentence.start) <= NEAR


def _is_found(question: SubQuestion, evidence: Evidence | None) -> bool:
    """Tells whether the grader, or else the score, says that the evidence states the answer."""
    if evidence is None:
        return False
    if question.verdict:
        return question.verdict.confidence >= FOUND
    return confidence(question.text, evidence) >= FOUND


def _place(passage: Passage) -> Place:
    return passage.document_id, passage.version, passage.start, passage.end


def join_sentences(question: str) -> str:
    """Joins a question's sentences into one, so that "The documents do not say" can begin it."""
    said = [question[start:end] for start, end in sentences(question)]
    return "; ".join([*(one.rstrip(" .?!") for one in said[:-1]), *said[-1:]])


def _unmark(text: str) -> str:
    """Turns a document's own [3] into (3), as it is no citation."""
    return _MARKER.sub(r"(\1)", text)
