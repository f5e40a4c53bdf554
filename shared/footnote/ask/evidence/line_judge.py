"""The model that reads lines together with a question: for which questions it is there.

It comes with the embedding layer and says how likely a text states the answer. It reads the first
hits of a search (`ask/find/reader_signal.py`) and the best lines of the evidence (`scoring.py`).
"""

from collections.abc import Callable, Sequence
from functools import partial

from footnote.ask.query.reading import QueryReading
from footnote.ports import Reranker

LANGUAGE = "en"
"""What the model reads. It was shown no question in another language."""

type JudgeLines = Callable[[Sequence[str]], list[float]]
"""Texts → the log-odds that each states the answer. A text's first line is the one that is judged;
the others are what it stands under."""


def judge_of(reading: QueryReading, model: Reranker | None) -> JudgeLines | None:
    """Returns what judges lines for a question; None where nobody reads the question's language."""
    if model is None or reading.language != LANGUAGE:
        return None
    return partial(model.rerank, reading.text)
