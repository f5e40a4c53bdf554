"""Loads the embedding models of the layers by name.

Each adapter is imported when it is needed: the chunk step needs no onnxruntime.
"""

from pathlib import Path

from footnote.ports import Embedder, Reranker, Tokenizer

ENGLISH, MULTILINGUAL = "all-MiniLM-L6-v2-s8", "multilingual-e5-small-s8"


def load_encoder(name: str, folder: Path | None = None) -> Embedder:
    """Loads the model from a folder, or by default from the layer's package."""
    if name == MULTILINGUAL:
        from footnote.adapters.embedding.e5 import E5

        return E5(folder)
    from footnote.adapters.embedding.minilm import MiniLM

    return MiniLM(folder)


def load_reader(name: str, folder: Path | None = None) -> Reranker | None:
    """Loads the model that judges a line for a question. Only the English layer has one."""
    if name != ENGLISH:
        return None
    from footnote.adapters.embedding.minilm import MiniLMReader

    return MiniLMReader(folder)


def load_tokenizer(name: str, folder: Path | None = None) -> Tokenizer:
    """Loads the tokenizer of the model. For a model outside the layers it is the English one."""
    if name == MULTILINGUAL:
        from footnote.adapters.embedding.e5_tokenizer import E5Tokenizer

        return E5Tokenizer(folder)
    from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer

    return MiniLMTokenizer(folder)
