"""A language model whose answer is given, with judges that are as good as they are made to be."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from evals.wording_cases import Case
from footnote.errors import UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM
from footnote.wire import Json

type Reply = Callable[[ModelRequest], ModelReply]

# What a judge's reply has about what is lacking. Each other text of it quotes the evidence.
LACKS = re.compile(r"part|lack|missing|wrong")


class Writer:
    """Implements the port LLM: streams a given answer, and judges and mends as it is told."""

    def __init__(self, answer: str, judge: Reply, mend: Reply) -> None:
        self._answer = answer
        self._by_task: Mapping[str, Reply] = {
            "synthesize": lambda _: reply(answer),
            "judge": judge,
            "repair": mend,
        }

    def complete(self, request: ModelRequest) -> ModelReply:
        return self._by_task.get(request.task, nobody)(request)

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        whole = self.complete(request)
        yield from re.findall(r"\S+\s*|\s+", whole.text)
        yield whole


class Row(NamedTuple):
    """Who judges, and whether a sentence that is to be mended goes back to its passage's words."""

    judge: Callable[[Case], Reply]
    mends: bool = False


def reply(text: str) -> ModelReply:
    return ModelReply(text=text, mode="openai", model="given")


def nobody(request: ModelRequest) -> ModelReply:
    raise UnavailableError(f"nobody does the task {request.task!r}")


def judge_that_says(*, supported: bool) -> Callable[[Case], Reply]:
    """Returns a judge that gives one reply to all, in whatever shape it is asked for."""

    def of_case(case: Case) -> Reply:
        return lambda request: reply(
            json.dumps(_filled(request, case.own_words, supported=supported))
        )

    return of_case


def judge_by(llm: LLM) -> Callable[[Case], Reply]:
    """Returns a judge that asks a model."""
    return lambda _: llm.complete


ROWS = {
    "none": Row(lambda _: nobody),
    "no": Row(judge_that_says(supported=False)),
    "yes": Row(judge_that_says(supported=True)),
    "mended": Row(lambda _: nobody, mends=True),
}


def writer_of(case: Case, row: Row) -> Writer:
    mended = f"{case.own_words} {case.marker}" if row.mends else "NONE"
    return Writer(case.answer, row.judge(case), lambda _: reply(mended))


def _filled(request: ModelRequest, words: str, *, supported: bool) -> Json:
    """Fills each field of a judge's shape. A yes quotes the evidence and lacks nothing."""
    shape: Json = json.loads(json.dumps(request.shape))
    return {
        name: supported if field.get("type") == "boolean" else _text(name, field, words)
        for name, field in shape["properties"].items()
    }


def _text(name: str, field: Json, words: str) -> str | list[str]:
    is_list = field.get("type") == "array"
    if LACKS.search(name):
        return [] if is_list else ""
    return [words] if is_list else words
