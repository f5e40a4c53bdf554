"""The model multilingual-e5-small on the CPU in 8-bit maths: onnxruntime alone, no torch.

`local/build_model.py` makes the model's files, and the multilingual layer carries them.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from footnote.adapters.embedding.e5_tokenizer import BEGIN, END, PACKAGE, load_unigram
from footnote.adapters.embedding.model_files import model_file
from footnote.adapters.embedding.onnx_session import OnnxSession
from footnote.text.characters import replace_surrogates

# It was trained with these before each text, and is worse without (Wang et al., "Multilingual E5
# Text Embeddings", 2024).
PREFIXES = {"query": "query: ", "document": "passage: "}


class E5:
    """Implements the port Embedder. Threads may share it.

    Make one per process and keep it, as loading takes 0.5 s.
    """

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        card = json.loads(model_file("model.json", folder, PACKAGE).read_text())
        self._name: str = card["name"]
        self._dimensions: int = card["dimensions"]
        self._most: int = card["max_tokens"] - 2  # beside the two of its ends
        self._unigram = load_unigram(folder)
        self._session = OnnxSession(model_file("model.onnx", folder, PACKAGE), threads)

    @property
    def model(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[list[float]]:
        """Returns a unit vector per text. The model reads the first 512 tokens."""
        return self._session.vectors([self._tokens(PREFIXES[kind] + text) for text in texts])

    def _tokens(self, text: str) -> list[int]:
        return [BEGIN, *self._unigram.encode(replace_surrogates(text), self._most), END]
