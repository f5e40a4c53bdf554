"""footnote in OpenAI's form of chat, so that other chats can be its face."""

import json
import time
import uuid
from contextlib import ExitStack
from typing import NamedTuple

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.caller import caller
from footnote.api.chat import (
    MODELS,
    ChatBody,
    Conversation,
    chunks,
    persona_of,
    read_conversation,
    write,
)
from footnote.api.described import answers_of_chat
from footnote.api.replies import ModelList
from footnote.api.reply import OF_ALL, reply
from footnote.api.request import event, may_wait
from footnote.ask.planning.answer_options import make_wishes
from footnote.errors import UnavailableError
from footnote.model import QuestionRecord, digest
from footnote.service import Service
from footnote.wiring.logs import log_question

router = APIGatewayRouter()


class Claim(NamedTuple):
    """A conversation that is worked on: its name, who claimed it, what it says."""

    name: str
    holder: str
    meant: str


@router.get("/v1/models", responses=answers_of_chat(ModelList), summary="Lists footnote's names")
def models() -> Response[str]:
    caller()
    told = {"object": "model", "created": 0, "owned_by": "footnote"}
    listed = [{"id": name, **told} for name in MODELS]
    return reply(200, {"object": "list", "data": listed})


@router.post(
    "/v1/chat/completions",
    responses=answers_of_chat(dict, is_streamed=True),
    summary="Answers the last message of a conversation, in OpenAI's form",
)
def complete(body: ChatBody) -> Response[str]:
    me = caller()
    record = wait_for(me, body)
    if record.answer is None:
        told = record.error
        raise UnavailableError(
            told.message if told else "the question ended without an answer",
            code=told.code if told else "",
            action=told.action if told else "",
        )
    written = write(record.answer, f"{base()}#/questions/{record.question_id}")
    head: dict[str, object] = {
        "id": f"chatcmpl-{record.question_id}",
        "created": int(time.time()),
        "model": body.model,
    }
    if body.stream:
        # API Gateway gives a reply in one piece: the events come together, in their order
        headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
        return Response(200, "text/event-stream", "".join(chunks(head, written)), headers)
    message = {
        "role": "assistant",
        "content": written.text,
        "refusal": None,
        "annotations": written.annotations,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    found = {"question": record.question_id, "found": record.answer.found}
    return reply(200, {**head, "object": "chat.completion", "choices": [choice], "footnote": found})


def wait_for(me: Service, body: ChatBody) -> QuestionRecord:
    """Asks, and waits for the end. Raises UnavailableError where it does not come in time.

    A client of this form sends the same again then. It finds the question that is at work, and
    nothing is asked or paid twice.
    """
    persona = persona_of(body.model)
    asked = read_conversation(body.messages)
    if not me.longest_wait:
        raise UnavailableError(
            "requests may not wait for answers here, and this form of chat must",
            code="no_waiting",
            action="An operator sets WaitSeconds to 20 and deploys again; or use POST /questions.",
        )
    meant = digest(json.dumps([persona, *asked]))
    name = me.name_of_request("chat", meant)
    holder = uuid.uuid4().hex
    if kept := me.repeats.claim(name, holder, meant):
        if not kept.status:  # asked a moment ago
            raise still_running()
        record, holder = me.questions.get(kept.body), kept.holder
    else:
        record = begin(me, Claim(name, holder, meant), persona, asked)
    waiting = may_wait(me.longest_wait)
    while record.status == "RUNNING" and waiting.pause():
        record = me.questions.get(record.question_id)
    if record.status == "RUNNING":
        raise still_running()
    me.repeats.release(name, holder)  # nobody's who has begun the same anew since
    return record


def begin(me: Service, claim: Claim, persona: str, asked: Conversation) -> QuestionRecord:
    """Asks the question, and notes its id for whoever sends the same conversation meanwhile."""
    with ExitStack() as undo:  # whatever is raised
        undo.callback(me.repeats.release, claim.name, claim.holder)
        wishes = make_wishes(persona, None, None)
        record = me.questions.ask(asked.question, wishes=wishes, told=asked.history)
        undo.pop_all()
    log_question(record.question_id)
    me.repeats.keep(*claim, 202, record.question_id)
    return record


def still_running() -> UnavailableError:
    return UnavailableError(
        "the answer is still worked on",
        code="still_running",
        action="Send the same conversation again: it goes on from there.",
    )


def base() -> str:
    """Returns the address of our page, with a slash at its end; "" where it is not told."""
    context = event().request_context
    domain, path = context.get("domainName"), str(context.get("path") or "")
    return f"https://{domain}{path.removesuffix('v1/chat/completions')}" if domain else ""
