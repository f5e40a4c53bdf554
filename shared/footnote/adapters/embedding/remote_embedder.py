"""What embedders of all providers do alike: texts in batches, vectors checked, tokens counted."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from footnote.adapters.calls.meter import Meter, cost_of
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.adapters.embedding.texts import Kind, check_vectors, split
from footnote.model import Fingerprint, Vector


class RemoteEmbedder(ABC):
    """Implements the port Embedder. A provider's own class says how one request is made."""

    def __init__(self, fingerprint: Fingerprint, model: EmbeddingModel, meter: Meter) -> None:
        self._fingerprint = fingerprint
        self._model = model
        self._meter = meter

    @property
    def model(self) -> str:
        return self._fingerprint.name

    @property
    def dimensions(self) -> int:
        return self._fingerprint.dimensions

    def embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        """Returns unit vectors, one a text, in order. Raises what `check_vectors` raises."""
        vectors: list[Vector] = []
        for some in split(texts, self._model):
            found, tokens = self._request(some, kind)
            self._meter.add(tokens, cost_of(tokens, self._model.usd))
            vectors += check_vectors(found, len(some), self._fingerprint)
        return vectors

    def _told(self, kind: Kind) -> str:
        """Returns what the provider is told of the kind: a prefix, or a type of input."""
        return self._fingerprint.document if kind == "document" else self._fingerprint.query

    @abstractmethod
    def _request(self, texts: Sequence[str], kind: Kind) -> tuple[list[Vector], int]:
        """Sends as many texts as one request takes: their vectors, and the tokens that it counts.

        Raises UnavailableError for a reply in another form.
        """
