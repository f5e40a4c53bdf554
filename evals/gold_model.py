"""A model that answers as a good one would, made of the true answers: it tests all around a model.

It chooses and copies lines of what it is shown that state what is true, and knows nothing else. So
what is lost is lost by the parts that cut, show, merge, check and cite, not by a model.
"""

import calendar
import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evals.whole_cases import Case, Wordings, flat, states
from footnote.errors import ModelReplyError
from footnote.model import CELL, ModelReply, ModelRequest
from footnote.prompts.tasks import TASKS, Role
from footnote.text.tokens import estimate_tokens
from footnote.wire import Json

QUESTION_KINDS = ("list", "count", "document", "comparison")
_FENCED = re.compile(r"<<<([0-9a-f]{16}) ([^>]*)>>>\n(.*?)\n<<<end \1>>>", re.DOTALL)
_NUMBERED = re.compile(r"^(\d+) (.*)$", re.MULTILINE)
_PIECE = re.compile(r"^\[(\d+\.\d+)\] (.*)$", re.MULTILINE)
_SUB_QUESTION = re.compile(r"q\d+")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MONTHS = tuple(calendar.month_name)[1:]

type Prices = Mapping[Role, tuple[float, float]]
"""Role → dollars for a million tokens in and out."""


class Spent(NamedTuple):
    """A call: its task, and the tokens in and out."""

    task: str
    tokens_in: int
    tokens_out: int


class GoldModel:
    """Implements LLM for one case at a time."""

    def __init__(self, prices: Prices) -> None:
        self.case = Case("", "", "")
        self.question = ""  # that is being asked: one of the case's turns, or its own
        self.calls: list[Spent] = []
        self._prices = prices

    def complete(self, request: ModelRequest) -> ModelReply:
        reply = {
            "plan": self._plan,
            "condense": _condense,
            "read": self._read,
            "grade": self._grade,
            "synthesize": self._write,
            "judge": _judge,
            "extract": self._extract,
        }.get(request.task)
        if reply is None:
            raise ModelReplyError(f"nobody has said how {request.task} is done")
        made = reply(request)
        text = made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)
        read = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        wrote = estimate_tokens(text)
        self.calls.append(Spent(request.task, read, wrote))
        dollars_in, dollars_out = self._prices[TASKS[request.task].role]
        return ModelReply(
            text=text,
            mode="anthropic",
            model="gold",
            input_tokens=read,
            output_tokens=wrote,
            usd=(read * dollars_in + wrote * dollars_out) / 1_000_000,
        )

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        reply = self.complete(request)
        yield from re.findall(r"\S+\s*|\s+", reply.text)
        yield reply

    # -- tasks -----------------------------------------------------------------------------------

    def _plan(self, _: ModelRequest) -> Json:
        is_last = self.question == self.case.text
        text = self.case.standing_alone if is_last else self.question
        if self.case.kind == "catalogue":
            return {"kind": "catalogue", "reply": "", "sub_questions": [], "resolved": text}
        is_own = is_last and self.case.kind in QUESTION_KINDS
        sides = self.case.sides if is_last and self.case.sides else (text,)
        named = [name for name in self.case.stated_in if name in text]
        return {
            "kind": "retrieve",
            "reply": "",
            "sub_questions": [{"text": side, "documents": named} for side in sides],
            "resolved": text,
            "question_kind": self.case.kind if is_own else "fact",
        }

    def _read(self, request: ModelRequest) -> Json:
        """Chooses the first line of a part that states an item, once for each item."""
        shown = fenced(request.prompt)["document"]
        name = shown.partition(":")[0]
        case = self.case
        if case.counts_documents:
            wanted: tuple[Wordings, ...] = ((case.says,),) if name in case.documents else ()
        else:
            wanted = (*case.items, *case.facts)
        if case.stated_in and name not in case.stated_in:
            wanted = ()
        lines = [(int(number), text) for number, text in _NUMBERED.findall(shown)]
        items = []
        for item in wanted:
            first = next((number for number, text in lines if states(item, text)), None)
            if first is not None:
                items.append({"lines": [first], "name": "" if case.counts_documents else item[0]})
        return {"items": items}

    def _grade(self, request: ModelRequest) -> Json:
        names = [name for name in fenced(request.prompt) if _SUB_QUESTION.fullmatch(name)]
        shown = " ".join(re.findall(r"(?s)<<<\w+ q\d+ \(\d+\)>>>\n(.*?)\n<<<end", request.prompt))
        is_there = not self.case.wanted or any(states(item, shown) for item in self.case.wanted)
        confidence = 0.9 if is_there else 0.1
        verdict = {"decision": "enough", "confidence": confidence, "missing": ""}
        return {"verdicts": [{"id": name} | verdict for name in names]}

    def _write(self, request: ModelRequest) -> str:
        """Copies the first line for each thing that is to be stated, with its marker."""
        pieces = _PIECE.findall(request.prompt)
        is_last = self.question == self.case.text
        wanted = self.case.wanted if is_last else ()
        if is_last and not wanted and self.case.number is not None:
            wanted = (_forms(self.case.number),)
        chosen = [
            next(((mark, text) for mark, text in pieces if states(item, text)), None)
            for item in wanted
        ]
        kept = dict.fromkeys(piece for piece in chosen if piece)
        if not wanted and pieces:
            kept = dict.fromkeys(pieces[:1])
        if not kept:
            return f"The documents do not say {self.question.rstrip('?.')}."
        return "\n\n".join(f"{text} [{mark}]" for mark, text in kept)

    def _extract(self, request: ModelRequest) -> Json:
        """Quotes the first line of a passage that states a value, or most values of an object."""
        parts = fenced(request.prompt)
        passages = {int(name): text for name, text in parts.items() if name.isdigit()}
        lines = [(n, line) for n, text in passages.items() for line in text.split("\n") if line]
        values: list[Json] = []
        records: list[Json] = []
        for field, value in (self.case.data or {}).items():
            if not isinstance(value, list):
                if place := _best(lines, [value]):
                    values.append({"field": field, "value": str(value)} | place)
                continue
            for record in value:
                if place := _best(lines, list(record.values())):
                    named = [{"field": name, "value": str(each)} for name, each in record.items()]
                    records.append({"array": field, "values": named} | place)
        return {"values": values, "records": records}


def _condense(request: ModelRequest) -> Json:
    turns = [name for name in fenced(request.prompt) if name.isdigit()]
    texts = fenced(request.prompt)
    return {"lines": [{"text": texts[name][:200], "turns": [int(name)]} for name in turns]}


def _judge(request: ModelRequest) -> Json:
    """Supports what stands in one passage word for word."""
    parts = fenced(request.prompt)
    sentence = flat(parts.pop("sentence")).rstrip(".")
    is_there = any(sentence in flat(text) for text in parts.values())
    return {
        "words": [sentence] * is_there,
        "lacks": "" if is_there else sentence,
        "supported": is_there,
    }


def fenced(prompt: str) -> dict[str, str]:
    """Returns what stands between the fences of a prompt, by label."""
    return {label: text for _, label, text in _FENCED.findall(prompt)}


def _best(lines: list[tuple[int, str]], values: list[object]) -> Json | None:
    """Returns passage and quote of the line that states the first value and most others."""
    first, *_ = values
    rated = [
        (sum(states(_forms(value), line) for value in values), -n)
        for n, (_, line) in enumerate(lines)
        if states(_forms(first), line)
    ]
    if not rated:
        return None
    passage, quote = lines[-max(rated)[1]]
    return {"passage": passage, "quote": quote.strip(CELL.strip())}


def _forms(value: object) -> Wordings:
    """Returns how documents may write a value: "4,200" for 4200, days with their month's name."""
    if isinstance(value, int | float):
        whole = int(value) if value == int(value) else value
        return (f"{whole:,}", str(whole))
    if iso := _ISO.fullmatch(str(value)):
        year, month, day = iso[1], _MONTHS[int(iso[2]) - 1], int(iso[3])
        return (f"{day} {month} {year}", f"{month} {day}, {year}", str(value))
    return (str(value),)
