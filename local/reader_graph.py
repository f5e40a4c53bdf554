"""Builds the ONNX graph of the reader: all-MiniLM-L6-v2, trained on to read a question with a line.

    input_ids int64 [1, tokens] → log_odds float32 [1, 1]

`layers/embedding/reader.safetensors` has what training changed: small tensors as they are, and of
each large matrix the change as a product of two thin ones, in bytes with a scale for each row. The
word embeddings were not trained. `evals/train_reader.py` made it.
"""

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper

from local.minilm_graph import Array, Graph, Shape


def build_graph(
    shape: Shape, weights: Mapping[str, Array], changes: Mapping[str, Array]
) -> onnx.ModelProto:
    return ReaderGraph("reader", shape, trained(weights, changes)).build()


def trained(weights: Mapping[str, Array], changes: Mapping[str, Array]) -> dict[str, Array]:
    """Returns the weights with the changes."""
    made = dict(weights)
    for name, value in changes.items():
        whole, _, part = name.rpartition(".")
        if part == "up":
            up = value * changes[f"{whole}.up_scale"]
            down = changes[f"{whole}.down"] * changes[f"{whole}.down_scale"]
            made[whole] = weights[whole] + (up @ down).astype(np.float32)
        elif part not in {"up_scale", "down", "down_scale"}:
            made[name] = value.astype(np.float32)
    return made


class ReaderGraph(Graph):
    """The same layers, with a head in place of the vector."""

    def pool(self, tokens: str) -> None:
        """Takes the mean of the tokens, then a layer of the same width, then one number."""
        mean = self.node("ReduceMean", [tokens, self._integer(1)], "mean", keepdims=0)
        inner = self.node("Tanh", [self._dense(mean, "mid")], "mid.active")
        self.node("Identity", [self._dense(inner, "head")], "log_odds")

    def model(self) -> onnx.ModelProto:
        given = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])]
        told = [helper.make_tensor_value_info("log_odds", TensorProto.FLOAT, [1, 1])]
        constants = list(self.constants.values())
        return self.wrap(helper.make_graph(self.nodes, self.name, given, told, constants))

    def _dense(self, x: str, name: str) -> str:
        """Multiplies by a weight that is not worth bytes, as it is used once, and adds the bias."""
        matrix, bias = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self.node("Gemm", [x, matrix, bias], name, transB=1)
