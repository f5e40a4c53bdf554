"""Makes passages of hits: joins neighbours and split tables, and keeps to a budget of tokens."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from footnote.model import Hit, Passage
from footnote.text.tokens import estimate_tokens, fitting

TOKEN_BUDGET = 3_000
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
        above=chunk.above,
        near=_cosine(hit),
        read=chunk.read,
    )


def _cosine(hit: Hit) -> float:
    """Returns the cosine of question and chunk. The leg `meaning` gives it as (1 + cosine) / 2."""
    legs = hit.explanation.legs if hit.explanation else ()
    raw = max((score.raw for score in legs if score.leg == "meaning"), default=0.5)
    return round(max(0.0, 2 * raw - 1), 4)


def text_with_headings(passage: Passage) -> str:
    return " ".join((passage.document, passage.title, *passage.section, passage.text))


def size_of(passage: Passage) -> int:
    """Returns the tokens of a passage as it is shown, with its table's header."""
    return sum(estimate_tokens(text) for _, text in passage.parts())


def join_passages(passages: Iterable[Passage], tokens: int = TOKEN_BUDGET) -> list[Passage]:
    """Joins passages that touch or overlap; returns them best first, none longer than `tokens`."""
    in_order = sorted(passages, key=lambda p: (p.document_id, p.version, p.start, -p.end))
    joined = [passage for group in _groups(in_order) for passage in _join(group, tokens)]
    return sorted(joined, key=lambda p: (-p.score, p.document_id, p.start))


def _groups(in_order: Iterable[Passage]) -> list[list[Passage]]:
    groups: list[list[Passage]] = []
    end = 0
    for passage in in_order:
        if groups and _touch(groups[-1][0], end, passage):
            groups[-1].append(passage)
            end = max(end, passage.end)
        else:
            groups.append([passage])
            end = passage.end
    return groups


def _join(group: Sequence[Passage], tokens: int) -> Iterator[Passage]:
    """Joins a group to one passage or, where that is too long, to several.

    The first grows from the group's best passage to both sides. The others are joined in the same
    way from what lies outside it.
    """
    whole = reduce(_union, group)
    if size_of(whole) <= tokens:
        yield whole
        return
    best = max(range(len(group)), key=lambda n: group[n].score)
    first, last, joined = best, best, _cut(group[best], tokens)
    while wider := _widen(joined, group, first, last, tokens):
        side, joined = wider
        first, last = min(first, side), max(last, side)
    yield joined
    rest = [*group[:first], *group[last + 1 :]]
    outside = [p for p in rest if p.start < joined.start or p.end > joined.end]
    for others in _groups(outside):
        yield from _join(others, tokens)


def _widen(
    joined: Passage, group: Sequence[Passage], first: int, last: int, tokens: int
) -> tuple[int, Passage] | None:
    """Adds to `joined`, the passages `first` to `last`, the better neighbour that touches it.

    Returns the neighbour's place in the group and the wider passage; None if that is too long.
    """
    sides = [
        n
        for n in (first - 1, last + 1)
        if 0 <= n < len(group)
        and group[n].start - joined.end <= GAP
        and joined.start - group[n].end <= GAP
    ]
    if not sides:
        return None
    side = max(sides, key=lambda n: group[n].score)
    wider = _union(group[side], joined) if side < first else _union(joined, group[side])
    return (side, wider) if size_of(wider) <= tokens else None


def _cut(passage: Passage, tokens: int) -> Passage:
    """Cuts a passage to so many tokens, and drops a table header that alone takes half of them."""
    header_tokens = size_of(passage) - estimate_tokens(passage.text)
    keeps_header = header_tokens < tokens / 2
    length = fitting(passage.text, tokens - header_tokens if keeps_header else tokens)
    return passage.model_copy(
        update={
            "text": passage.text[:length],
            "end": passage.end - len(passage.text) + length,
            "above": passage.above if keeps_header else None,
        }
    )


def trim_passages(passages: Sequence[Passage], tokens: int = TOKEN_BUDGET) -> list[Passage]:
    """Keeps the best passages within the budget. Skips one that is too long, and tries the next."""
    left = tokens
    kept: list[Passage] = []
    for passage in passages:
        needed = size_of(passage)
        if needed <= left:
            kept.append(passage)
            left -= needed
    return kept


def is_inside(inner: Passage, outer: Passage) -> bool:
    same = (inner.document_id, inner.version) == (outer.document_id, outer.version)
    return same and outer.start <= inner.start and inner.end <= outer.end


def _touch(before: Passage, end: int, after: Passage) -> bool:
    """Tells whether a passage touches those from `before` on, which reach to `end`."""
    same = (before.document_id, before.version) == (after.document_id, after.version)
    return same and after.start - end <= GAP


def _union(before: Passage, after: Passage) -> Passage:
    if after.end <= before.end:
        text, end = before.text, before.end
    else:
        # chunks leave out nothing but blanks
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
            "above": before.above,
            "near": max(before.near, after.near),
            "read": "ocr" if "ocr" in {before.read, after.read} else "text",
        }
    )
