"""The tokenizer of all-MiniLM-L6-v2: the chunk step counts tokens without the model."""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from footnote.adapters.embedding.model_files import model_file
from footnote.text.characters import replace_surrogates

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


class PairTokenizer:
    """Makes the tokens of a question and a text in the form that the reader was trained on.

    Each line of the text is a part of its own. The last parts are cut first.
    """

    question, part, whole = 64, 112, 256  # tokens at most

    def __init__(self, folder: Path | None = None) -> None:
        self._tokenizer = load_tokenizer(folder)
        self._tokenizer.no_truncation()  # as published it cuts and fills up
        self._tokenizer.no_padding()

    def encode(self, question: str, text: str) -> list[int]:
        of_question = self._read(question, self.question)
        of_text = [token for part in text.split("\n") for token in self._read(part, self.part)[1:]]
        return [*of_question, *of_text[: self.whole - len(of_question)]]

    def _read(self, text: str, most: int) -> list[int]:
        """Returns the first `most` tokens of a text, between the two that mark its ends."""
        ids: list[int] = self._tokenizer.encode(replace_surrogates(text)).ids
        return [*ids[: most + 1], ids[-1]] if len(ids) > most + 2 else ids


def load_tokenizer(folder: Path | None) -> Tokenizer:
    return Tokenizer.from_file(str(model_file("tokenizer.json", folder, PACKAGE)))
