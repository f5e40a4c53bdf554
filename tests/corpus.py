"""A small corpus in memory: its documents have pages, are chunked by paragraph and published."""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.ports import Ports
from footnote.errors import NotFoundError
from footnote.model import (
    CELL,
    Chunk,
    Document,
    IndexedChunk,
    Page,
    Revision,
    Table,
    Vector,
    WordBox,
    digest,
)

DIMENSIONS = 64
PARAGRAPH = re.compile(r"\S.*?(?=\n\n|\f|\Z)", re.DOTALL)


class HashEmbedder:
    """Implements Embedder: texts that share words are near each other, and so are all without."""

    model = "hash"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], _kind: Literal["document", "query"]) -> list[Vector]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Vector:
        vector = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.casefold()) or [""]:
            vector[hashlib.sha256(word.encode()).digest()[0] % DIMENSIONS] += 1.0
        length = math.hypot(*vector)
        return [value / length for value in vector]


class Corpus:
    """The ports that Retrieve and Synthesize need, filled with `documents`: path → pages."""

    def __init__(self, documents: Mapping[str, Sequence[str]], tenant: str = "acme") -> None:
        self.index = MemorySearchIndex(dimensions=DIMENSIONS)
        self.catalog = MemoryCatalog()
        self.embedder = HashEmbedder()
        self.tenant = tenant
        self._stored: dict[tuple[str, str], Document] = {}
        for path, pages in documents.items():
            self.add(path, pages)

    def add(
        self, path: str, pages: Sequence[str], version: str = "v1", sequencer: str = "1"
    ) -> Revision:
        revision = Revision(
            key=f"{self.tenant}/papers/{path}", version=version, sequencer=sequencer
        )
        document = make_document(path, pages)
        self._stored[revision.document_id, version] = document
        self.catalog.receive(revision, len(document.text))
        self.index.write(
            [
                IndexedChunk(
                    revision=revision,
                    chunk=chunk,
                    vector=self.embedder.embed([chunk.indexed_text], "document")[0],
                )
                for chunk in chunks(document, revision)
            ]
        )
        self.catalog.publish(revision)
        return revision

    @property
    def ports(self) -> Ports:
        return Ports(self.index, self.embedder, self.catalog)

    def document(self, document_id: str, version: str) -> Document:
        if (document_id, version) not in self._stored:
            raise NotFoundError(f"no document {document_id} {version}")
        return self._stored[document_id, version]

    def words(self, document_id: str, version: str, page: Page) -> list[WordBox]:
        """Returns made-up boxes: 10 points high, 5 points per character, lines end at 400."""
        text = self.document(document_id, version).text
        made: list[WordBox] = []
        x, y = 0.0, 0.0
        for match in re.compile(r"\S+").finditer(text, page.start, page.end):
            width = 5.0 * len(match[0])
            if x + width > 400:
                x, y = 0.0, y + 12
            made.append(WordBox(x, y, x + width, y + 10, match.start(), match.end()))
            x += width + 5
        return made


class WithTables(Corpus):
    """Documents whose lines with cells are tables, the first line of each a header."""

    def document(self, document_id, version):
        document = super().document(document_id, version)
        found = re.finditer(rf"(?:^.*{re.escape(CELL)}.*$\n)+", document.text, re.MULTILINE)
        tables = [
            Table(
                start=each.start(),
                end=each.end() - 1,
                rows=tuple(tuple(line.split(CELL)) for line in each[0].splitlines()),
            )
            for each in found
        ]
        return document.model_copy(update={"tables": tuple(tables)})


def make_document(path: str, pages: Sequence[str]) -> Document:
    """Returns a document with these pages; each has word boxes."""
    text, made = "", []
    for number, page in enumerate(pages, start=1):
        start = len(text)
        text += page + "\n\n"
        made.append(
            Page(number=number, start=start, end=len(text), width=400, height=600, words_at=(0, 1))
        )
    return Document(title=path, media_type="application/pdf", text=text, pages=tuple(made))


def chunks(document: Document, revision: Revision) -> list[Chunk]:
    return [
        Chunk(
            id=digest(revision.key, revision.version, str(n)),
            ordinal=n,
            text=match[0],
            start=match.start(),
            end=match.end(),
            pages=tuple(
                p.number for p in document.pages if p.start < match.end() and match.start() < p.end
            ),
            title=document.title,
            context=f"[{document.title}]",
        )
        for n, match in enumerate(PARAGRAPH.finditer(document.text))
    ]
