"""The two models of the English layer on the CPU in 8-bit maths: onnxruntime, tokenizers, no torch.

all-MiniLM-L6-v2 embeds. The reader, the same model trained on (`evals/train_reader.py`), judges how
likely it is that a line states the answer to a question. `local/build_model.py` makes their files,
and the embedding layer carries them.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from footnote.adapters.embedding.minilm_tokenizer import PACKAGE, PairTokenizer, load_tokenizer
from footnote.adapters.embedding.model_files import model_file
from footnote.adapters.embedding.onnx_session import OnnxSession
from footnote.adapters.embedding.rerank_rules import check_texts
from footnote.text.characters import replace_surrogates


class MiniLM:
    """Implements the port Embedder. Threads may share it.

    Make one per process and keep it, as loading takes 0.1 s.
    """

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        card = json.loads(model_file("model.json", folder, PACKAGE).read_text())
        self._name: str = card["name"]
        self._dimensions: int = card["dimensions"]
        self._tokenizer = load_tokenizer(folder)
        self._tokenizer.enable_truncation(card["max_tokens"])
        self._session = OnnxSession(model_file("model.onnx", folder, PACKAGE), threads)

    @property
    def model(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"],  # noqa: ARG002 - this model reads both alike
    ) -> list[list[float]]:
        """Returns a unit vector per text. `kind` makes no difference to this model."""
        encodings = self._tokenizer.encode_batch_fast([replace_surrogates(text) for text in texts])
        return self._session.vectors([encoding.ids for encoding in encodings])


class MiniLMReader:
    """Implements the port Reranker. Threads may share it.

    A score is the log-odds that the text states the answer. A text's first line is the one that is
    judged; the header of its table and the place where it stands follow. It reads English.
    """

    model = "minilm-reader-s8"

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        self._tokenizer = PairTokenizer(folder)
        self._session = OnnxSession(model_file("reader.onnx", folder, PACKAGE), threads)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        pairs = [self._tokenizer.encode(query, text) for text in texts]
        return [vector[0] for vector in self._session.vectors(pairs)]
