"""What a search works with."""

from dataclasses import dataclass

from footnote.ports import Catalog, Embedder, Reranker, SearchIndex


@dataclass(frozen=True)
class Ports:
    """The index and the documents table, the embedder, and two models that judge texts.

    `reranker` orders whole passages in any language. `line_judge` reads single English lines with
    the question.
    """

    index: SearchIndex
    embedder: Embedder
    catalog: Catalog
    reranker: Reranker | None = None
    line_judge: Reranker | None = None
