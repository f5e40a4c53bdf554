"""A retriever for LangChain: footnote's hits as documents, with pages and sections as metadata.

pip install langchain-core httpx
python langchain_retriever.py "late delivery"     # FOOTNOTE_URL, FOOTNOTE_API_KEY
"""

import os
import sys
from typing import Any

import httpx
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever


class FootnoteRetriever(BaseRetriever):
    """Finds passages by `POST /search`. `filters`, `collection` and the rest narrow the search."""

    url: str
    key: str
    k: int = 5
    strategy: str = "auto"
    collection: str | None = None
    filters: dict[str, Any] = {}

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        body = {
            "query": query,
            "k": self.k,
            "strategy": self.strategy,
            "collection": self.collection,
            "filters": self.filters,
        }
        headers = {"x-api-key": self.key}
        reply = httpx.post(f"{self.url}/search", json=body, headers=headers, timeout=30)
        reply.raise_for_status()
        return [
            Document(
                page_content=hit["text"],
                id=f"{hit['document_id']}:{hit['start']}",
                metadata={name: value for name, value in hit.items() if name != "text"},
            )
            for hit in reply.json()["hits"]
        ]


if __name__ == "__main__":
    retriever = FootnoteRetriever(
        url=os.environ["FOOTNOTE_URL"], key=os.environ["FOOTNOTE_API_KEY"]
    )
    for found in retriever.invoke(sys.argv[1]):
        text = " ".join(found.page_content.split())
        print(found.metadata["document"], found.metadata["pages"], text[:80])
