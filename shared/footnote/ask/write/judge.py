"""Asks a model whether passages say what a sentence says, where the rules cannot tell.

The model gives the words of the passages that say it. Code looks for them, and believes no reply
that contradicts itself.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from footnote.ask.evidence.merge import show
from footnote.ask.question.structured_output import ask_for
from footnote.ask.write.citations import Place
from footnote.model import ModelReply, ModelRequest, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import JudgeReply
from footnote.prompts.tasks import request_for
from footnote.text.quotes import locate


class Judgement(NamedTuple):
    """What a judge says of a sentence: that passages say it, that they do not, or nothing.

    `words` are the places of the words that say it, by passage number. `lacks` are words of the
    sentence that no passage says.
    """

    says: Literal["yes", "no", "unsure"]
    words: Mapping[int, Sequence[Place]] = MappingProxyType({})
    lacks: str = ""


UNSURE = Judgement("unsure")

type Judge = Callable[[str, Mapping[int, Passage]], Judgement]
"""(sentence, passages by number) → the judgement; asked where rules cannot tell."""


def no_judge(_sentence: str, _passages: Mapping[int, Passage]) -> Judgement:
    """Judges nothing."""
    return UNSURE


def make_judge(llm: LLM | None, paid: Callable[[Sequence[ModelReply]], None]) -> Judge:
    """Makes a judge that asks `llm` and passes its replies to `paid`. Without one it is unsure."""

    def judge(sentence: str, passages: Mapping[int, Passage]) -> Judgement:
        reply, replies = ask_for(JudgeReply, _request(sentence, passages), llm, _cannot_tell)
        paid(replies)
        return _read(reply, sentence, passages)

    return judge


def _cannot_tell() -> JudgeReply:
    """Says yes without any words, which counts as nothing said."""
    return JudgeReply(words=[], lacks="", supported=True)


def _read(reply: JudgeReply, sentence: str, passages: Mapping[int, Passage]) -> Judgement:
    """Returns the judgement. A yes whose words do not stand in the passages says nothing.

    It is a no where it lacks words of the sentence, or quotes the sentence itself as its evidence.
    """
    lacks = reply.lacks if locate(reply.lacks, sentence) else ""
    if not reply.supported or lacks:
        return Judgement("no", lacks=lacks)
    found = [_find(words, passages) for words in reply.words]
    missing = [words for words, place in zip(reply.words, found, strict=True) if place is None]
    if any(locate(words, sentence) for words in missing):
        return Judgement("no")
    if reply.lacks.strip() or not found or None in found:
        return UNSURE
    places: dict[int, list[Place]] = {}
    for n, place in filter(None, found):
        places.setdefault(n, []).append(place)
    return Judgement("yes", {n: places[n] for n in passages if n in places})


def _find(words: str, passages: Mapping[int, Passage]) -> tuple[int, Place] | None:
    """Returns the number of the passage that has these words, and where they stand there."""
    for n, passage in passages.items():
        for offset, text in passage.parts():
            if span := locate(words, text):
                return n, (offset + span[0], offset + span[1])
    return None


def _request(sentence: str, passages: Mapping[int, Passage]) -> ModelRequest:
    return request_for(
        "judge",
        sentence=fence_texts({"sentence": sentence}),
        passages=fence_texts({str(n): show(passage) for n, passage in passages.items()}),
    )
