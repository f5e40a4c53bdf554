"""Asks a model whether a passage says what a sentence says, where the rules cannot tell."""

from collections.abc import Callable, Sequence

from footnote.ask.evidence.merge import show
from footnote.ask.question.structured_output import ask_for
from footnote.ask.write.citations import Judge
from footnote.model import ModelReply, ModelRequest, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import JudgeReply
from footnote.prompts.tasks import request_for


def make_judge(llm: LLM, paid: Callable[[Sequence[ModelReply]], None]) -> Judge:
    """Makes a judge that asks `llm` and passes its replies to `paid`. A reply of no use is a no."""

    def judge(sentence: str, passage: Passage) -> bool:
        reply, replies = ask_for(JudgeReply, _request(sentence, passage), llm)
        paid(replies)
        return reply is not None and reply.supported

    return judge


def _request(sentence: str, passage: Passage) -> ModelRequest:
    return request_for(
        "judge",
        sentence=fence_texts({"sentence": sentence}),
        passage=fence_texts({"passage": show(passage)}),
    )
