"""What a search hands on: its answer to sub-questions that depend on it, and its figures."""

from collections.abc import Mapping

from footnote.ask.evidence.merge import evidence_of
from footnote.contracts import RetrieveResult
from footnote.model import Evidence, Plan, SubQuestion, Verdict
from footnote.ports import BlobStore

STATED = 0.5
"""The least confidence with which an answer is handed on: it is stated more likely than not."""


def finding(evidence: Evidence, verdict: Verdict | None) -> str:
    """Returns the answer, for the search of sub-questions that depend on it.

    It is the summary of whoever looked for it, else the sentence that answers best.

    It is "" where the answer was not found: the best of sentences that do not answer misleads.
    """
    if verdict is None or verdict.confidence < STATED:
        return ""
    if evidence.summary:
        return evidence.summary
    best = max(
        ((s, p) for p in evidence.passages for s in p.sentences),
        key=lambda pair: pair[0].similarity + pair[0].overlap,
        default=None,
    )
    if best is None:
        return ""
    sentence, passage = best
    return passage.text[sentence.start - passage.start : sentence.end - passage.start][:300]


def findings_of(plan: Plan, sub: SubQuestion, artifacts: BlobStore) -> dict[str, str]:
    """Returns what was found for each that the sub-question depends on, "" for not found."""
    if not sub.depends_on:
        return {}
    earlier = evidence_of(plan, artifacts, only=sub.depends_on)
    verdicts = {one.id: one.verdict for one in plan.sub_questions}
    found = {name: finding(piece, verdicts[name]) for name, piece in earlier.items()}
    return {name: found.get(name, "") for name in sub.depends_on}


def result_of(
    found: Evidence, key: str, milliseconds: float, cost: Mapping[str, float]
) -> RetrieveResult:
    """Returns what a search hands on: how much it has found, where that lies, what it has cost."""
    return RetrieveResult(
        sub_question=found.sub_question,
        evidence_key=key,
        passages=len(found.passages),
        best=best_score(found),
        ms=milliseconds,
        **cost,
    )


def best_score(evidence: Evidence) -> float:
    """Returns how near the nearest sentence is, from 0 to 1."""
    near = (s.similarity for p in evidence.passages for s in p.sentences)
    return round(max(near, default=0.0), 4)
