"""The port Reranker in memory, for tests and trials: the share of the question's words."""

from collections.abc import Sequence

from footnote.adapters.embedding.rerank_rules import check_texts
from footnote.adapters.memory.words import words


class MemoryReranker:
    """Scores a text by the share of the query's words that it has; a short one is a little better.

    The same texts have the same scores, in whatever company.
    """

    model = "memory"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        wanted = set(words(query, asked=True))
        return [self._score(wanted, words(text)) for text in texts]

    def _score(self, wanted: set[str], found: Sequence[str]) -> float:
        shared = len(wanted.intersection(found)) / (len(wanted) or 1)
        return round(shared + 0.01 / (1 + len(found)), 6)
