"""OpenAI's form of chat: what a conversation asks, and an answer as a message with annotations.

An answer may stand in somebody's chat, which draws Markdown. So its words are escaped there, but
for its markers, and quotes are shortened.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from pydantic import ConfigDict, Field

from footnote.ask.question.bounds import MAX_QUESTION
from footnote.ask.write.rests_on_ocr import doubts_of
from footnote.errors import BadRequestError
from footnote.model import Answer, Citation, Value
from footnote.text.escaping import escape, escape_around
from footnote.text.read_by_ocr import BY_OCR, explain_figures, mark_figures

MODELS: Mapping[str, str] = {
    "footnote": "",
    "footnote-analyst": "analyst",
    "footnote-terse": "terse",
}
"""The names of models, and the persona that writes; "": the planner chooses one."""

MAX_MESSAGES = 200
QUOTE = 200  # characters of a quote in the text: the whole stands in the answer


class Spoken(Value):
    """What a chat sends. It may have further fields, which footnote has no use for."""

    model_config = ConfigDict(json_schema_extra=None)


class TextPart(Spoken):
    type: Literal["text"]
    text: str


class Message(Spoken):
    """A message of the conversation. Whatever else it has is left aside."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | tuple[TextPart, ...] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, tuple):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class ChatBody(Spoken):
    """A request for a completion. What footnote has no use for, as `temperature`, is ignored."""

    model: str = "footnote"
    messages: tuple[Message, ...] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool = False


class Conversation(NamedTuple):
    """The question of the last user message, and the exchanges before it, the oldest first."""

    question: str
    history: tuple[tuple[str, str], ...]


def read_conversation(messages: Sequence[Message]) -> Conversation:
    """Returns what is asked. System messages are instructions for a model, and are left aside.

    Raises BadRequestError where no user asks last.
    """
    said = [one for one in messages if one.role in {"user", "assistant"} and one.text.strip()]
    if not said or said[-1].role != "user":
        raise BadRequestError(
            "the last message is not a user's", action="End `messages` with the question."
        )
    exchanges = [
        (asked.text[:MAX_QUESTION], answered.text[:MAX_QUESTION])
        for asked, answered in pairwise(said)
        if (asked.role, answered.role) == ("user", "assistant")
    ]
    return Conversation(said[-1].text, tuple(exchanges))


def persona_of(model: str) -> str:
    """Raises BadRequestError naming the known models."""
    if model not in MODELS:
        raise BadRequestError(
            f"{model[:100]!r} is no model of footnote",
            code="model_not_found",
            action=f"Known: {', '.join(MODELS)}.",
        )
    return MODELS[model]


class Written(NamedTuple):
    text: str
    annotations: list[dict[str, object]]


def write(answer: Answer, page: str) -> Written:
    """Returns the message of an answer: its text, a list of its sources, links to our page.

    `page` is the address at which the answer is shown.
    """
    known = {citation.n: citation for citation in answer.citations}
    text = escape_around(known, answer.answer)
    annotations: list[dict[str, object]] = [
        annotation(known[int(mark[1])], page, mark.start(), mark.end())
        for mark in re.finditer(r"\[(\d+)\]", text)
        if int(mark[1]) in known
    ]
    sources = [source(citation) for citation in answer.citations]
    return Written("\n\n".join([text, *(["\n".join(sources)] if sources else [])]), annotations)


def annotation(citation: Citation, page: str, start: int, end: int) -> dict[str, object]:
    """Returns OpenAI's `url_citation` of a marker, with the citation beside it."""
    link = {
        "start_index": start,
        "end_index": end,
        "title": place(citation),
        "url": f"{page}/citations/{citation.n}",
    }
    more = {
        "document": citation.document,
        "document_id": citation.document_id,
        "pages": list(citation.pages),
        "quote": citation.quote,
        "read": citation.read,
        "doubts": [one.model_dump() for one in citation.doubts],
        "verified": citation.verified,
    }
    return {"type": "url_citation", "url_citation": link, "citation": more}


def source(citation: Citation) -> str:
    return footnote(citation, place(citation), QUOTE)


def footnote(citation: Citation, where: str, most: int) -> str:
    """Returns a line with where a quote stands, `most` of its characters, and how it was read."""
    figures = doubts_of(citation)
    quote = " ".join(mark_figures(citation.quote, figures).split())
    shown = quote if len(quote) <= most else f"{quote[:most].rsplit(' ', 1)[0]} …"
    how = f" ({BY_OCR})" if citation.read == "ocr" else ""
    why = "; ".join(explain_figures(citation.quote, figures))
    told = f" ({escape(why)})" if why else ""
    return f"[{citation.n}] {escape(where)}{how}: “{escape(shown)}”{told}"


def place(citation: Citation) -> str:
    pages = ", ".join(map(str, citation.labels or citation.pages))
    return f"{citation.document}, page {pages}" if pages else citation.document


def chunks(head: Mapping[str, object], written: Written) -> Iterator[str]:
    """Yields a message as server-sent events: a line of it each, annotations with the last."""
    yield _chunk(head, {"role": "assistant", "content": ""}, None)
    for line in written.text.splitlines(keepends=True):
        yield _chunk(head, {"content": line}, None)
    yield _chunk(head, {"annotations": written.annotations}, "stop")
    yield "data: [DONE]\n\n"


def _chunk(head: Mapping[str, object], delta: Mapping[str, object], finish: str | None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    told = {**head, "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(told, ensure_ascii=False)}\n\n"
