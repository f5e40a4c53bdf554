"""Files embedded in an office document: each is read as a section at the document's end."""

from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.ole import embedded_package


class EmbeddedFiles:
    """Holds the embedded files until the document's own text is written."""

    def __init__(self, builder: DocumentBuilder, allowance: Allowance) -> None:
        self._builder = builder
        self._nested = NestedFiles(builder, allowance)
        self._waiting: dict[str, tuple[str, bytes]] = {}

    def add(self, body: bytes, path: str) -> None:
        """Keeps a file for `write`; one in an OLE object is taken out of it."""
        name = path.rpartition("/")[2]
        if path in self._waiting:
            return
        if name.endswith(".bin"):
            inner = embedded_package(body)
            if inner is None:
                self._builder.ledger.count("embedded_file", name)
                return
            name, body = inner
        self._waiting[path] = name, body

    def embed(self, body: bytes, name: str) -> None:
        """Adds a file's text in this place, without a heading of its own."""
        self._nested.insert(body, name)

    def write(self) -> None:
        """Adds the files that wait, each under its name."""
        for name, body in self._waiting.values():
            self._nested.add(body, name)
