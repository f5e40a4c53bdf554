"""An LLM that wraps another: its model only writes the answer, and rules do all else.

It is for a small, slow model, which plans and grades worse than rules do and takes as long for each
of them as for the answer (the setting `ModelProfile`).
"""

from collections.abc import Iterator

from footnote.errors import SpentError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM

BY_RULES = "ModelProfile is small: the model wrote the answer, rules planned, graded and checked."


class WriterOnlyLLM:
    """Implements LLM. Answers are what is streamed, and nothing else is."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def complete(self, _request: ModelRequest) -> ModelReply:
        """Raises SpentError, so that rules stand in and say why."""
        raise SpentError(BY_RULES)

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return self._llm.stream(request)
