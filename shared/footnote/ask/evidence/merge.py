"""The evidence that grading and writing see: merged over the rounds, numbered for citing."""

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from footnote.ask.evidence.passages import is_inside
from footnote.contracts import RetrieveResult
from footnote.errors import problem_named
from footnote.model import CELL, Evidence, Passage, Plan, Problem, SubQuestion
from footnote.ports import BlobStore
from footnote.text.quotes import unmark

READERS = 8  # evidence that is read at a time


def evidence_of(
    plan: Plan, artifacts: BlobStore, only: Collection[str] | None = None
) -> dict[str, Evidence]:
    """Returns what was found so far, merged over the rounds, by sub-question id.

    With `only`, reads nothing but the evidence for these sub-questions.
    """
    asked = [q for q in plan.sub_questions if q.evidence_keys and (only is None or q.id in only)]
    keys = [key for question in asked for key in question.evidence_keys]
    if not keys:
        return {}
    with ThreadPoolExecutor(max_workers=min(len(keys), READERS)) as pool:
        pieces = dict(zip(keys, pool.map(partial(_read, artifacts), keys), strict=True))
    return {q.id: gather([pieces[key] for key in q.evidence_keys]) for q in asked}


def add_to_found(plan: Plan, found: Evidence, artifacts: BlobStore) -> Evidence:
    """Returns what was found now together with what earlier rounds have found for it.

    So one file holds all evidence for a sub-question, and each later step reads that alone.
    """
    before = evidence_of(plan, artifacts, only=(found.sub_question,))
    return gather([*before.values(), found])


def _read(artifacts: BlobStore, key: str) -> Evidence:
    return Evidence.model_validate_json(artifacts.get(key))


def gather(pieces: Sequence[Evidence]) -> Evidence:
    """Merges what several searches found for one sub-question; `pieces` are in order of rounds.

    A passage that was found twice keeps its best score. One inside a better one is dropped.
    """
    best: dict[tuple[str, str, int, int], Passage] = {}
    for passage in (passage for piece in pieces for passage in piece.passages):
        key = (passage.document_id, passage.version, passage.start, passage.end)
        if key not in best or passage.score > best[key].score:
            best[key] = passage
    ranked = sorted(best.values(), key=lambda passage: -passage.score)
    degraded = dict.fromkeys(text for piece in pieces for text in piece.degraded)
    searched = dict.fromkeys(one for piece in pieces for one in piece.searched)
    strange = dict.fromkeys(name for piece in pieces for name in piece.strange)
    return pieces[-1].model_copy(
        update={
            "passages": tuple(_drop_nested(ranked)),
            "degraded": tuple(degraded),
            "searched": tuple(searched),
            "strange": tuple(strange),
        }
    )


def numbered_passages(evidence: Iterable[Evidence]) -> dict[int, Passage]:
    """Numbers each distinct passage from 1, in the order of the sub-questions."""
    once: dict[tuple[str, str, int, int], Passage] = {}
    for piece in evidence:
        for passage in piece.passages:
            once.setdefault(
                (passage.document_id, passage.version, passage.start, passage.end), passage
            )
    return dict(enumerate(once.values(), start=1))


def describe(passage: Passage) -> str:
    """Returns where a passage stands, with a line each for file, section and pages.

    A passage that begins inside a table has what stands above its rows too, with the page of that.
    The lines go inside the fence: whoever names a file or writes a heading may be an attacker too.
    """
    lines = [f"file: {passage.document}"]
    if passage.section:
        lines.append(f"section: {' > '.join(passage.section)}")
    if passage.pages:
        lines.append(f"page: {', '.join(map(str, passage.pages))}")
    if above := passage.above:
        where = f" (page {', '.join(map(str, above.pages))})" if above.pages else ""
        lines += [f"above{where}: {line}" for line in above.text.splitlines() if line.strip()]
    return "\n".join(unmark(line) for line in lines)


def show(passage: Passage) -> str:
    """Returns a passage as a model reads it: where it stands, an empty line, then its text.

    Each row of a table keeps its line. On one line nobody could tell where a row ends.
    """
    lines = passage.text.splitlines() if CELL in passage.text else [passage.text]
    shown = (unmark(line) for line in lines)
    return f"{describe(passage)}\n\n{'\n'.join(line for line in shown if line)}"


def read_wave(
    found: Iterable[RetrieveResult],
) -> tuple[list[tuple[str, str]], dict[str, Problem]]:
    """Returns what a wave found, as (sub-question id, evidence key), and why others failed."""
    results = list(found)
    pieces = [(one.sub_question, one.evidence_key) for one in results if not one.error]
    failed = {
        one.sub_question: problem_named(one.error, one.message) for one in results if one.error
    }
    return pieces, failed


def add_evidence(plan: Plan, found: Iterable[tuple[str, str]]) -> Plan:
    """Returns the plan with the newest (sub-question id, evidence key) at each sub-question.

    What lies under it holds what was found before: see `add_to_found`.
    """
    keys = dict(found)

    def noted(question: SubQuestion) -> SubQuestion:
        key = keys.get(question.id)
        return question.model_copy(update={"evidence_keys": (key,)}) if key else question

    return plan.model_copy(update={"sub_questions": tuple(map(noted, plan.sub_questions))})


def _drop_nested(passages: Sequence[Passage]) -> list[Passage]:
    """Drops passages that lie inside a better one; `passages` are best first."""
    kept: list[Passage] = []
    for passage in passages:
        if not any(is_inside(passage, other) for other in kept):
            kept.append(passage)
    return kept
