"""footnote in OpenAI's form of chat, so that other chats can show it."""

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.asking import begin_in_chat
from footnote.api.bodies import QuestionBody
from footnote.api.caller import caller
from footnote.api.chat import (
    MODELS,
    ChatBody,
    chunk,
    last_chunks,
    question_of,
    read_conversation,
    sent_event,
    usage_of,
    write,
)
from footnote.api.chat_stream import Telling
from footnote.api.described import EVENTS, answers_of_chat
from footnote.api.lasting import Lasting, follow, must_last
from footnote.api.replies import ModelList
from footnote.api.reply import InPieces, reply
from footnote.api.request import event
from footnote.api.resolver import in_openai_form
from footnote.errors import FootnoteError, UnavailableError
from footnote.model import Answer, QuestionRecord, digest
from footnote.service import Service
from footnote.service.question_service import Pairs
from footnote.wiring.logs import logger

router = APIGatewayRouter()


class Claim(NamedTuple):
    """A conversation that a request works on: its name, who holds the claim, its text's digest."""

    name: str
    holder: str
    content: str


class Chat(NamedTuple):
    """A request that waits for the answer of a conversation's question."""

    question: str
    claim: Claim
    lasting: Lasting
    head: dict[str, object]  # what each chunk of the reply begins with
    page: str  # the address that shows the answer
    is_by_model: bool
    wants_usage: bool


@router.get("/v1/models", responses=answers_of_chat(ModelList), summary="Lists footnote's names")
def models() -> Response[str]:
    caller()
    fields = {"object": "model", "created": 0, "owned_by": "footnote"}
    listed = [{"id": name, **fields} for name in MODELS]
    return reply(200, {"object": "list", "data": listed})


@router.post(
    "/v1/chat/completions",
    responses=answers_of_chat(dict, is_streamed=True),
    summary="Answers the last message of a conversation, in OpenAI's form",
)
def complete(body: ChatBody) -> Response[str]:
    me = caller()
    chat = join(me, body)
    if body.stream and me.longest_reply:
        return InPieces(EVENTS, tell(me, chat))
    with chat.lasting:
        *_, last = follow(me, chat.question, chat.lasting)
    answer = end(me, chat, last.record)
    if body.stream:
        return InPieces(EVENTS, tell_whole(chat, answer))
    written = write(answer, chat.page)
    message = {
        "role": "assistant",
        "content": written.text,
        "refusal": None,
        "annotations": written.annotations,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    told = {"question": chat.question, "found": answer.found, "outcome": answer.outcome}
    usage = usage_of(answer)
    body_of = {"object": "chat.completion", "choices": [choice], "usage": usage, "footnote": told}
    return reply(200, {**chat.head, **body_of})


def join(me: Service, body: ChatBody) -> Chat:
    """Asks, or joins the same conversation's question that is worked on.

    A client of this form that is told that an answer takes longer sends the same again. It finds
    the running question, and nothing is asked or paid twice.
    """
    conversation = read_conversation(body.messages)
    asked = question_of(body, conversation.question)
    with ExitStack() as undo:  # whatever is raised
        lasting = must_last(me)
        undo.push(lasting)
        content = digest(asked.model_dump_json(), json.dumps(conversation.history))
        name = me.name_of_request("chat", content)
        holder = uuid.uuid4().hex
        if earlier := me.repeats.claim(name, holder, content):
            if not earlier.status:  # asked a moment ago
                raise still_running()
            record, holder = me.questions.get(earlier.body), earlier.holder
        else:
            record = begin(me, Claim(name, holder, content), asked, conversation.history)
        undo.pop_all()
    head = {
        "id": f"chatcmpl-{record.question_id}",
        "created": int(time.time()),
        "model": body.model,
    }
    wants_usage = (body.stream_options or {}).get("include_usage", False)
    estimate = record.estimate
    return Chat(
        question=record.question_id,
        claim=Claim(name, holder, content),
        lasting=lasting,
        head=head,
        page=f"{base()}#/questions/{record.question_id}",
        is_by_model=bool(estimate and estimate.mode != "extractive"),
        wants_usage=wants_usage,
    )


def end(me: Service, chat: Chat, record: QuestionRecord) -> Answer:
    """Returns the answer of a question that has ended, which the next same conversation asks anew.

    Raises UnavailableError where it has not ended yet, or ended without an answer.
    """
    if record.status == "RUNNING":
        raise still_running()
    # does nothing if another request has claimed it since
    me.repeats.release(chat.claim.name, chat.claim.holder)
    if record.answer is None:
        problem = record.error
        raise UnavailableError(
            problem.message if problem else "the question ended without an answer",
            code=problem.code if problem else "",
            action=problem.action if problem else "",
        )
    return record.answer


def tell(me: Service, chat: Chat) -> Iterator[str]:
    """Yields a message as it is written. An error ends it, as the status is sent already."""
    with chat.lasting:
        yield begin_message(chat)
        telling = Telling(at_once=chat.is_by_model)
        try:
            for look in follow(me, chat.question, chat.lasting):
                told = "".join(map(telling.hear, look.events))
                yield chat.lasting.or_beat(chunk(chat.head, {"content": told}) if told else "")
            yield from end_message(chat, telling, end(me, chat, look.record))
        except FootnoteError as error:
            logger.warning("chat broke off", code=error.code, reason=error.reason)
            yield sent_event({"error": in_openai_form(error)})


def tell_whole(chat: Chat, answer: Answer) -> Iterator[str]:
    """Yields a message that is there."""
    yield begin_message(chat)
    yield from end_message(chat, Telling(at_once=False), answer)


def begin_message(chat: Chat) -> str:
    return chunk(chat.head, {"role": "assistant", "content": ""})


def end_message(chat: Chat, telling: Telling, answer: Answer) -> Iterator[str]:
    usage = usage_of(answer) if chat.wants_usage else None
    yield from last_chunks(chat.head, telling.end(write(answer, chat.page)), usage)


def begin(me: Service, claim: Claim, asked: QuestionBody, history: Pairs) -> QuestionRecord:
    """Asks the question, and stores its id for a client that sends the same conversation again."""
    with ExitStack() as undo:  # whatever is raised
        undo.callback(me.repeats.release, claim.name, claim.holder)
        record = begin_in_chat(me, asked, history)
        undo.pop_all()
    me.repeats.keep(*claim, 202, record.question_id)
    return record


def still_running() -> UnavailableError:
    return UnavailableError(
        "the answer is still worked on",
        code="still_running",
        action="Send the same conversation again: it goes on from there.",
    )


def base() -> str:
    """Returns the address of our page, with a slash at its end; "" if the event has none."""
    context = event().request_context
    domain, path = context.get("domainName"), str(context.get("path") or "")
    return f"https://{domain}{path.removesuffix('v1/chat/completions')}" if domain else ""
