"""Documented hybrid retrieval of LangChain, LlamaIndex and Haystack; runs in their environment.

    python retrievers.py NAME MODEL_FOLDER CACHE_FILE

Each line of stdin is a JSON request, each line of stdout its reply: {"files": [path, …]} adds PDFs,
{"texts": [[name, text], …]} adds texts, and {"query", "k", "document"} searches. All three embed
with footnote's model, so that they differ in how they read, cut, search and fuse.
"""

import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO

OFFLINE = {"HF_HUB_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False", "TQDM_DISABLE": "1"}

type Hit = dict[str, Any]
type Embed = Callable[[Sequence[str]], list[list[float]]]
AT_ONCE = 256  # texts, whose vectors are then kept


class Added(NamedTuple):
    """What was indexed: documents and pages count where a chunk stands on them."""

    documents: int
    pages: int
    chunks: int


class Peer(Protocol):
    """One library's way: files or texts in, hits out."""

    def add_files(self, paths: Sequence[Path]) -> Added: ...

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> Added: ...

    def search(self, query: str, k: int, document: str) -> list[Hit]: ...


class LangChain:
    """PyMuPDFLoader, RecursiveCharacterTextSplitter 1000/200, FAISS, BM25Retriever, Ensemble."""

    def __init__(self, embed: Embed) -> None:
        from langchain_core.embeddings import Embeddings

        class Ours(Embeddings):  # type: ignore[misc]  # mypy does not see their environment
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return embed(texts)

            def embed_query(self, text: str) -> list[float]:
                return embed([text])[0]

        self._embeddings = Ours()
        self._inside: dict[str, Any] = {}

    def add_files(self, paths: Sequence[Path]) -> Added:
        from langchain_community.document_loaders import PyMuPDFLoader
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        pages: list[Any] = []
        for path in paths:
            with suppress(RuntimeError):  # a broken file; the others skip it by themselves
                pages += PyMuPDFLoader(str(path)).load()
        for page in pages:
            page.metadata = {
                "document": Path(page.metadata["source"]).name,
                "pages": [page.metadata["page"] + 1],
            }
        cutter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
        return self._index(cutter.split_documents(pages))

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> Added:
        from langchain_core.documents import Document

        return self._index(
            [
                Document(page_content=text or " ", metadata={"document": name, "pages": []})
                for name, text in texts
            ]
        )

    def _index(self, chunks: list[Any]) -> Added:
        from langchain_community.retrievers import BM25Retriever
        from langchain_community.vectorstores import FAISS

        for number, chunk in enumerate(chunks):
            chunk.metadata["number"] = number
        texts = [chunk.page_content for chunk in chunks]
        pairs = list(zip(texts, self._embeddings.embed_documents(texts), strict=True))
        notes = [chunk.metadata for chunk in chunks]
        self._vectors = FAISS.from_embeddings(pairs, self._embeddings, metadatas=notes)
        self._words = BM25Retriever.from_documents(chunks)
        self._chunks = chunks
        return count(notes)

    def search(self, query: str, k: int, document: str) -> list[Hit]:
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever

        words, options = self._words, dict[str, Any](k=k)
        if document:  # BM25Retriever has no filter: the documented way is one for each document
            if document not in self._inside:
                mine = [one for one in self._chunks if one.metadata["document"] == document]
                self._inside[document] = BM25Retriever.from_documents(mine) if mine else None
            words = self._inside[document]
            options |= {
                "fetch_k": len(self._chunks),
                "filter": lambda found: found["document"] == document,
            }
        if words is None:
            return []
        words.k = k
        both = [words, self._vectors.as_retriever(search_kwargs=options)]
        fused = EnsembleRetriever(retrievers=both, weights=[0.5, 0.5], id_key="number")
        return [
            {"document": one.metadata["document"], "pages": one.metadata["pages"]}
            for one in fused.invoke(query)
        ]


class LlamaIndex:
    """PyMuPDFReader, SentenceSplitter 1024/20, VectorStoreIndex, BM25Retriever, QueryFusion RRF."""

    def __init__(self, embed: Embed) -> None:
        from llama_index.core import Settings
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.llms import MockLLM

        class Ours(BaseEmbedding):  # type: ignore[misc]  # as above
            def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
                return embed(texts)

            def _get_text_embedding(self, text: str) -> list[float]:
                return embed([text])[0]

            def _get_query_embedding(self, query: str) -> list[float]:
                return embed([query])[0]

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return embed([query])[0]

        Settings.llm = MockLLM()
        Settings.embed_model = self._embeddings = Ours(embed_batch_size=AT_ONCE)
        self._retrievers: dict[tuple[str, int], Any] = {}

    def add_files(self, paths: Sequence[Path]) -> Added:
        from llama_index.core import SimpleDirectoryReader
        from llama_index.core.node_parser import SentenceSplitter
        from llama_index.readers.file import PyMuPDFReader

        names = [str(path) for path in paths]
        reader = SimpleDirectoryReader(input_files=names, file_extractor={".pdf": PyMuPDFReader()})
        cutter = SentenceSplitter(chunk_size=1024, chunk_overlap=20)
        nodes = cutter.get_nodes_from_documents(reader.load_data())
        for node in nodes:
            node.metadata["document"] = Path(node.metadata["file_path"]).name
            node.metadata["pages"] = [int(node.metadata["source"])]
            hidden = ["document", "pages"]
            node.excluded_embed_metadata_keys += hidden
            node.excluded_llm_metadata_keys += hidden
        return self._index(nodes)

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> Added:
        from llama_index.core.schema import TextNode

        made = []
        for name, text in texts:
            notes = {"document": name, "pages": []}
            made.append(
                TextNode(
                    text=text or " ",
                    metadata=notes,
                    excluded_embed_metadata_keys=[*notes],
                    excluded_llm_metadata_keys=[*notes],
                )
            )
        return self._index(made)

    def _index(self, nodes: list[Any]) -> Added:
        from llama_index.core import VectorStoreIndex

        self._nodes = nodes
        self._store = VectorStoreIndex(nodes, embed_model=self._embeddings)
        return count([node.metadata for node in nodes])

    def search(self, query: str, k: int, document: str) -> list[Hit]:
        if (document, k) not in self._retrievers:
            if document:  # one document at a time: its retriever is dropped with the next
                self._retrievers = {at: one for at, one in self._retrievers.items() if not at[0]}
            self._retrievers[document, k] = self._retriever(document, k)
        fused = self._retrievers[document, k]
        found = fused.retrieve(query) if fused else []
        return [
            {"document": one.node.metadata["document"], "pages": one.node.metadata["pages"]}
            for one in found
        ]

    def _retriever(self, document: str, k: int) -> Any:
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters
        from llama_index.retrievers.bm25 import BM25Retriever

        nodes = [one for one in self._nodes if document in ("", one.metadata["document"])]
        if not any(node.get_content().strip() for node in nodes):
            return None
        only = MetadataFilters(filters=[ExactMatchFilter(key="document", value=document)])
        words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(k, len(nodes)))
        vectors = self._store.as_retriever(similarity_top_k=k, filters=only if document else None)
        return QueryFusionRetriever(
            [vectors, words],
            similarity_top_k=k,
            num_queries=1,
            mode="reciprocal_rerank",
            use_async=False,
        )


class Haystack:
    """PyPDFToDocument, DocumentSplitter 200 words, two in-memory retrievers, DocumentJoiner RRF."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def add_files(self, paths: Sequence[Path]) -> Added:
        from haystack.components.converters import PyPDFToDocument
        from haystack.components.preprocessors import DocumentSplitter

        read = PyPDFToDocument().run(sources=[str(path) for path in paths])["documents"]
        cutter = DocumentSplitter(split_by="word", split_length=200, split_overlap=0)
        cutter.warm_up()
        chunks = cutter.run(documents=read)["documents"]
        for chunk in chunks:
            first = chunk.meta["page_number"]
            last = first + (chunk.content or "").rstrip("\f").count("\f")
            chunk.meta["document"] = Path(chunk.meta["file_path"]).name
            chunk.meta["pages"] = list(range(first, last + 1))
        return self._index(chunks)

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> Added:
        from haystack import Document

        return self._index(
            [
                Document(content=text or " ", meta={"document": name, "pages": []})
                for name, text in texts
            ]
        )

    def _index(self, chunks: list[Any]) -> Added:
        from haystack.components.joiners import DocumentJoiner
        from haystack.components.retrievers.in_memory import (
            InMemoryBM25Retriever,
            InMemoryEmbeddingRetriever,
        )
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack.document_stores.types import DuplicatePolicy

        vectors = self._embed([chunk.content or "" for chunk in chunks])
        for chunk, vector in zip(chunks, vectors, strict=True):
            chunk.embedding = vector
        store = InMemoryDocumentStore()
        store.write_documents(chunks, policy=DuplicatePolicy.OVERWRITE)
        self._words, self._vectors = InMemoryBM25Retriever(store), InMemoryEmbeddingRetriever(store)
        self._joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")
        return count([chunk.meta for chunk in chunks])

    def search(self, query: str, k: int, document: str) -> list[Hit]:
        only = {"field": "meta.document", "operator": "==", "value": document}
        options = {"top_k": k, "filters": only if document else None}
        (vector,) = self._embed([query])
        both = [
            self._words.run(query, **options)["documents"],
            self._vectors.run(vector, **options)["documents"],
        ]
        found = self._joiner.run(both)["documents"]
        return [{"document": one.meta["document"], "pages": one.meta["pages"]} for one in found]


PEERS: Mapping[str, Callable[[Embed], Peer]] = {
    "langchain": LangChain,
    "llamaindex": LlamaIndex,
    "haystack": Haystack,
}


def count(notes: Iterable[Mapping[str, Any]]) -> Added:
    """Counts what is told of chunks: a note with document and pages for each."""
    kept = list(notes)
    pages = {(note["document"], page) for note in kept for page in note["pages"]}
    return Added(len({note["document"] for note in kept}), len(pages), len(kept))


def cached_embed(model: Path, cache: Path) -> Embed:
    """Returns footnote's model behind the cache of vectors that the eval uses."""
    # here, because a peer that brings a model of its own should not carry ours
    from evals.caches import FileCache, FileVectors
    from footnote.adapters.embedding.minilm import MiniLM
    from footnote.ingest.index.embed import CachedEmbedder

    embedder = CachedEmbedder(MiniLM(model), FileVectors(FileCache(cache)))

    def embed(texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = []
        for start in range(0, len(texts), AT_ONCE):
            found += [
                list(one) for one in embedder.embed(texts[start : start + AT_ONCE], "document")
            ]
        return found

    return embed


def answer(peer: Peer, request: dict[str, Any]) -> dict[str, Any]:
    started = time.process_time()
    if "query" in request:
        return {"hits": peer.search(request["query"], request["k"], request["document"])}
    if "files" in request:
        added = peer.add_files([Path(path) for path in request["files"]])
    else:
        added = peer.add_texts([(name, text) for name, text in request["texts"]])
    return {"chunks": added.chunks, "cpu_seconds": time.process_time() - started}


def keep_quiet() -> TextIO:
    """Silences the libraries and keeps them off the network, before they are imported.

    Returns the real stdout: what they print goes to stderr, and replies stay alone.
    """
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    os.environ.update(OFFLINE)
    replies, sys.stdout = sys.stdout, sys.stderr
    return replies


def main() -> None:
    replies = keep_quiet()
    name, model, cache = sys.argv[1:]
    peer = PEERS[name](cached_embed(Path(model), Path(cache)))
    for line in sys.stdin:
        print(json.dumps(answer(peer, json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
