"""The evidence that grading and writing see: merged over the waves, numbered for citing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
    """Returns what was found so far, merged over the waves, by sub-question id.

    With `only`, reads nothing but the evidence for these sub-questions.
    """
    subs = [sub for sub in plan.sub_questions if only is None or sub.id in only]
    keys = [key for sub in subs for key in sub.evidence_keys]
    if not keys:
        return {}
    with ThreadPoolExecutor(max_workers=min(len(keys), READERS)) as pool:
        pieces = dict(zip(keys, pool.map(partial(_read, artifacts), keys), strict=True))
    return {
        sub.id: gather([pieces[key] for key in sub.evidence_keys])
        for sub in subs
        if sub.evidence_keys
    }


def add_to_found(plan: Plan, evidence: Evidence, artifacts: BlobStore) -> Evidence:
    """Returns new evidence together with what earlier waves found for its sub-question.

    So one file holds all evidence for a sub-question, and each later step reads only that.
    """
    earlier = evidence_of(plan, artifacts, only=(evidence.sub_question,))
    return gather([*earlier.values(), evidence])


def _read(artifacts: BlobStore, key: str) -> Evidence:
    return Evidence.model_validate_json(artifacts.get(key))


def gather(pieces: Sequence[Evidence]) -> Evidence:
    """Merges what several searches found for one sub-question; `pieces` are in order of waves.

    A passage that was found twice keeps its best score. A passage inside a better one is dropped.
    """
    best: dict[tuple[str, str, int, int], Passage] = {}
    for passage in (passage for piece in pieces for passage in piece.passages):
        if passage.key not in best or passage.score > best[passage.key].score:
            best[passage.key] = passage
    ranked = sorted(best.values(), key=lambda passage: -passage.score)
    degraded = dict.fromkeys(note for piece in pieces for note in piece.degraded)
    searched = dict.fromkeys(past for piece in pieces for past in piece.searched)
    computations = dict.fromkeys(each for piece in pieces for each in piece.computations)
    strange = dict.fromkeys(document_id for piece in pieces for document_id in piece.strange)
    return pieces[-1].model_copy(
        update={
            "passages": tuple(_drop_nested(ranked)),
            "degraded": tuple(degraded),
            "searched": tuple(searched),
            "strange": tuple(strange),
            "computations": tuple(computations),
            # a search that finds nothing has looked up no words
            "absent": next((piece.absent for piece in reversed(pieces) if piece.passages), ()),
        }
    )


def numbered_passages(evidence: Iterable[Evidence]) -> dict[int, Passage]:
    """Numbers each distinct passage from 1, in the order of the sub-questions."""
    distinct: dict[tuple[str, str, int, int], Passage] = {}
    for piece in evidence:
        for passage in piece.passages:
            distinct.setdefault(passage.key, passage)
    return dict(enumerate(distinct.values(), start=1))


def describe(passage: Passage) -> str:
    """Returns where a passage stands: a line each for file, section and pages.

    A passage that begins inside a table also gets the table's header, with the header's page. The
    lines go inside the fence: an attacker may have named the file or written the heading.
    """
    lines = [f"file: {passage.document}"]
    if passage.section:
        lines.append(f"section: {' > '.join(passage.section)}")
    if passage.pages:
        lines.append(f"page: {', '.join(map(str, passage.pages))}")
    if header := passage.above:
        where = f" (page {', '.join(map(str, header.pages))})" if header.pages else ""
        lines += [f"above{where}: {line}" for line in header.text.splitlines() if line.strip()]
    return "\n".join(unmark(line) for line in lines)


def show(passage: Passage) -> str:
    """Returns a passage as a model reads it: where it stands, an empty line, then its text.

    Each row of a table keeps a line of its own, so that a reader sees where it ends.
    """
    lines = passage.text.splitlines() if CELL in passage.text else [passage.text]
    plain = (unmark(line) for line in lines)
    return f"{describe(passage)}\n\n{'\n'.join(line for line in plain if line)}"


def read_wave(
    results: Iterable[RetrieveResult],
) -> tuple[dict[str, str], dict[str, Problem]]:
    """Returns the evidence keys of a wave, and why searches failed, both by sub-question id."""
    keys: dict[str, str] = {}
    failed: dict[str, Problem] = {}
    for result in results:
        if result.error:
            failed[result.sub_question] = problem_named(result.error, result.message)
        else:
            keys[result.sub_question] = result.evidence_key
    return keys, failed


def add_evidence(plan: Plan, keys: Mapping[str, str]) -> Plan:
    """Returns the plan with the newest evidence key at each sub-question.

    What lies under that key includes all earlier evidence: see `add_to_found`.
    """

    def with_key(sub: SubQuestion) -> SubQuestion:
        key = keys.get(sub.id)
        return sub.model_copy(update={"evidence_keys": (key,)}) if key else sub

    return plan.model_copy(update={"sub_questions": tuple(map(with_key, plan.sub_questions))})


def _drop_nested(passages: Sequence[Passage]) -> list[Passage]:
    """Drops passages that lie inside a better one; `passages` are best first."""
    kept: list[Passage] = []
    for passage in passages:
        if not any(is_inside(passage, other) for other in kept):
            kept.append(passage)
    return kept
