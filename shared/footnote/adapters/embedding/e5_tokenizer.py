"""The tokenizer of multilingual-e5-small alone: the chunk step counts tokens without the model."""

import sys
from array import array
from collections.abc import Sequence
from pathlib import Path

from footnote.adapters.embedding.model_files import model_file
from footnote.adapters.embedding.unigram import Unigram
from footnote.text.characters import replace_surrogates

PACKAGE = "footnote_e5"  # in the multilingual layer; it holds the model's files, nothing else
BEGIN, PAD, END, UNKNOWN = range(4)  # the ids of <s>, <pad>, </s> and <unk>


class E5Tokenizer:
    """Implements the port Tokenizer."""

    def __init__(self, folder: Path | None = None) -> None:
        self._unigram = load_unigram(folder)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Counts each text's tokens, with no limit, without prefix and the two of its ends."""
        return [len(self._unigram.encode(replace_surrogates(text))) for text in texts]


def load_unigram(folder: Path | None) -> Unigram:
    """Reads the pieces, a line each, and their scores, 32-bit floats; the last piece is <mask>."""
    pieces = model_file("pieces.txt", folder, PACKAGE).read_text(encoding="utf-8").split("\n")
    scores = array("f", model_file("scores.bin", folder, PACKAGE).read_bytes())
    if sys.byteorder == "big":
        scores.byteswap()
    return Unigram(pieces, scores, (len(pieces) - 1, BEGIN, PAD, END, UNKNOWN))
