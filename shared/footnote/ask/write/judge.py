"""Asks a model whether a passage says what a sentence says, where the rules cannot tell."""

from collections.abc import Callable, Sequence

from footnote.ask.evidence import show
from footnote.ask.structured_output import Shape, ask_for, tool
from footnote.ask.write.citations import Judge
from footnote.model import ModelReply, ModelRequest, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts, load

MAX_TOKENS = 300


class JudgeReply(Shape):
    """The reply of the judge. `part`: the words of the sentence that the passage does not say."""

    supported: bool
    part: str = ""


def make_judge(llm: LLM, paid: Callable[[Sequence[ModelReply]], None]) -> Judge:
    """Makes a judge that asks `llm` and passes its replies to `paid`. A reply of no use is a no."""

    def judge(sentence: str, passage: Passage) -> bool:
        reply, replies = ask_for(JudgeReply, _request(sentence, passage), llm)
        paid(replies)
        return reply is not None and reply.supported

    return judge


def _request(sentence: str, passage: Passage) -> ModelRequest:
    system, prompt = load(
        "judge",
        sentence=fence_texts({"sentence": sentence}),
        passage=fence_texts({"passage": show(passage)}),
    )
    return ModelRequest(
        task="judge",
        system=system,
        prompt=prompt,
        tool=tool("judge", JudgeReply),
        max_tokens=MAX_TOKENS,
    )
