"""Builds the ONNX graph of a sentence model from its weights: 8-bit maths, no torch.

It is written for all-MiniLM-L6-v2; `local/e5_graph.py` adds what multilingual-e5-small has.

    input_ids int64 [1, tokens] → sentence_embedding float32 [1, width]

`local.build_model` saves it at set-up. It takes one text a run, so it needs no mask of padding.

Activations are unsigned bytes, weights signed ones: for these two onnxruntime has its fast kernels,
with VNNI and without. Without it (vpmaddubsw) two neighbouring products are added in 16 bits, which
saturate. `quantize` chooses levels that cannot reach that, so the sums are the same everywhere
(https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).

Each operator was chosen by onnxruntime's profiler: SkipLayerNormalization has a slow kernel, Add
and LayerNormalization a fast one; MultiHeadAttention without a mask is a flash attention.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from pydantic import BaseModel

type Array = NDArray[Any]

FUSED = "com.microsoft"  # onnxruntime's own fused operators: one does the work of ten of ONNX's


ACTIVATION = 255  # the largest unsigned byte
SUM = 32_767  # the largest signed sum in 16 bits
PAIR = SUM // ACTIVATION  # most that two weights of one sign may come to: 128
GROUP = 4  # neighbours that a kernel loads at once; which two of them it adds is its own affair


class Shape(BaseModel, frozen=True):
    """The fields of the model's config.json that the graph needs."""

    hidden_size: int
    num_attention_heads: int
    num_hidden_layers: int
    layer_norm_eps: float


def build_graph(shape: Shape, weights: Mapping[str, Array]) -> onnx.ModelProto:
    return Graph("all-MiniLM-L6-v2", shape, weights).build()


class Graph:
    """A graph under construction: its nodes and constants. A node and its output share a name."""

    def __init__(self, name: str, shape: Shape, weights: Mapping[str, Array]) -> None:
        self.name = name
        self.shape = shape
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def build(self) -> onnx.ModelProto:
        tokens = self.embed_words()
        for number in range(self.shape.num_hidden_layers):
            tokens = self.encode(tokens, f"encoder.layer.{number}")
        self.pool(tokens)
        return self.model()

    def model(self) -> onnx.ModelProto:
        inputs = [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"]),
        ]
        outputs = [
            helper.make_tensor_value_info(
                "sentence_embedding", TensorProto.FLOAT, [1, self.shape.hidden_size]
            )
        ]
        constants = list(self.constants.values())
        graph = helper.make_graph(self.nodes, self.name, inputs, outputs, constants)
        return self.wrap(graph)

    @staticmethod
    def wrap(graph: onnx.GraphProto) -> onnx.ModelProto:
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def embed_words(self) -> str:
        """Adds word and position embeddings, then normalises."""
        summed = self.node("Add", [self.look_up(), self._positions()], "word_and_position")
        return self._norm(summed, "embeddings.LayerNorm")

    def look_up(self) -> str:
        """Looks the words up. Their table stays in bytes; only the rows found become floats."""
        table = self.weights["embeddings.word_embeddings.weight"]
        row_scale = np.abs(table).max(1, keepdims=True) / 127
        rows = self.constant("word_bytes", np.round(table / row_scale).astype(np.int8))
        scales = self.constant("word_scale", row_scale.astype(np.float32))
        looked_up = self.node("Gather", [rows, "input_ids"], "word_row")
        floats = self.node("Cast", [looked_up], "word_float", to=TensorProto.FLOAT)
        scale = self.node("Gather", [scales, "input_ids"], "row_scale")
        return self.node("Mul", [floats, scale], "word")

    def encode(self, tokens: str, layer: str) -> str:
        """Adds one transformer layer."""
        mixed = self._linear(self._attention(tokens, layer), f"{layer}.attention.output.dense")
        tokens = self._add_and_norm(mixed, tokens, f"{layer}.attention.output")
        inner = f"{layer}.intermediate.dense"
        active = self.node(
            "Gelu", [self._linear(tokens, inner)], f"{inner}.active", approximate="tanh"
        )
        return self._add_and_norm(
            self._linear(active, f"{layer}.output.dense"), tokens, f"{layer}.output"
        )

    def pool(self, tokens: str) -> None:
        """Mean-pools the tokens to unit length; it sums, as the norm cancels the mean's 1/count."""
        vector = self.node("ReduceSum", [tokens, self._integer(1)], "sum", keepdims=0)
        self.node("LpNormalization", [vector], "sentence_embedding", axis=-1, p=2)

    def _positions(self) -> str:
        """Looks up a row per position, with the row of token type 0 added: there is no other."""
        token_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        table = self.weights["embeddings.position_embeddings.weight"] + token_type
        length = self.node("Shape", ["input_ids"], "length", start=1, end=2)
        slice_of = [self.constant("position_table", table), self._integer(0), length]
        return self.node("Slice", [*slice_of, self._integer(0)], "position")

    def _attention(self, tokens: str, layer: str) -> str:
        name = f"{layer}.attention.self"
        data, scale, zero = (f"{name}.{part}" for part in ("bytes_in", "scale_in", "zero_in"))
        self.node("DynamicQuantizeLinear", [tokens], data, scale, zero)
        projected = []
        for part in (f"{name}.query", f"{name}.key", f"{name}.value"):
            matrix, weight_scale, weight_zero = self._quantize(part)
            given = [data, matrix, scale, weight_scale, zero, weight_zero]
            given.append(self._weight(f"{part}.bias"))
            projected.append(self.node("MatMulIntegerToFloat", given, part, domain=FUSED))
        heads = self.shape.num_attention_heads
        return self.node("MultiHeadAttention", projected, name, domain=FUSED, num_heads=heads)

    def _linear(self, x: str, name: str) -> str:
        """Multiplies by the weight and adds the bias."""
        given = [x, *self._quantize(name), self._weight(f"{name}.bias")]
        return self.node("DynamicQuantizeMatMul", given, name, domain=FUSED)

    def _add_and_norm(self, x: str, residual: str, block: str) -> str:
        summed = self.node("Add", [x, residual], f"{block}.sum")
        return self._norm(summed, f"{block}.LayerNorm")

    def _norm(self, x: str, name: str) -> str:
        given = [x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias")]
        epsilon = self.shape.layer_norm_eps
        return self.node("LayerNormalization", given, name, axis=-1, epsilon=epsilon)

    def _quantize(self, name: str) -> tuple[str, str, str]:
        """Stores the weight as bytes, with a scale and a zero point per column."""
        levels, scale = quantize(self.weights[f"{name}.weight"].T)
        return (
            self.constant(f"{name}.bytes", levels),
            self.constant(f"{name}.scale", scale),
            self.constant(f"{name}.zero", np.zeros(levels.shape[1], np.int8)),
        )

    def _weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def _integer(self, value: int) -> str:
        return self.constant(f"integer_{value}", np.array([value], np.int64))

    def constant(self, name: str, value: Array) -> str:
        self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def node(
        self, kind: str, inputs: list[str], *outputs: str, domain: str = "", **settings: Any
    ) -> str:
        name = outputs[0]
        self.nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **settings))
        return name


def quantize(matrix: Array) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Returns levels of -127 to 127 and a scale per column: levels times scale is the matrix.

    No two levels of one sign in a `GROUP` of rows come to more than `PAIR`. So two products with
    activations stay within 16 bits. That costs a third of the range; 7 bits, which is the usual
    way, cost half of it.
    """
    largest = np.maximum(np.abs(matrix).max(0) / 127, largest_pairs(matrix) / (PAIR - 1))
    scale = largest.astype(np.float32)
    # PAIR - 1: each of the two may be rounded up by a half
    return np.round(matrix / scale).astype(np.int8), scale


def largest_pairs(matrix: Array) -> Array:
    """Returns for each column the largest sum, sign aside, of two values of one sign in a group."""
    groups = matrix.astype(np.float64).reshape(-1, GROUP, matrix.shape[1])
    signs = np.stack([np.maximum(groups, 0), np.maximum(-groups, 0)])
    pairs: Array = np.sort(signs, axis=2)[:, :, -2:].sum(2)
    largest: Array = pairs.max((0, 1))
    return largest
