"""The ONNX graph of all-MiniLM-L6-v2, made from its weights: 8-bit maths, no torch.

    (input_ids, attention_mask) int64 [batch, tokens] → sentence_embedding float32 [batch, width]

`local.build_model` saves it at set-up. Weights are unsigned bytes: signed ones overflow 16 bits on
CPUs without VNNI, and vectors would differ from one machine to the next
(https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from pydantic import BaseModel

type Array = NDArray[Any]

FUSED = "com.microsoft"  # onnxruntime's own operators: one for what ONNX spells in ten


class Shape(BaseModel, frozen=True):
    """What the graph takes from the model's config.json."""

    hidden_size: int
    num_attention_heads: int
    num_hidden_layers: int
    layer_norm_eps: float


def build_graph(shape: Shape, weights: Mapping[str, Array]) -> onnx.ModelProto:
    graph = _Graph(shape, weights)
    tokens = graph.embed_words()
    for number in range(shape.num_hidden_layers):
        tokens = graph.encode(tokens, f"encoder.layer.{number}")
    graph.pool(tokens)
    return graph.model()


class _Graph:
    """Nodes and constants so far. A node and its output share one name."""

    def __init__(self, shape: Shape, weights: Mapping[str, Array]) -> None:
        self.shape = shape
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        outputs = [
            helper.make_tensor_value_info(
                "sentence_embedding", TensorProto.FLOAT, ["batch", self.shape.hidden_size]
            )
        ]
        constants = list(self.constants.values())
        graph = helper.make_graph(self.nodes, "all-MiniLM-L6-v2", inputs, outputs, constants)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def embed_words(self) -> str:
        """Words plus positions. The word table stays bytes; only rows looked up become floats."""
        table = self.weights["embeddings.word_embeddings.weight"]
        row_scale = np.abs(table).max(1, keepdims=True) / 127
        rows = self._constant("word_bytes", np.round(table / row_scale).astype(np.int8))
        scales = self._constant("word_scale", row_scale.astype(np.float32))
        looked_up = self._node("Gather", [rows, "input_ids"], "word_row")
        floats = self._node("Cast", [looked_up], "word_float", to=TensorProto.FLOAT)
        scale = self._node("Gather", [scales, "input_ids"], "row_scale")
        words = self._node("Mul", [floats, scale], "word")
        summed = self._node("Add", [words, self._positions()], "word_and_position")
        norm = "embeddings.LayerNorm"
        return self._node(
            "LayerNormalization",
            [summed, self._weight(f"{norm}.weight"), self._weight(f"{norm}.bias")],
            norm,
            axis=-1,
            epsilon=self.shape.layer_norm_eps,
        )

    def encode(self, tokens: str, layer: str) -> str:
        """One transformer layer."""
        mixed = self._linear(self._attention(tokens, layer), f"{layer}.attention.output.dense")
        tokens = self._add_and_norm(mixed, tokens, f"{layer}.attention.output")
        inner = f"{layer}.intermediate.dense"
        widened = [self._linear(tokens, inner), self._weight(f"{inner}.bias")]
        active = self._node("BiasGelu", widened, f"{inner}.active", domain=FUSED)
        return self._add_and_norm(
            self._linear(active, f"{layer}.output.dense"), tokens, f"{layer}.output"
        )

    def pool(self, tokens: str) -> None:
        """The mean's direction: its 1/count cancels in the norm, so a sum will do."""
        mask = self._node("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
        row = self._node("Unsqueeze", [mask, self._integer(1)], "mask_row")
        total = self._node("MatMul", [row, tokens], "sum_row")
        vector = self._node("Squeeze", [total, self._integer(1)], "sum")
        self._node("LpNormalization", [vector], "sentence_embedding", axis=-1, p=2)

    def _positions(self) -> str:
        """A row per position; token types are always zero, so that row is folded in."""
        token_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        table = self.weights["embeddings.position_embeddings.weight"] + token_type
        length = self._node("Shape", ["input_ids"], "length", start=1, end=2)
        slice_of = [self._constant("position_table", table), self._integer(0), length]
        return self._node("Slice", [*slice_of, self._integer(0)], "position")

    def _attention(self, tokens: str, layer: str) -> str:
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self.weights[f"{part}.weight"].T for part in parts], 1)
        name = f"{layer}.attention.self"
        matrix, scale, zero = self._quantized(name, weight)
        bias = np.concatenate([self.weights[f"{part}.bias"] for part in parts])
        mask = self._node("Cast", ["attention_mask"], f"{name}.mask", to=TensorProto.INT32)
        data, data_scale, data_zero = (
            f"{name}.{part}" for part in ("bytes_in", "scale_in", "zero_in")
        )
        self._node("DynamicQuantizeLinear", [tokens], data, data_scale, data_zero)
        biases = self._constant(f"{name}.bias", bias)
        return self._node(
            "QAttention",
            [data, matrix, biases, data_scale, scale, mask, data_zero, zero],
            name,
            domain=FUSED,
            num_heads=self.shape.num_attention_heads,
        )

    def _linear(self, x: str, name: str) -> str:
        """Input times weight; the bias joins in the operator that follows."""
        weight = self._quantized(name, self.weights[f"{name}.weight"].T)
        return self._node("DynamicQuantizeMatMul", [x, *weight], name, domain=FUSED)

    def _add_and_norm(self, x: str, residual: str, block: str) -> str:
        norm = f"{block}.LayerNorm"
        inputs = [x, residual, self._weight(f"{norm}.weight"), self._weight(f"{norm}.bias")]
        return self._node(
            "SkipLayerNormalization",
            [*inputs, self._weight(f"{block}.dense.bias")],
            norm,
            domain=FUSED,
            epsilon=self.shape.layer_norm_eps,
        )

    def _quantized(self, name: str, matrix: Array) -> tuple[str, str, str]:
        """The matrix as bytes, with the scale and the zero point of each column."""
        low, high = np.minimum(matrix.min(0), 0), np.maximum(matrix.max(0), 0)
        scale = (high - low) / 255
        zero = np.round(-low / scale)
        levels = np.clip(np.round(matrix / scale) + zero, 0, 255)
        return (
            self._constant(f"{name}.bytes", levels.astype(np.uint8)),
            self._constant(f"{name}.scale", scale.astype(np.float32)),
            self._constant(f"{name}.zero", zero.astype(np.uint8)),
        )

    def _weight(self, name: str) -> str:
        return self._constant(name, self.weights[name])

    def _integer(self, value: int) -> str:
        return self._constant(f"integer_{value}", np.array([value], np.int64))

    def _constant(self, name: str, value: Array) -> str:
        self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def _node(
        self, kind: str, inputs: list[str], *outputs: str, domain: str = "", **settings: Any
    ) -> str:
        name = outputs[0]
        self.nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **settings))
        return name
