"""Embedding: vectors are stored beside their chunks, and equal texts are embedded once."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

from footnote.errors import ConfigurationError, NotFoundError
from footnote.model import Annotation, Chunk, IndexedChunk, Measurement, Revision, Vector
from footnote.ports import BlobStore, Embedder, VectorCache
from footnote.store.keys import vectors_key
from footnote.store.vectors import dump_vectors, load_vectors

MAX_IN_MEMORY = 2_000  # vectors of 384 floats: about 6 MB as Python lists that share floats


def leave_uncounted(_: Sequence[Measurement]) -> None:
    """Stands for nobody who counts."""


class CachedEmbedder:
    """An `Embedder` that looks into this process's memory, then the cache, then asks the model.

    Queries are not cached: a lookup takes longer than the 2 ms of embedding one. `put` gets the
    measurements of documents' texts.
    """

    def __init__(
        self,
        embedder: Embedder,
        cache: VectorCache,
        put: Callable[[Sequence[Measurement]], None] = leave_uncounted,
    ) -> None:
        self._embedder = embedder
        self._cache = cache
        self._put = put
        self._memory: OrderedDict[str, Vector] = OrderedDict()

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        """Returns unit vectors, one per text, in order. Computes each
        distinct text at most once.
        """
        keys = [cache_key(self.model, kind, text) for text in texts]
        vectors_by_key = {key: self._memory[key] for key in keys if key in self._memory}
        cached = kind == "document"
        if cached and (
            missing := [key for key in dict.fromkeys(keys) if key not in vectors_by_key]
        ):
            vectors_by_key |= self._cache.get(missing)
        text_of = dict(zip(keys, texts, strict=True))
        if missing := [key for key in text_of if key not in vectors_by_key]:
            vectors = self._embedder.embed([text_of[key] for key in missing], kind)
            new = dict(zip(missing, vectors, strict=True))
            if cached:
                self._cache.put(new)
            vectors_by_key |= new
        if cached:
            self._put(_measure(cached=len(text_of) - len(missing), made=len(missing)))
        self._remember(vectors_by_key)
        return [vectors_by_key[key] for key in keys]

    def _remember(self, vectors: dict[str, Vector]) -> None:
        self._memory.update(vectors)
        while len(self._memory) > MAX_IN_MEMORY:
            self._memory.popitem(last=False)


def _measure(**lookups: int) -> list[Measurement]:
    return [
        Measurement(name="VectorLookups", value=count, of=result)
        for result, count in lookups.items()
        if count
    ]


def cache_key(model: str, kind: str, text: str) -> str:
    """Returns a vector's key. Equal texts have equal keys for one model."""
    encoded = text.encode("utf-8", "surrogatepass")  # broken PDFs have halves of surrogate pairs
    return f"{model}#{kind}#{hashlib.sha256(encoded).hexdigest()}"


def part_vectors(
    chunks: Sequence[Chunk],
    chunks_key: str,
    artifacts: BlobStore,
    model: str,
    embedder: Callable[[], Embedder],
) -> list[Vector]:
    """Returns the vectors of a part of chunks: the stored ones, or new ones, which it stores.

    `model` is the model whose vectors the index takes. The embedder is made only where vectors are
    missing, or belong to another model or to other texts. The result is read from what is stored,
    so a vector has the same digits whenever it is written.
    """
    texts = [chunk.indexed_text for chunk in chunks]
    key = vectors_key(chunks_key)
    with suppress(NotFoundError):
        if (stored := load_vectors(artifacts.get(key), model, texts)) is not None:
            return stored
    using = embedder()
    body = dump_vectors(using.embed(texts, "document"), using.model, texts)
    artifacts.put(key, body)
    vectors = load_vectors(body, using.model, texts)
    if vectors is None:
        raise ConfigurationError(
            f"{using.model} gave vectors of different lengths for {chunks_key}",
            action="Run `make setup`, which builds the model anew, then deploy again.",
        )
    return vectors


def to_indexed(
    chunks: Sequence[Chunk], vectors: Sequence[Vector], revision: Revision, annotation: Annotation
) -> list[IndexedChunk]:
    """Makes the chunks that the index stores: with their vectors, attributes and acl."""
    return [
        IndexedChunk(revision=revision, chunk=chunk, vector=vector, annotation=annotation)
        for chunk, vector in zip(chunks, vectors, strict=True)
    ]
