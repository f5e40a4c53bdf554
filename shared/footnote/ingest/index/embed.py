"""Embedding: vectors are kept beside their chunks, and equal texts are embedded once."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

from footnote.errors import ConfigurationError, NotFoundError
from footnote.model import Annotation, Chunk, IndexedChunk, Revision, Vector
from footnote.ports import BlobStore, Embedder, VectorCache
from footnote.store.keys import vectors_key
from footnote.store.vectors import dump_vectors, load_vectors

MAX_IN_MEMORY = 2_000  # vectors of 384 floats: about 6 MB as Python lists that share floats


class CachedEmbedder:
    """An `Embedder` that asks this process's memory, then the cache, then the model.

    Queries are not in the cache: looking one up takes longer than the 2 ms of embedding it.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._memory: OrderedDict[str, Vector] = OrderedDict()

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        """Returns unit vectors, one a text, in order; computes each distinct text at most once."""
        keys = [cache_key(self.model, kind, text) for text in texts]
        found = {key: self._memory[key] for key in keys if key in self._memory}
        cached = kind == "document"
        if cached and (missing := [key for key in dict.fromkeys(keys) if key not in found]):
            found |= self._cache.get(missing)
        text_of = dict(zip(keys, texts, strict=True))
        if missing := [key for key in text_of if key not in found]:
            vectors = self._embedder.embed([text_of[key] for key in missing], kind)
            new = dict(zip(missing, vectors, strict=True))
            if cached:
                self._cache.put(new)
            found |= new
        self._remember(found)
        return [found[key] for key in keys]

    def _remember(self, vectors: dict[str, Vector]) -> None:
        self._memory.update(vectors)
        while len(self._memory) > MAX_IN_MEMORY:
            self._memory.popitem(last=False)


def cache_key(model: str, kind: str, text: str) -> str:
    """Returns a vector's key: the same for whoever embeds the same text with the same model."""
    read = text.encode("utf-8", "surrogatepass")  # broken PDFs have halves of surrogate pairs
    return f"{model}#{kind}#{hashlib.sha256(read).hexdigest()}"


def part_vectors(
    chunks: Sequence[Chunk],
    chunks_key: str,
    artifacts: BlobStore,
    model: str,
    embedder: Callable[[], Embedder],
) -> list[Vector]:
    """Returns the vectors of a part of chunks: those kept beside it, or new ones, which are kept.

    `model` is the one whose vectors the index takes. The embedder is made only where vectors are
    missing, are another model's, or are of texts that have changed. What is returned is read from
    what is kept, so a vector is the same number for number whenever it is written.
    """
    texts = [chunk.indexed_text for chunk in chunks]
    key = vectors_key(chunks_key)
    with suppress(NotFoundError):
        if (kept := load_vectors(artifacts.get(key), model, texts)) is not None:
            return kept
    using = embedder()
    body = dump_vectors(using.embed(texts, "document"), using.model, texts)
    artifacts.put(key, body)
    made = load_vectors(body, using.model, texts)
    if made is None:
        raise ConfigurationError(
            f"{using.model} gave vectors of different lengths for {chunks_key}",
            action="Run `make setup`, which builds the model anew, then deploy again.",
        )
    return made


def to_indexed(
    chunks: Sequence[Chunk], vectors: Sequence[Vector], revision: Revision, annotation: Annotation
) -> list[IndexedChunk]:
    """Makes chunks as the index stores them: with their vectors, attributes and acl."""
    return [
        IndexedChunk(revision=revision, chunk=chunk, vector=vector, annotation=annotation)
        for chunk, vector in zip(chunks, vectors, strict=True)
    ]
