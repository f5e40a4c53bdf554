"""Builds the ONNX graph of multilingual-e5-small: MiniLM's with twice the layers, and its words.

The words are two thirds of the model. They stay in 4 bits as they come: a byte each would make the
layer too large for Lambda. The layers' matrices get a byte a weight, for which onnxruntime has its
fast kernels: at 4 bits they take 2.3 times as long, and find no more.
"""

import onnx
from onnx import TensorProto

from local.e5_weights import BLOCK, Packed
from local.minilm_graph import FUSED, Graph

NAME = "multilingual-e5-small"


def build_graph(packed: Packed) -> onnx.ModelProto:
    return _E5Graph(packed).build()


class _E5Graph(Graph):
    def __init__(self, packed: Packed) -> None:
        super().__init__(NAME, packed.shape, packed.weights)
        self._words = packed.words

    def look_up(self) -> str:
        levels = self._words.levels
        pairs = self.constant("word_levels", levels[:, 0::2] | levels[:, 1::2] << 4)
        scales = self.constant("word_scales", self._words.scales)
        row = self.node(
            "GatherBlockQuantized",
            [pairs, "input_ids", scales],
            "word_half",
            domain=FUSED,
            bits=4,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        return self.node("Cast", [row], "word", to=TensorProto.FLOAT)
