"""The tokenizer of all-MiniLM-L6-v2 alone: the chunk step counts tokens without the model."""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from footnote.adapters.model_files import model_file
from footnote.text.surrogates import replace_surrogates

PACKAGE = "footnote_minilm"  # in the embedding layer; it holds the model's files, nothing else


class MiniLMTokenizer:
    """Implements the port Tokenizer."""

    def __init__(self, folder: Path | None = None) -> None:
        self._tokenizer = load_tokenizer(folder)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Counts each text's tokens, with no limit, without the two that mark its ends."""
        encodings = self._tokenizer.encode_batch_fast(
            [replace_surrogates(text) for text in texts], add_special_tokens=False
        )
        return [len(encoding.ids) for encoding in encodings]


def load_tokenizer(folder: Path | None) -> Tokenizer:
    return Tokenizer.from_file(str(model_file("tokenizer.json", folder, PACKAGE)))
