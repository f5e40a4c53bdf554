"""A retriever for LlamaIndex: footnote's hits as nodes with scores, pages and sections.

pip install llama-index-core httpx
python llama_index_retriever.py "late delivery"     # FOOTNOTE_URL, FOOTNOTE_API_KEY
"""

import os
import sys
from typing import Any

import httpx
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class FootnoteRetriever(BaseRetriever):
    """Finds passages by `POST /search`. `options` are further fields of its body."""

    def __init__(self, url: str, key: str, k: int = 5, **options: Any) -> None:
        super().__init__()
        self._url, self._key = url, key
        self._options = {"k": k, **options}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        body = {**self._options, "query": query_bundle.query_str}
        headers = {"x-api-key": self._key}
        reply = httpx.post(f"{self._url}/search", json=body, headers=headers, timeout=30)
        reply.raise_for_status()
        return [
            NodeWithScore(
                node=TextNode(
                    id_=f"{hit['document_id']}:{hit['start']}",
                    text=hit["text"],
                    metadata={name: value for name, value in hit.items() if name != "text"},
                ),
                score=hit["score"],
            )
            for hit in reply.json()["hits"]
        ]


if __name__ == "__main__":
    retriever = FootnoteRetriever(os.environ["FOOTNOTE_URL"], os.environ["FOOTNOTE_API_KEY"])
    for found in retriever.retrieve(sys.argv[1]):
        told = found.node.metadata
        text = " ".join(found.node.get_content().split())
        print(told["document"], told["pages"], text[:80])
