"""Writes an answer of the documents' own sentences: the best one to three of each sub-question."""

import re
from collections.abc import Mapping, Sequence

from footnote.adapters.extractive.features import Candidate, candidates, redundant
from footnote.adapters.extractive.grade import FOUND, confidence
from footnote.model import Evidence, Passage, Plan, SubQuestion
from footnote.text.language import sentences

NOT_SAID = "The documents do not say"
MOST = 3  # sentences a sub-question
NEARLY_AS_GOOD = 0.9  # of the best one's score
type Place = tuple[str, str, int, int]
_MARKER = re.compile(r"\[(\s*\d[\d\s,;\u2013-]*)\]")


def write(plan: Plan, evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]) -> str:
    """The answer, a paragraph for each sub-question that was found; empty when none was."""
    numbers = {_place(passage): n for n, passage in passages.items()}
    said: list[str] = []
    paragraphs, missing = [], []
    for question in plan.sub_questions:
        chosen = _chosen(question, evidence.get(question.id), said)
        said += [candidate.text for candidate in chosen]
        if chosen:
            paragraphs.append(_paragraph(chosen, numbers))
        else:
            missing.append(f"{NOT_SAID}: {in_one_sentence(_plain(question.text))}")
    return "\n\n".join([*paragraphs, *missing]) if paragraphs else ""


def _paragraph(chosen: Sequence[Candidate], numbers: Mapping[Place, int]) -> str:
    """Sentences one after another; rows of a table on lines of their own, below its first row."""
    text, above = "", ""
    for candidate in chosen:
        marker = f"[{numbers[_place(candidate.passage)]}]"
        if candidate.header not in {"", above}:
            text += f"\n\n{_plain(candidate.header)} {marker}"
        text += f"{'\n\n' if candidate.header else ' '}{_plain(candidate.text)} {marker}"
        above = candidate.header
    return text.strip()


def _chosen(
    question: SubQuestion, evidence: Evidence | None, said: Sequence[str]
) -> list[Candidate]:
    if evidence is None or _sure(question, evidence) < FOUND:
        return []
    ranked = candidates(question.text, evidence)
    chosen: list[Candidate] = []
    for candidate in ranked:
        if len(chosen) == MOST or candidate.score < NEARLY_AS_GOOD * ranked[0].score:
            break
        if not redundant(candidate.text, [*said, *(other.text for other in chosen)]):
            chosen.append(candidate)
    return sorted(chosen, key=lambda c: (ranked.index(c) > 0, c.passage.document, c.sentence.start))


def _sure(question: SubQuestion, evidence: Evidence) -> float:
    return question.verdict.confidence if question.verdict else confidence(question.text, evidence)


def _place(passage: Passage) -> Place:
    return passage.document_id, passage.version, passage.start, passage.end


def in_one_sentence(question: str) -> str:
    """A question of several sentences as one, which "The documents do not say" can begin."""
    said = [question[start:end] for start, end in sentences(question)]
    return "; ".join([*(one.rstrip(" .?!") for one in said[:-1]), *said[-1:]])


def _plain(text: str) -> str:
    """A document's own [3] is no citation."""
    return _MARKER.sub(r"(\1)", text)
