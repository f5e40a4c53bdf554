"""What a search hands on: its answer, for sub-questions that depend on it, and what it has cost."""

from collections.abc import Mapping

from footnote.ask.evidence.merge import evidence_of
from footnote.contracts import RetrieveResult
from footnote.model import Evidence, Passage, Plan, ScoredSentence, SubQuestion, Verdict
from footnote.ports import BlobStore

HANDED_ON = 0.5
"""The least confidence with which an answer is handed on: it is then more likely right than not."""


def finding(evidence: Evidence, verdict: Verdict | None) -> str:
    """Returns the answer to a sub-question, for the searches of those that depend on it.

    It is the summary of the model that searched, else the best sentence. It is "" where the
    evidence hardly states the answer: a wrong sentence would mislead the next search.
    """
    if verdict is None or verdict.confidence < HANDED_ON:
        return ""
    if evidence.summary:
        return evidence.summary
    return next((quote_of(*best)[:300] for best in best_sentences(evidence)), "")


def best_sentences(evidence: Evidence) -> list[tuple[Passage, ScoredSentence]]:
    """Returns the nearest sentence of each passage, the nearest of all first."""
    best = [
        (passage, max(passage.sentences, key=_nearness))
        for passage in evidence.passages
        if passage.sentences
    ]
    return sorted(best, key=lambda pair: -_nearness(pair[1]))


def _nearness(sentence: ScoredSentence) -> float:
    return sentence.similarity + sentence.overlap


def quote_of(passage: Passage, sentence: ScoredSentence) -> str:
    return passage.text[sentence.start - passage.start : sentence.end - passage.start]


def findings_of(plan: Plan, sub: SubQuestion, artifacts: BlobStore) -> dict[str, str]:
    """Returns the answers that a sub-question depends on, by the other's id; "" for not found."""
    if not sub.depends_on:
        return {}
    evidence = evidence_of(plan, artifacts, only=sub.depends_on)
    verdicts = {earlier.id: earlier.verdict for earlier in plan.sub_questions}
    findings = {name: finding(piece, verdicts[name]) for name, piece in evidence.items()}
    return {name: findings.get(name, "") for name in sub.depends_on}


def result_of(
    evidence: Evidence, key: str, milliseconds: float, cost: Mapping[str, float]
) -> RetrieveResult:
    """Returns what a search tells the next step: how much it found, under which key, at what cost.

    `cost` is the scratchpad's.
    """
    return RetrieveResult(
        sub_question=evidence.sub_question,
        evidence_key=key,
        passages=len(evidence.passages),
        best=best_score(evidence),
        ms=milliseconds,
        **cost,
    )


def best_score(evidence: Evidence) -> float:
    """Returns how near the nearest sentence is, from 0 to 1."""
    near = (s.similarity for p in evidence.passages for s in p.sentences)
    return round(max(near, default=0.0), 4)
