"""The findings of a question: collected once after all work, and kept for those that follow it.

A finding leads to places of documents. Whoever builds on it reads these anew: it is no evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from footnote.ask.evidence.findings import HANDED_ON, best_sentences, quote_of
from footnote.ask.evidence.merge import evidence_of
from footnote.ask.question.handoff import read_stored, store
from footnote.model import (
    Evidence,
    Finding,
    FindingPlace,
    Findings,
    Passage,
    Plan,
    QuestionRecord,
    ScoredSentence,
    SubQuestion,
)
from footnote.ports import BlobStore, Catalog
from footnote.store.keys import findings_key

MOST_PLACES = 3  # of a finding
MOST_KEPT = 40  # findings of a session, the newest first
MAX_QUOTE = 500  # characters


def establish(record: QuestionRecord, plan: Plan, artifacts: BlobStore) -> dict[str, Evidence]:
    """Stores what a question's work has found, with what the session had found before.

    What the first run has stored stays. Returns all evidence by sub-question, to be written from.
    """
    evidence = evidence_of(plan, artifacts)
    own = collect(record.question_id, plan, evidence)
    earlier = read_findings(artifacts, record.after)
    once = {(one.question.casefold(), one.places): one for one in reversed((*own, *earlier))}
    kept = islice(reversed(once.values()), MOST_KEPT)
    store(artifacts, findings_key(record.question_id), Findings(findings=tuple(kept)))
    return evidence


def collect(question_id: str, plan: Plan, evidence: Mapping[str, Evidence]) -> tuple[Finding, ...]:
    """Returns a finding for each sub-question whose evidence more likely states it than not."""
    return tuple(
        _finding(question_id, sub, evidence[sub.id], sub.verdict.confidence)
        for sub in plan.sub_questions
        if sub.verdict and sub.verdict.confidence >= HANDED_ON and not sub.field
        if sub.id in evidence and any(one.sentences for one in evidence[sub.id].passages)
    )


def _finding(question_id: str, sub: SubQuestion, evidence: Evidence, confidence: float) -> Finding:
    return Finding(
        question_id=question_id,
        question=sub.text,
        statement=evidence.summary,
        by="model" if evidence.summary else "rules",
        confidence=round(confidence, 3),
        places=tuple(_place(*best) for best in best_sentences(evidence)[:MOST_PLACES]),
    )


def _place(passage: Passage, sentence: ScoredSentence) -> FindingPlace:
    return FindingPlace(
        document_id=passage.document_id,
        document=passage.document,
        collection=passage.collection,
        version=passage.version,
        pages=passage.pages,
        start=sentence.start,
        end=sentence.end,
        quote=quote_of(passage, sentence)[:MAX_QUOTE],
    )


def read_findings(artifacts: BlobStore, question_id: str) -> tuple[Finding, ...]:
    """Returns what a question has stored; none for a question of an earlier release."""
    if not question_id:
        return ()
    stored = read_stored(artifacts, findings_key(question_id), Findings)
    return stored.findings if stored else ()


def keep_live(
    findings: Iterable[Finding], catalog: Catalog, groups: Sequence[str]
) -> list[Finding]:
    """Leaves out findings of which a document has changed, is deleted, or is closed to `groups`.

    A statement rests on all places of its finding. So a finding goes with any of them.
    """
    all_findings = list(findings)
    ids = list({place.document_id for one in all_findings for place in one.places})
    visible = catalog.visible_versions(ids, groups) if ids else {}
    return [
        one
        for one in all_findings
        if all(visible.get(place.document_id) == place.version for place in one.places)
    ]
