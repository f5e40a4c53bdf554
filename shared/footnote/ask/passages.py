"""Makes passages of hits: joins neighbours and split tables, cuts to what a model should read."""

from collections.abc import Iterable, Sequence

from footnote.model import Hit, Passage

TOKEN_BUDGET = 3_000
CHARACTERS_PER_TOKEN = 4  # in English prose; good enough for a budget
GAP = 12  # most blanks between two chunks that follow each other


def passage_of(hit: Hit) -> Passage:
    chunk = hit.chunk
    return Passage(
        document_id=hit.document_id,
        document=hit.document,
        collection=hit.collection,
        version=hit.version,
        title=chunk.title,
        section=chunk.section,
        pages=chunk.pages,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        score=hit.score,
    )


def join_passages(passages: Iterable[Passage]) -> list[Passage]:
    """Joins passages that touch or overlap; returns them best first."""
    in_order = sorted(passages, key=lambda p: (p.document_id, p.version, p.start, -p.end))
    merged: list[Passage] = []
    for passage in in_order:
        if merged and _touch(merged[-1], passage):
            merged[-1] = _union(merged[-1], passage)
        else:
            merged.append(passage)
    return sorted(merged, key=lambda passage: -passage.score)


def trim_passages(passages: Sequence[Passage], tokens: int = TOKEN_BUDGET) -> list[Passage]:
    """Keeps the best passages up to the first that exceeds the budget, and always the very best."""
    left = tokens * CHARACTERS_PER_TOKEN
    kept: list[Passage] = []
    for passage in passages:
        if kept and len(passage.text) > left:
            break
        kept.append(passage)
        left -= len(passage.text)
    return kept


def _touch(before: Passage, after: Passage) -> bool:
    same = (before.document_id, before.version) == (after.document_id, after.version)
    return same and after.start - before.end <= GAP


def _union(before: Passage, after: Passage) -> Passage:
    if after.end <= before.end:
        text, end = before.text, before.end
    else:
        # only blanks lie between two chunks: chunks leave out nothing else
        blank = "\n" * max(0, after.start - before.end)
        overlap = max(0, before.end - after.start)
        text, end = before.text + blank + after.text[overlap:], after.end
    better = before if before.score >= after.score else after
    return better.model_copy(
        update={
            "start": before.start,
            "end": end,
            "text": text,
            "pages": tuple(sorted({*before.pages, *after.pages})),
        }
    )
