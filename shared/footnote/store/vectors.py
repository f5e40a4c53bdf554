"""Vectors of a part of chunks, stored beside it: a line of JSON, then the numbers.

Numbers are little-endian float32, the models' own precision. The line names the model and holds a
digest of the texts. So vectors of another model, or of texts that have changed, are refused.
"""

import hashlib
import json
import struct
from collections.abc import Sequence

from footnote.model import Vector

_DECIMALS = 6  # our model's vectors are rounded to this: shorter numbers take half the bytes


def dump_vectors(vectors: Sequence[Vector], model: str, texts: Sequence[str]) -> bytes:
    """Writes one vector for each text; all have the first one's number of dimensions."""
    dimensions = len(vectors[0]) if vectors else 0
    numbers = b"".join(struct.pack(f"<{dimensions}f", *vector) for vector in vectors)
    return _header(model, dimensions, texts) + numbers


def load_vectors(body: bytes, model: str, texts: Sequence[str]) -> list[Vector] | None:
    """Reads what `dump_vectors` wrote for this model and these texts; None if it does not fit."""
    head, _, numbers = body.partition(b"\n")
    size, rest = divmod(len(numbers), 4 * len(texts)) if texts else (0, len(numbers))
    if rest or head + b"\n" != _header(model, size, texts):
        return None
    span = 4 * size
    return [_unpack(numbers[n * span : (n + 1) * span]) for n in range(len(texts))]


def model_of(body: bytes) -> str:
    """Returns whose vectors `dump_vectors` wrote; "" where it did not."""
    try:
        return str(json.loads(body.partition(b"\n")[0])["model"])
    except (ValueError, TypeError, KeyError):
        return ""


def _header(model: str, dimensions: int, texts: Sequence[str]) -> bytes:
    stands_for = hashlib.sha256(json.dumps(texts).encode()).hexdigest()
    fields = {"model": model, "dimensions": dimensions, "count": len(texts), "texts": stands_for}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _unpack(raw: bytes) -> Vector:
    """Returns the numbers, rounded where that loses nothing."""
    form = f"<{len(raw) // 4}f"
    exact = struct.unpack(form, raw)
    short = [round(number, _DECIMALS) for number in exact]
    return short if struct.pack(form, *short) == raw else list(exact)
