"""footnote in OpenAI's form of chat, so that other chats can show it."""

import json
import time
import uuid
from contextlib import ExitStack
from typing import NamedTuple

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.asking import begin_question
from footnote.api.bodies import QuestionBody
from footnote.api.caller import caller
from footnote.api.chat import (
    MODELS,
    ChatBody,
    chunks,
    question_of,
    read_conversation,
    usage_of,
    write,
)
from footnote.api.described import answers_of_chat
from footnote.api.replies import ModelList
from footnote.api.reply import OF_ALL, reply
from footnote.api.request import event, may_wait
from footnote.errors import UnavailableError
from footnote.model import QuestionRecord, digest
from footnote.service import Service
from footnote.service.question_service import Pairs

router = APIGatewayRouter()


class Claim(NamedTuple):
    """A conversation that a request works on: its name, the claim's
    holder, a digest of its text.
    """

    name: str
    holder: str
    content: str


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
    record = wait_for(me, body)
    if record.answer is None:
        problem = record.error
        raise UnavailableError(
            problem.message if problem else "the question ended without an answer",
            code=problem.code if problem else "",
            action=problem.action if problem else "",
        )
    written = write(record.answer, f"{base()}#/questions/{record.question_id}")
    head: dict[str, object] = {
        "id": f"chatcmpl-{record.question_id}",
        "created": int(time.time()),
        "model": body.model,
    }
    usage = usage_of(record.answer)
    if body.stream:
        wanted = usage if (body.stream_options or {}).get("include_usage") else None
        # API Gateway sends a reply in one piece: the events come together, in order
        headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
        return Response(200, "text/event-stream", "".join(chunks(head, written, wanted)), headers)
    message = {
        "role": "assistant",
        "content": written.text,
        "refusal": None,
        "annotations": written.annotations,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    told = {
        "question": record.question_id,
        "found": record.answer.found,
        "outcome": record.answer.outcome,
    }
    body_of = {"object": "chat.completion", "choices": [choice], "usage": usage, "footnote": told}
    return reply(200, {**head, **body_of})


def wait_for(me: Service, body: ChatBody) -> QuestionRecord:
    """Asks, and waits for the end. Raises UnavailableError if it does not come in time.

    A client of this form then sends the same again. It finds the running question, and
    nothing is asked or paid twice.
    """
    conversation = read_conversation(body.messages)
    asked = question_of(body, conversation.question)
    if not me.longest_wait:
        raise UnavailableError(
            "requests may not wait for answers here, and this form of chat must",
            code="no_waiting",
            action="An operator sets WaitSeconds to 20 and deploys again; or use POST /questions.",
        )
    content = digest(asked.model_dump_json(), json.dumps(conversation.history))
    name = me.name_of_request("chat", content)
    holder = uuid.uuid4().hex
    if earlier := me.repeats.claim(name, holder, content):
        if not earlier.status:  # asked a moment ago
            raise still_running()
        record, holder = me.questions.get(earlier.body), earlier.holder
    else:
        record = begin(me, Claim(name, holder, content), asked, conversation.history)
    waiting = may_wait(me.longest_wait)
    while record.status == "RUNNING" and waiting.pause():
        record = me.questions.get(record.question_id)
    if record.status == "RUNNING":
        raise still_running()
    me.repeats.release(name, holder)  # does nothing if another request has claimed it since
    return record


def begin(me: Service, claim: Claim, asked: QuestionBody, history: Pairs) -> QuestionRecord:
    """Asks the question, and stores its id for a client that sends the same conversation again."""
    with ExitStack() as undo:  # whatever is raised
        undo.callback(me.repeats.release, claim.name, claim.holder)
        record = begin_question(me, asked, history)
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
