"""The retrieve step: finds evidence for a sub-question and scores it sentence by sentence.

A search that fails is an error, never an answer from nothing. Without an embedder the step goes on
by words alone and says so.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import takewhile

from footnote.accounting.glossary import expand_question
from footnote.ask.evidence.passages import (
    TOKEN_BUDGET,
    is_inside,
    join_passages,
    passage_of,
    size_of,
    trim_passages,
)
from footnote.ask.evidence.scoring import nearness, score_sentences, stretch
from footnote.ask.evidence.unknown_words import absent_words, foreign_words, strange_documents
from footnote.ask.evidence.variety import add_sides, by_document, drop_repeats, keep_sides, sides_of
from footnote.ask.find.fallbacks import (
    BY_WORDS,
    WORDS_ONLY,
    order_hits,
    resolve,
    too_few,
    wider_than,
)
from footnote.ask.find.reader_signal import is_read
from footnote.ask.find.search import search
from footnote.errors import UnavailableError
from footnote.model import (
    STRATEGIES,
    Evidence,
    Hit,
    Passage,
    PastSearch,
    Scope,
    SearchQuery,
    SubQuestion,
)
from footnote.ports import Catalog, Embedder, Reranker, SearchIndex

VARIANT_WEIGHT = 0.6  # of another wording's scores; those of the leading ones weigh 1
NAMED_BONUS = 1.0  # added to the score of a document that the question names
WITH_NEIGHBOURS = 3  # best hits that are read with what stands around them
SECTION = 4  # chunks before and after the best hit that its section is opened up to
WORTH_OPENING = 200  # tokens that must be left for that: fewer hold no chunk
PER_QUERY = 12
WIDE_BUDGET = 2 * TOKEN_BUDGET  # of a list, whose items stand in many documents
DEEPER = 4  # times as many hits are looked through for what a question compares
_RERANKED = ("hybrid", "hybrid_reranked")  # where a re-ranker is set it serves both
NOT_NARROWED = "The filters of the plan fit no document: the search went on without them."


def retrieve(  # noqa: PLR0917 - three of them are ports
    sub: SubQuestion,
    scope: Scope,
    findings: Sequence[str],
    index: SearchIndex,
    embedder: Embedder,
    catalog: Catalog,
    reranker: Reranker | None = None,
    *,
    by_sentence: bool = True,
    reader: Reranker | None = None,
) -> Evidence:
    """Finds evidence for a sub-question; `findings`: the answers it depends on.

    No search of `sub.searched` is made again.

    With a re-ranker, what a hybrid search found is put in its order. Without `by_sentence` no
    sentence is embedded and no word looked up: a model reads the passages and needs no scores.
    `reader` reads English questions together with the best sentences, and says which answer. Where
    the strategy re-ranks and there is no re-ranker, it reads the first hits, too.
    """
    inside = scope.within(sub.where) if sub.where else scope
    chosen = resolve(sub.strategy, sub.text, inside, index, embedder)
    if chosen:
        sub = sub.model_copy(update={"strategy": chosen.strategy})
    queries, degraded = _add_vectors(_queries(sub, inside, findings), embedder)
    one = partial(search, index=index, embedder=embedder, catalog=catalog)
    founds = _search_all(queries, one)
    if sub.where and not any(founds):  # a planner knows of no attributes: it may have guessed
        queries = [_widen(query, scope) for query in queries]
        founds = _search_all(queries, one)
        degraded = (*degraded, NOT_NARROWED)
    founds, told = _go_on(founds, queries, sub.minimum_results, one, embedder)
    degraded = tuple(dict.fromkeys((*degraded, *told)))
    sides = sides_of(sub.text)
    leading = max(1, sum(query.text in _resolved(sub, findings) for query in queries))
    ranked = _merge(founds, sub.documents, leading)
    if sides:
        ranked = add_sides(ranked, sides, PER_QUERY * len(queries))
    if sub.wide:
        ranked = by_document(ranked)
    if ranked and sub.strategy in _RERANKED and (reranker or sub.strategy == "hybrid_reranked"):
        ranked, told = order_hits(queries[0].text, ranked, len(ranked), reranker, reader)
        degraded = (*degraded, *told)
    around = [] if sub.wide else _neighbours(ranked[:WITH_NEIGHBOURS], index)
    joined = join_passages(passage_of(hit) for hit in (*ranked, *around))
    unlike = drop_repeats(joined, sub.text, in_all=not sub.wide)
    if sub.wide:
        passages = trim_passages(by_document(unlike), WIDE_BUDGET)
    else:
        passages = keep_sides(unlike, sides, trim_passages)
    if ranked and ranked[0].chunk.section and not sub.wide:
        passages = _open_up(passages, ranked[0], index)
    passages = [_stretched(one, embedder.model) for one in passages]
    near = None
    if by_sentence and WORDS_ONLY not in degraded:
        own = (query.vector for query in queries if query.text == sub.text)
        vector = next(own, None) or embedder.embed([sub.text], "query")[0]
        near = nearness(embedder, vector)
    read = None
    if by_sentence and reader and is_read(sub.text):
        read = partial(reader.rerank, sub.text)
    absent = absent_words(sub.text, passages, scope, index) if by_sentence and passages else ()
    return Evidence(
        sub_question=sub.id,
        question=sub.text,
        strategy=sub.strategy,
        chosen=chosen.why if chosen else "",
        passages=tuple(score_sentences(sub.text, passages, near, (*ranked, *around), read)),
        degraded=degraded,
        absent=absent,
        foreign=foreign_words(sub.text, absent, passages, scope, index) if by_sentence else (),
        strange=strange_documents(sub.text, passages, scope, index) if by_sentence else (),
        searched=tuple(
            dict.fromkeys(PastSearch(strategy=one.strategy, text=one.text) for one in queries)
        ),
    )


def _stretched(passage: Passage, model: str) -> Passage:
    return passage.model_copy(update={"near": max(0.0, stretch(passage.near, model))})


def _search_all(
    queries: Sequence[SearchQuery], one: Callable[[SearchQuery], list[Hit]]
) -> list[list[Hit]]:
    with ThreadPoolExecutor(max_workers=len(queries)) as pool:
        return list(pool.map(one, queries))


def _go_on(
    founds: list[list[Hit]],
    queries: Sequence[SearchQuery],
    wanted: int,
    one: Callable[[SearchQuery], list[Hit]],
    embedder: Embedder,
) -> tuple[list[list[Hit]], tuple[str, ...]]:
    """Searches by a strategy that finds more where too little was found, and says so."""
    strategy = queries[0].strategy
    found = len({hit.chunk.id for hits in founds for hit in hits})
    wider = wider_than(strategy)
    if found >= wanted or not wider:
        return founds, (too_few(strategy, found, wanted, None),) if found < wanted else ()
    again, told = _add_vectors(
        [query.model_copy(update={"strategy": wider}) for query in queries], embedder
    )
    return _search_all(again, one), (too_few(strategy, found, wanted, wider), *told)


def _widen(query: SearchQuery, scope: Scope) -> SearchQuery:
    """Returns the query without what the plan narrowed it to; `scope` is the question's own."""
    wide = query.scope.model_copy(update={"all_of": scope.all_of})
    return query.model_copy(update={"scope": wide})


def _queries(sub: SubQuestion, scope: Scope, findings: Sequence[str]) -> list[SearchQuery]:
    wanted = dict.fromkeys([*_resolved(sub, findings), sub.text, *sub.variants])
    made = {past.text for past in sub.searched if past.strategy == sub.strategy}
    # grading asks for no search that was made: if one comes all the same, it is better than none
    texts = [text for text in wanted if text not in made] or [sub.text]
    k = PER_QUERY * DEEPER if sub.wide or sides_of(sub.text) else PER_QUERY
    queries = [SearchQuery(text=text, scope=scope, strategy=sub.strategy, k=k) for text in texts]
    if sub.documents and not scope.names:
        inside = scope.model_copy(update={"documents": sub.documents})
        queries.append(queries[0].model_copy(update={"scope": inside}))
    return queries


def _resolved(sub: SubQuestion, findings: Sequence[str]) -> list[str]:
    """Returns the sub-question together with each answer that it depends on."""
    return [f"{sub.text} {finding}" for finding in findings if finding]


def _add_vectors(
    queries: list[SearchQuery], embedder: Embedder
) -> tuple[list[SearchQuery], tuple[str, ...]]:
    """Adds vectors to the queries. Without an embedder they go by words, and a note says so."""
    if "meaning" not in STRATEGIES[queries[0].strategy].legs:
        return queries, ()
    try:
        vectors = embedder.embed([expand_question(query.text) for query in queries], "query")
    except UnavailableError:
        return [q.model_copy(update={"strategy": BY_WORDS}) for q in queries], (WORDS_ONLY,)
    paired = zip(queries, vectors, strict=True)
    return [query.model_copy(update={"vector": vector}) for query, vector in paired], ()


def _merge(founds: Sequence[Sequence[Hit]], named: Sequence[str], leading: int) -> list[Hit]:
    """Merges the hits of all queries, each with one score from 0 to 1, best first.

    The first `leading` queries count in full.
    """
    scores: dict[str, float] = {}
    by_id: dict[str, Hit] = {}
    for n, found in enumerate(founds):
        weight = 1.0 if n < leading else VARIANT_WEIGHT
        top = max((hit.score for hit in found), default=0.0) or 1.0
        for hit in found:
            by_id[hit.chunk.id] = hit
            scores[hit.chunk.id] = scores.get(hit.chunk.id, 0.0) + weight * hit.score / top
    for name, hit in by_id.items():
        scores[name] += NAMED_BONUS * any(_is_named(hit.document, one) for one in named)
    highest = max(scores.values(), default=1.0)
    return [
        hit.model_copy(update={"score": round(scores[name] / highest, 4)})
        for name, hit in sorted(by_id.items(), key=lambda item: (-scores[item[0]], item[0]))
    ]


def _is_named(document: str, name: str) -> bool:
    """Tells whether a name is that of the document: its path, or the end of it from a / on."""
    return f"/{document}".casefold().endswith(f"/{name.strip('/ ')}".casefold())


def _neighbours(best: Sequence[Hit], index: SearchIndex) -> list[Hit]:
    """Returns the chunks around the best hits, scored a little lower than those."""
    found = index.neighbours(best, before=1, after=1)
    return [
        other.model_copy(update={"score": hit.score * 0.9})
        for hit, around in zip(best, found, strict=True)
        for other in around
    ]


def _open_up(passages: Sequence[Passage], best: Hit, index: SearchIndex) -> list[Passage]:
    """Opens the best hit's passage up to its section, chunk by chunk, as far as the budget allows.

    What was found stays: only room that it leaves is filled.
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
