"""Finds the passages for a sub-question: searches by all its wordings, and makes passages of hits.

The step `retrieve` and a model's tool `search` both find by this.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from footnote.ask.evidence.passages import (
    TOKEN_BUDGET,
    is_inside,
    join_passages,
    passage_of,
    size_of,
    trim_passages,
)
from footnote.ask.evidence.scoring import stretch
from footnote.ask.evidence.variety import (
    add_sides,
    by_document,
    drop_repeats,
    keep_sides,
)
from footnote.ask.find.choose import resolve
from footnote.ask.find.fallbacks import count_hits, search_with_fallbacks, too_few
from footnote.ask.find.hits import order_hits
from footnote.ask.find.ports import Ports
from footnote.ask.query.reading import Query, QueryReading
from footnote.ask.question.expected_cost import EVIDENCE
from footnote.model import (
    Evidence,
    Hit,
    Passage,
    PastSearch,
    Scope,
    SearchQuery,
    SubQuestion,
    Vector,
)
from footnote.ports import SearchIndex
from footnote.text.names import asked_names, names

VARIANT_WEIGHT = 0.6  # of the hits of other wordings; those of the leading ones weigh 1
NAMED_BONUS = 1.0  # added to the score of a document that the question names
WITH_NEIGHBOURS = 3  # best hits that are read with the chunks around them
SECTION = 4  # chunks before and after the best hit, at most, to which its passage is widened
WORTH_OPENING = 200  # tokens that must be left for that: no chunk fits into fewer
PER_QUERY = 12
WIDE_BUDGET = 2 * TOKEN_BUDGET  # for a list, whose items stand in many documents
DEEPER = 4  # times as many hits are looked through for a list or a comparison


class DocumentSize(NamedTuple):
    """Path and title of a document, the tokens of its lines, and into how many chunks it is cut."""

    name: str
    tokens: int
    chunks: int


class FoundPassages(NamedTuple):
    """Evidence whose sentences have no scores yet, and the hits that it is made of.

    `vector` is that of the sub-question, where it was embedded.
    """

    evidence: Evidence
    hits: list[Hit]
    vector: Vector | None

    def with_recalled(self, recalled: Sequence[Passage]) -> "FoundPassages":
        """Adds those of the recalled passages that no passage holds."""
        passages = self.evidence.passages
        new = [one for one in recalled if not any(is_inside(one, other) for other in passages)]
        evidence = self.evidence.model_copy(update={"passages": (*passages, *new)})
        return self._replace(evidence=evidence)


def find_passages(
    sub: SubQuestion, reading: QueryReading, scope: Scope, findings: Sequence[str], ports: Ports
) -> FoundPassages:
    """Finds passages for a sub-question, whose text has been read.

    `findings` are the answers that it depends on.

    No search of `sub.searched` is made again. A re-ranker, where there is one, orders the hits of a
    hybrid search.
    """
    inside = _narrow(scope, sub)
    chosen = resolve(sub.strategy, reading, inside, ports)
    if chosen:
        sub = sub.model_copy(update={"strategy": chosen.strategy})
    queries = _queries(sub, reading, inside, findings)
    found = search_with_fallbacks(queries, ports, scope if inside != scope else None)
    degraded = found.degraded
    if (count := count_hits(found.hits)) < sub.minimum_results:
        degraded = (*degraded, too_few(found.strategy, count, sub.minimum_results, None))
    leading = max(1, sum(query.search.text in _resolved(sub, findings) for query in queries))
    ranked = _merge(found.hits, sub, leading)
    if reading.sides:
        ranked = add_sides(ranked, reading.sides, PER_QUERY * len(queries))
    if sub.wide:
        ranked = by_document(ranked)
    reranks = sub.strategy == "hybrid_reranked" or (ports.reranker and sub.strategy == "hybrid")
    if ranked and reranks:
        ranked, lacking = order_hits(queries[0].reading, ranked, len(ranked), ports)
        degraded = (*degraded, *lacking)
    around = [] if sub.wide else _neighbours(ranked[:WITH_NEIGHBOURS], ports.index)
    hits = [*ranked, *around]
    passages = _passages(sub, reading, ranked, hits, ports.index)
    evidence = Evidence(
        sub_question=sub.id,
        question=sub.text,
        strategy=sub.strategy,
        chosen=chosen.why if chosen else "",
        passages=tuple(_stretched(one, ports.embedder.model) for one in passages),
        degraded=tuple(dict.fromkeys(degraded)),
        searched=tuple(
            dict.fromkeys(PastSearch(strategy=one.strategy, text=one.text) for one in found.queries)
        ),
    )
    vector = next((one.vector for one in found.queries if one.text == sub.text), None)
    return FoundPassages(evidence, hits, vector)


def _narrow(scope: Scope, sub: SubQuestion) -> Scope:
    """Returns the part of a scope that a sub-question is about: a collection, attributes."""
    inside = scope.within(sub.where) if sub.where else scope
    if sub.collection and scope.collection is None:
        inside = inside.model_copy(update={"collection": sub.collection})
    return inside


def tokens_found(text: str, sizes: Sequence[DocumentSize], *, wide: bool = False) -> int:
    """Returns about how many tokens the passages of a search for `text` have in these documents.

    As many chunks are kept as one wording finds: chunks around the best ones and hits of other
    wordings come in, repeats go out (11 and 13 of the samples' chunks, 2026-11-28). Those of
    documents that the text calls by a word of their names come first. A budget bounds all.
    """
    asked = set(asked_names(text))
    called = {size: len(asked.intersection(names(size.name))) for size in sizes}
    left, tokens = float(PER_QUERY * DEEPER if wide else PER_QUERY), 0.0
    for size in sorted((one for one in sizes if called[one]), key=lambda one: -called[one]):
        kept = min(left, size.chunks)
        left, tokens = left - kept, tokens + kept * size.tokens / max(1, size.chunks)
    others = [one for one in sizes if not called[one]]
    chunks, everything = sum(one.chunks for one in others), sum(one.tokens for one in others)
    tokens += min(left, chunks) * everything / max(1, chunks)
    return min(WIDE_BUDGET if wide else TOKEN_BUDGET, round(tokens)) if sizes else EVIDENCE


# -- searching -----------------------------------------------------------------------------------


def _queries(
    sub: SubQuestion, reading: QueryReading, scope: Scope, findings: Sequence[str]
) -> list[Query]:
    wanted = dict.fromkeys([*_resolved(sub, findings), sub.text, *sub.variants])
    past = {one.text for one in sub.searched if one.strategy == sub.strategy}
    # where every search was made before, one that is made again is better than none
    texts = [text for text in wanted if text not in past] or [sub.text]
    first = SearchQuery(
        text=texts[0],
        scope=scope,
        strategy=sub.strategy,
        k=PER_QUERY * DEEPER if sub.wide or reading.sides else PER_QUERY,
        minimum_results=sub.minimum_results,
    )
    queries = [
        Query(
            first.model_copy(update={"text": text}),
            reading if text == sub.text else QueryReading(text),
        )
        for text in texts
    ]
    if sub.documents and not scope.names:
        inside = scope.model_copy(update={"documents": sub.documents})
        queries.append(queries[0].change(scope=inside))
    return queries


def _resolved(sub: SubQuestion, findings: Sequence[str]) -> list[str]:
    """Returns the sub-question together with each answer that it depends on."""
    return [f"{sub.text} {finding}" for finding in findings if finding]


def _merge(by_query: Sequence[Sequence[Hit]], sub: SubQuestion, leading: int) -> list[Hit]:
    """Merges the hits of all queries: each hit once, with a score from 0 to 1, best first.

    The first `leading` queries count in full.
    """
    scores: dict[str, float] = {}
    by_id: dict[str, Hit] = {}
    for n, hits in enumerate(by_query):
        weight = 1.0 if n < leading else VARIANT_WEIGHT
        top = max((hit.score for hit in hits), default=0.0) or 1.0
        for hit in hits:
            by_id[hit.chunk.id] = hit
            scores[hit.chunk.id] = scores.get(hit.chunk.id, 0.0) + weight * hit.score / top
    for name, hit in by_id.items():
        scores[name] += NAMED_BONUS * any(_is_named(hit.document, one) for one in sub.documents)
    highest = max(scores.values(), default=1.0)
    return [
        hit.model_copy(update={"score": round(scores[name] / highest, 4)})
        for name, hit in sorted(by_id.items(), key=lambda item: (-scores[item[0]], item[0]))
    ]


def _is_named(document: str, name: str) -> bool:
    """Tells whether a name is the document's path, or the end of that path from a / on."""
    return f"/{document}".casefold().endswith(f"/{name.strip('/ ')}".casefold())


# -- passages ------------------------------------------------------------------------------------


def _passages(
    sub: SubQuestion,
    reading: QueryReading,
    ranked: Sequence[Hit],
    hits: Sequence[Hit],
    index: SearchIndex,
) -> list[Passage]:
    """Makes passages of `hits`, as many as the budget holds; `ranked` lacks the neighbours."""
    unlike = drop_repeats(join_passages(map(passage_of, hits)), reading, in_all=not sub.wide)
    if sub.wide:
        return trim_passages(by_document(unlike), WIDE_BUDGET)
    passages = keep_sides(unlike, reading.sides, trim_passages)
    if ranked and ranked[0].chunk.section:
        return _open_up(passages, ranked[0], index)
    return passages


def _stretched(passage: Passage, model: str) -> Passage:
    return passage.model_copy(update={"near": max(0.0, stretch(passage.near, model))})


def _neighbours(best: Sequence[Hit], index: SearchIndex) -> list[Hit]:
    """Returns the chunks around the best hits, scored a little lower than the hits."""
    by_hit = index.neighbours(best, before=1, after=1)
    return [
        other.model_copy(update={"score": hit.score * 0.9})
        for hit, around in zip(best, by_hit, strict=True)
        for other in around
    ]


def _open_up(passages: Sequence[Passage], best: Hit, index: SearchIndex) -> list[Passage]:
    """Widens the best hit's passage to its section, chunk by chunk, as far as the budget allows.

    All other passages stay: only the room that they leave is filled.
    """
    left = TOKEN_BUDGET - sum(map(size_of, passages))
    if left < WORTH_OPENING:
        return list(passages)
    [around] = index.neighbours([best], before=SECTION, after=SECTION)
    behind = [hit for hit in around if hit.chunk.ordinal > best.chunk.ordinal]
    before = [hit for hit in reversed(around) if hit.chunk.ordinal < best.chunk.ordinal]
    added: list[Passage] = []
    for side in (behind, before):
        for hit in takewhile(lambda hit: hit.chunk.section == best.chunk.section, side):
            one = passage_of(hit).model_copy(update={"score": 0.0})
            if any(is_inside(one, other) for other in passages):
                continue
            left -= size_of(one)
            if left < 0:
                break
            added.append(one)
    return trim_passages(join_passages([*passages, *added]))
