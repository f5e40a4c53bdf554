"""A model as judge of sentences, with its prompt's digest and its agreement with people.

It gets the prompt by which deployed judges work, but may be another model than the one that wrote.
Where it fails, rules judge that sentence, and the report counts how often.
"""

from collections.abc import Sequence
from threading import Lock

from footnote.evaluation.cases import Label
from footnote.evaluation.metrics import kappa
from footnote.evaluation.replies import ask_model
from footnote.evaluation.words import rests_on
from footnote.ports import LLM
from footnote.prompts import digest_of, fence_texts
from footnote.prompts.shapes import JudgeReply
from footnote.prompts.tasks import request_for
from footnote.wire import Json


class ModelJudge:
    """Asks a model whether quotes say what a sentence says, and keeps count."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._lock = Lock()
        self._models: set[str] = set()
        self._asked = 0
        self._failed = 0
        self._usd = 0.0

    def supports(self, sentence: str, quotes: Sequence[str]) -> bool:
        request = request_for(
            "judge",
            sentence=fence_texts({"sentence": sentence}),
            passages=fence_texts({str(n): quote for n, quote in enumerate(quotes, 1)}),
        )
        told = ask_model(self._llm, request, JudgeReply)
        if told is None:
            with self._lock:
                self._failed += 1
            return rests_on(sentence, quotes)
        reply, verdict = told
        with self._lock:
            self._asked += 1
            self._models.add(reply.model)
            self._usd += reply.usd
        return verdict.supported and not verdict.lacks.strip()

    def results(self, labels: Sequence[Label]) -> Json:
        """Judges what people have labelled, and returns who judged and how well they agree."""
        pairs = [(self.supports(one.sentence, [one.quote]), one.supported) for one in labels]
        return {
            "model": ", ".join(sorted(self._models)) or "a model that never replied",
            "prompt": digest_of("judge"),
            "judged": self._asked,
            "by_rule": self._failed,
            "usd": round(self._usd, 6),
            "labels": len(pairs),
            "agreed": sum(judged == person for judged, person in pairs),
            "kappa": round(kappa(pairs), 3),
        }
