"""Builds the ONNX graph of all-MiniLM-L6-v2 from its weights: 8-bit maths, no torch.

    (input_ids, attention_mask) int64 [batch, tokens] → sentence_embedding float32 [batch, width]

`local.build_model` saves it at set-up. Weights are stored as unsigned bytes. Signed ones overflow
16 bits on CPUs without VNNI, so vectors would differ from one machine to the next
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

FUSED = "com.microsoft"  # onnxruntime's own fused operators: one does the work of ten of ONNX's


class Shape(BaseModel, frozen=True):
    """The fields of the model's config.json that the graph needs."""

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
    """A graph under construction: its nodes and constants. A node and its output share a name."""

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
        """Adds word and position embeddings, then normalises.

        The table of words stays in bytes; only the rows that are looked up become floats.
        """
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
        """Adds one transformer layer."""
        mixed = self._linear(self._attention(tokens, layer), f"{layer}.attention.output.dense")
        tokens = self._add_and_norm(mixed, tokens, f"{layer}.attention.output")
        inner = f"{layer}.intermediate.dense"
        widened = [self._linear(tokens, inner), self._weight(f"{inner}.bias")]
        active = self._node("BiasGelu", widened, f"{inner}.active", domain=FUSED)
        return self._add_and_norm(
            self._linear(active, f"{layer}.output.dense"), tokens, f"{layer}.output"
        )

    def pool(self, tokens: str) -> None:
        """Mean-pools the tokens to unit length; it sums, as the norm cancels the mean's 1/count."""
        mask = self._node("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
        row = self._node("Unsqueeze", [mask, self._integer(1)], "mask_row")
        total = self._node("MatMul", [row, tokens], "sum_row")
        vector = self._node("Squeeze", [total, self._integer(1)], "sum")
        self._node("LpNormalization", [vector], "sentence_embedding", axis=-1, p=2)

    def _positions(self) -> str:
        """Looks up a row per position, with the row of token type 0 added: there is no other."""
        token_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        table = self.weights["embeddings.position_embeddings.weight"] + token_type
        length = self._node("Shape", ["input_ids"], "length", start=1, end=2)
        slice_of = [self._constant("position_table", table), self._integer(0), length]
        return self._node("Slice", [*slice_of, self._integer(0)], "position")

    def _attention(self, tokens: str, layer: str) -> str:
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self.weights[f"{part}.weight"].T for part in parts], 1)
        name = f"{layer}.attention.self"
        matrix, scale, zero = self._quantize(name, weight)
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
        """Multiplies by the weight; the operator that follows adds the bias."""
        weight = self._quantize(name, self.weights[f"{name}.weight"].T)
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

    def _quantize(self, name: str, matrix: Array) -> tuple[str, str, str]:
        """Quantizes the matrix to bytes, with a scale and a zero point per column."""
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
