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


def make_judge(llm: LLM | None, paid: Callable[[Sequence[ModelReply]], None]) -> Judge:
    """Makes a judge that asks `llm` and passes its replies to `paid`. Without one it says no."""

    def judge(sentence: str, passage: Passage) -> bool:
        reply, replies = ask_for(JudgeReply, _request(sentence, passage), llm, _say_no)
        paid(replies)
        return reply.supported

    return judge


def _say_no() -> JudgeReply:
    """Says no: the rules of the check have left it open."""
    return JudgeReply(supported=False)


def _request(sentence: str, passage: Passage) -> ModelRequest:
    return request_for(
        "judge",
        sentence=fence_texts({"sentence": sentence}),
        passage=fence_texts({"passage": show(passage)}),
    )
