"""What all embedders of providers share: texts cut and batched, vectors checked, tokens counted."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Literal

from footnote.adapters.calls.meter import Meter, cost_of
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.text.characters import replace_surrogates

type Kind = Literal["document", "query"]
NOTHING = "-"  # stands for a text of blanks, which providers refuse
_PREFIX = 32  # bytes, more than any prefix
_DECIMALS = 6  # as the local model's, so that vectors are as short to store and send


class RemoteEmbedder(ABC):
    """Implements the port Embedder. A provider's own class makes the requests."""

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
            replied, tokens = self._request(some, kind)
            self._meter.add(tokens, cost_of(tokens, self._model.usd))
            vectors += check_vectors(replied, len(some), self._fingerprint)
        return vectors

    def _mark(self, kind: Kind) -> str:
        """Returns the prefix or the type of input that tells the provider the kind of a text."""
        return self._fingerprint.document if kind == "document" else self._fingerprint.query

    @abstractmethod
    def _request(self, texts: Sequence[str], kind: Kind) -> tuple[list[Vector], int]:
        """Sends the texts of one request. Returns their vectors, and the tokens that were counted.

        Raises UnavailableError for a reply in another form.
        """


def to_input(text: str, prefix: str, most_bytes: int) -> str:
    """Returns a text in a form that the provider takes: valid, not blank, not too long."""
    whole = prefix + (replace_surrogates(text) if text.strip() else NOTHING)
    raw = whole.encode()
    return whole if len(raw) <= most_bytes else raw[:most_bytes].decode("utf-8", "ignore")


def split(texts: Sequence[str], model: EmbeddingModel) -> Iterator[list[str]]:
    """Yields texts in order, as many at a time as a request takes."""
    batch: list[str] = []
    size = 0
    for text in texts:
        length = min(len(text.encode("utf-8", "replace")) + _PREFIX, model.text_bytes)
        if batch and (len(batch) == model.texts or size + length > model.request_bytes):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch


def check_vectors(
    vectors: Sequence[Sequence[float]], count: int, fingerprint: Fingerprint
) -> list[Vector]:
    """Returns the vectors, each made one long.

    Raises UnavailableError for too few, or one without a direction. Raises ConfigurationError for
    vectors of another width.
    """
    if len(vectors) != count:
        raise UnavailableError(
            f"{fingerprint.model} returned {len(vectors)} vectors for {count} texts"
        )
    wrong = {len(vector) for vector in vectors} - {fingerprint.dimensions}
    if wrong:
        raise ConfigurationError(
            f"{fingerprint.model} returned vectors of {min(wrong)} dimensions;"
            f" {fingerprint.dimensions} are wanted",
            action="Set EmbeddingDimensions to what the model has, deploy, `footnote reindex`.",
        )
    return [_unit(vector, fingerprint) for vector in vectors]


def _unit(vector: Sequence[float], fingerprint: Fingerprint) -> Vector:
    length = math.hypot(*vector)
    if not math.isfinite(length) or not length:
        raise UnavailableError(f"{fingerprint.model} returned a vector of length {length}")
    return [round(value / length, _DECIMALS) for value in vector]
