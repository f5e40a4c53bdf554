"""The model that reads lines together with a question: for which questions it is there.

It comes with the embedding layer and says how likely a text states the answer. It reads the first
hits of a search (`ask/find/reader_signal.py`) and the best lines of the evidence (`scoring.py`).
"""

from collections.abc import Callable, Sequence
from functools import partial

from footnote.ports import Reranker
from footnote.text.language import detect_language

LANGUAGE = "en"
"""What the model reads. It was shown no question in another language."""

type JudgeLines = Callable[[Sequence[str]], list[float]]
"""Texts → the log-odds that each states the answer. A text's first line is the one that is judged;
the others are what it stands under."""


def judge_of(question: str, model: Reranker | None) -> JudgeLines | None:
    """Returns what judges lines for a question; None where nobody reads the question's language."""
    if model is None or detect_language(question) != LANGUAGE:
        return None
    return partial(model.rerank, question)
