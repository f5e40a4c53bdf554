"""OpenAI's form of chat: the question of a conversation, and an answer as a message.

A chat may draw the answer as Markdown. So its words are escaped, except its
markers, and quotes are shortened.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field

from footnote.api.answer_text import (
    doubtful_citations,
    footnote,
    say_fates,
    say_outcome,
    say_sentences,
)
from footnote.api.bodies import (
    Budget,
    Context,
    Filters,
    InCollection,
    Kind,
    LeastConfidence,
    Limits,
    Named,
    QuestionBody,
    Strict,
)
from footnote.ask.export.report import is_check_failed
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.errors import BadRequestError
from footnote.model import Answer, Citation, Value
from footnote.text.fates import say_refusal
from footnote.text.own_language import asked_in

MODELS: Mapping[str, str] = {
    "footnote": "",
    "footnote-analyst": "analyst",
    "footnote-terse": "terse",
}
"""Each model's name, and its persona; "": the planner chooses one."""

MAX_MESSAGES = 200
CHUNK = "chat.completion.chunk"
QUOTE = 200  # characters of a quote in the text; the answer has all of it


class Spoken(Value):
    """A value that a chat sends. Fields that footnote does not use are allowed."""

    model_config = ConfigDict(json_schema_extra=None)


class TextPart(Spoken):
    type: Literal["text"]
    text: str


class Message(Spoken):
    """A message of the conversation. Other fields are ignored."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | tuple[TextPart, ...] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, tuple):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


type OptionName = Annotated[str, Field(max_length=100)]


class ChatBody(Spoken):
    """A request for a completion. Unused fields, as `temperature`, are ignored.

    Those from `collection` on are footnote's, as in `POST /questions`.
    """

    model: str = "footnote"
    messages: tuple[Message, ...] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool = False
    stream_options: Mapping[OptionName, bool] | None = None
    collection: InCollection = None
    documents: Named = ()
    filters: Filters = Field(default_factory=dict)
    budget: Budget = Limits()
    kind: Kind = None
    context: Context = None
    min_confidence: LeastConfidence = 0.0
    strict: Strict = None


OPENAI = frozenset({"model", "messages", "stream", "stream_options"})


def question_of(body: ChatBody, question: str) -> QuestionBody:
    """Returns what `POST /questions` would be sent for a question of a chat."""
    own = body.model_dump(exclude=set(OPENAI))
    return QuestionBody(question=question, persona=persona_of(body.model), **own)


class Conversation(NamedTuple):
    """The last user message, and the exchanges before it, oldest first."""

    question: str
    history: tuple[tuple[str, str], ...]


def read_conversation(messages: Sequence[Message]) -> Conversation:
    """Returns the question and its history. It ignores system messages, which instruct a model.

    Raises BadRequestError if the last message is not a user's.
    """
    spoken = [
        message
        for message in messages
        if message.role in {"user", "assistant"} and message.text.strip()
    ]
    if not spoken or spoken[-1].role != "user":
        raise BadRequestError(
            "the last message is not a user's", action="End `messages` with the question."
        )
    exchanges = [
        (before.text[:MAX_QUESTION], reply.text[:MAX_QUESTION])
        for before, reply in pairwise(spoken)
        if (before.role, reply.role) == ("user", "assistant")
    ]
    return Conversation(spoken[-1].text, tuple(exchanges))


def persona_of(model: str) -> str:
    """Returns a model's persona. Raises BadRequestError naming the known models."""
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

    `page` is the address that shows the answer.
    """
    own = asked_in(answer.plan.question) if answer.plan else "en"
    by_number = {citation.n: citation for citation in answer.citations}
    said = say_refusal(answer.answer, is_check_failed=is_check_failed(answer))
    body = say_sentences(said, answer.sentences if answer.outcome else (), answer.citations, own)
    text = "\n\n".join(filter(None, (say_outcome(answer.outcome, own), body)))
    annotations: list[dict[str, object]] = [
        annotation(by_number[int(mark[1])], page, mark.start(), mark.end())
        for mark in re.finditer(r"\[(\d+)\]", text)
        if int(mark[1]) in by_number
    ]
    doubtful = doubtful_citations(answer.sentences, answer.outcome)
    sources = [
        footnote(citation, place(citation), QUOTE, own, is_doubtful=citation.n in doubtful)
        for citation in answer.citations
    ]
    parts = [text, "\n".join(sources), say_fates(answer.sentences, own)]
    return Written("\n\n".join(filter(None, parts)), annotations)


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
        "url": citation.url,
        "fetched": citation.fetched,
        "quote": citation.quote,
        "read": citation.read,
        "doubts": [doubt.model_dump() for doubt in citation.doubts],
        "verified": citation.verified,
    }
    return {"type": "url_citation", "url_citation": link, "citation": more}


def place(citation: Citation) -> str:
    pages = ", ".join(map(str, citation.labels or citation.pages))
    return f"{citation.document}, page {pages}" if pages else citation.document


def usage_of(answer: Answer) -> dict[str, int]:
    """Returns what the question took, as tokens of a prompt: steps count both kinds together."""
    tokens = answer.usage.tokens
    return {"prompt_tokens": tokens, "completion_tokens": 0, "total_tokens": tokens}


def last_chunks(
    head: Mapping[str, object], left: Written, usage: Mapping[str, int] | None = None
) -> Iterator[str]:
    """Yields what is left of a message, a line at a time. The last one has the annotations.

    With `usage`, one with that and without choices follows, as `include_usage` asks for.
    """
    for line in left.text.splitlines(keepends=True):
        yield chunk(head, {"content": line})
    yield chunk(head, {"annotations": left.annotations}, "stop")
    if usage is not None:
        yield sent_event({**head, "object": CHUNK, "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


def chunk(
    head: Mapping[str, object], delta: Mapping[str, object], finish: str | None = None
) -> str:
    """Returns a part of a message as a server-sent event."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return sent_event({**head, "object": CHUNK, "choices": [choice]})


def sent_event(body: Mapping[str, object]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
