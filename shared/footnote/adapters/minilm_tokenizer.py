"""The tokenizer of all-MiniLM-L6-v2 alone: the chunk step counts tokens without the model."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer

from footnote.errors import ConfigurationError
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
    return Tokenizer.from_file(str(model_file("tokenizer.json", folder)))


def model_file(name: str, folder: Path | None) -> Path:
    """Finds a file of the model in `folder`, or without one in the embedding layer's package.

    Raises ConfigurationError where the file or the package is missing.
    """
    place = folder or _package_folder()
    file = place / name
    if not file.is_file():
        raise ConfigurationError(
            f"embedding model not found in {place}: no {name}; run `make setup`",
            action="Run `make setup`, then deploy again.",
        )
    return file


def _package_folder() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError(
            f"embedding model not found in package {PACKAGE}; run `make setup`",
            action="Run `make setup`; a Lambda function also needs the embedding layer.",
        )
    return Path(next(iter(spec.submodule_search_locations)))
