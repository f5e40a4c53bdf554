"""Plain BM25 of OpenSearch: one field with the whole text of a page, or of a text without pages.

It is what every strategy must at least reach: no chunks, no titles, no vectors, and none of our
code but the parsers, which give it the text.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from opensearchpy import helpers

from evals.questions import File
from footnote.adapters.opensearch.client import connect
from footnote.model import Document
from footnote.wire import Json

ANALYZERS: Mapping[str, str] = {"bm25": "text", "bm25_english": "text.english"}
"""The rows of plain BM25 and the field of each: analyzer standard, and the one for English."""
_TEXT: Json = {"type": "text", "fields": {"english": {"type": "text", "analyzer": "english"}}}
_THAI: Json = {"analyzer": {"thai": {"type": "standard"}}}  # see `opensearch_analysis.py`


PAGE = 5000
"""Characters of a unit where a document has no pages: a full page, or any text of a collection.

A document of a hundred pages as one unit has every word of a question, and ranks before each page.
"""


class Unit(NamedTuple):
    """A page, or a piece of a document without pages (page 0)."""

    collection: str
    document: str
    page: int
    text: str


def units(file: File, document: Document) -> Iterator[Unit]:
    if not document.pages:
        for start in range(0, len(document.text), PAGE):
            yield Unit(file.collection, file.name, 0, document.text[start : start + PAGE])
    for page in document.pages:
        yield Unit(file.collection, file.name, page.number, document.text[page.start : page.end])


class PlainIndex:
    """One index of units, made anew."""

    def __init__(self, url: str, name: str) -> None:
        self._client = connect(url, None)
        self._name = name
        keyword = {"type": "keyword"}
        names = {"collection": keyword, "document": keyword, "page": {"type": "integer"}}
        self.drop()
        self._client.indices.create(
            index=name,
            body={
                "settings": {"number_of_shards": 1, "number_of_replicas": 0, "analysis": _THAI},
                "mappings": {"dynamic": "strict", "properties": {**names, "text": _TEXT}},
            },
        )

    def add(self, these: Iterable[Unit]) -> None:
        """Stores units. They are searchable when this returns."""
        actions = ({"_index": self._name, "_source": unit._asdict()} for unit in these)
        helpers.bulk(self._client, actions, refresh=True)

    def search(self, field: str, text: str, collection: str, document: str, k: int) -> list[Json]:
        """Returns the best units as hits of `/search`: document and pages, best first."""
        inside = [{"term": {"collection": collection}}]
        inside += [{"term": {"document": document}}] if document else []
        query = {"bool": {"must": [{"match": {field: text}}], "filter": inside}}
        body = {"size": k, "_source": ["document", "page"], "query": query}
        reply = self._client.search(index=self._name, body=body)
        found = [hit["_source"] for hit in reply["hits"]["hits"]]
        return [
            {"document": one["document"], "pages": [one["page"]] if one["page"] else []}
            for one in found
        ]

    def drop(self) -> None:
        self._client.indices.delete(index=self._name, params={"ignore_unavailable": "true"})
