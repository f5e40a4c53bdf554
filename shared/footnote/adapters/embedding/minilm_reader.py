"""The reader: a small model that reads a question together with a line, and judges the line.

It is all-MiniLM-L6-v2, trained on to say how likely it is that a line states the answer
(`evals/train_reader.py`). `local/build_model.py` makes its file, and the embedding layer carries it
beside the embedding model. It reads English.
"""

from collections.abc import Sequence
from pathlib import Path

from footnote.adapters.embedding.minilm_tokenizer import PACKAGE, PairTokenizer
from footnote.adapters.embedding.model_files import model_file
from footnote.adapters.embedding.onnx_session import OnnxSession
from footnote.adapters.embedding.rerank_rules import check_texts


class MiniLMReader:
    """Implements the port Reranker. Threads may share it.

    A score is the log-odds that the text states the answer. Each line of a text is read as a part
    of its own: the line that is judged first, then the header of its table, then where it stands.
    """

    model = "minilm-reader-s8"

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        self._tokenizer = PairTokenizer(folder)
        self._session = OnnxSession(model_file("reader.onnx", folder, PACKAGE), threads)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        pairs = [self._tokenizer.encode(query, text) for text in texts]
        return [vector[0] for vector in self._session.vectors(pairs)]
