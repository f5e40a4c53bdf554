"""The routes of the REST API. Requests are checked here; `service.py` does the work."""

import json
import math
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import unquote

from aws_lambda_powertools import Logger
from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import Field, ValidationError

from footnote.api.views import (
    event_view,
    hit_view,
    question_view,
    record_view,
    session_view,
    turn_view,
)
from footnote.api.waiting import Waiting
from footnote.ask.wishes import make_wishes
from footnote.errors import (
    BadRequestError,
    FootnoteError,
    ForbiddenError,
    NotFoundError,
)
from footnote.model import Caps, SearchQuery, Status, Strategy, Value
from footnote.service import Service
from footnote.wiring.bootstrap import services

logger = Logger(service="footnote")
app = APIGatewayRestResolver()

MAX_REPLY = 3_000_000  # bytes; as text in a function's reply, of 6 MB at most, they may double
MAX_WAIT = 20.0  # seconds, the most that a deployment may allow; API Gateway gives up after 29
MAX_NAMED = 100  # documents that a search or question may name; each is looked up


class AddBody(Value):
    document: str
    collection: str = "default"
    metadata: Mapping[str, object] = Field(default_factory=dict)


class StatusBody(Value):
    ids: tuple[str, ...]


class Followee(Value):
    """A document, by path or id, or one page of it."""

    document: str
    page: int | None = Field(default=None, ge=1)


class SearchBody(Value):
    query: str
    strategy: Strategy = "auto"
    k: int = 10
    minimum_results: int = 0
    collection: str | None = None
    documents: tuple[str, ...] = Field(default=(), max_length=MAX_NAMED)
    filters: Mapping[str, object] = Field(default_factory=dict)
    explain: bool = False
    why: Followee | None = None


class Limits(Caps):
    """The caps of a question, which a request may lower. `seconds` shortens its deadline."""

    seconds: float | None = Field(default=None, ge=1)

    @property
    def caps(self) -> Caps:
        return Caps.model_validate(self.model_dump(exclude={"seconds"}))


class QuestionBody(Value):
    question: str
    session: str = Field(default="", max_length=200)
    after: str = Field(default="", max_length=200)
    collection: str | None = None
    documents: tuple[str, ...] = Field(default=(), max_length=MAX_NAMED)
    filters: Mapping[str, object] = Field(default_factory=dict)
    budget: Limits = Limits()
    persona: str = ""
    data_schema: Mapping[str, object] | None = Field(default=None, alias="schema")
    context: Mapping[str, object] | None = None


class ReindexBody(Value):
    reason: Literal["api", "cli"] = "api"
    force: bool = False


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one API Gateway event."""
    logger.append_keys(step="api", request_id=context.aws_request_id)
    return app.resolve(event, context)


@app.post("/documents")
def add() -> Response[str]:
    body = parse_body(AddBody)
    return reply(200, caller().add(body.document, body.collection, body.metadata))


@app.get("/documents")
def documents() -> Response[str]:
    status = parse_status(Status, query("status", ""))
    limit = query_number("limit", 100, 1, 500)
    records, after = caller().documents(status, query("after", ""), int(limit))
    return reply(200, {"documents": [record_view(r) for r in records], "after": after})


@app.get("/documents/<document>")
def document(document: str) -> Response[str]:
    found = caller().document(unquote(document), query("collection", "default"))
    return reply(200, record_view(found))


@app.delete("/documents/<document>")
def remove(document: str) -> Response[str]:
    removed = caller().remove(unquote(document), query("collection", "default"))
    return reply(202, record_view(removed))


@app.post("/documents/<document>/retry")
def retry(document: str) -> Response[str]:
    again = caller().retry(unquote(document), query("collection", "default"))
    return reply(202, record_view(again))


@app.post("/documents/retry")
def retry_all() -> Response[str]:
    again, after = caller().retry_all(query("code", ""), query("after", ""))
    shown = [record_view(record) for record in again]
    return reply(202, {"documents": shown, "more": bool(after), "after": after})


@app.post("/documents/status")
def statuses() -> Response[str]:
    found = caller().statuses(parse_body(StatusBody).ids)
    return reply(200, {"documents": [record_view(record) for record in found]})


@app.post("/search")
def search() -> Response[str]:
    body = parse_body(SearchBody)
    me = caller()
    scope = me.scope(body.collection, body.documents, body.filters)
    found, took = me.search_down(body.query, body.strategy, body.k, scope, body.minimum_results)
    view: dict[str, object] = {
        "query": body.query,
        "strategy": body.strategy,
        "chosen": found.chosen.model_dump() if found.chosen else None,
        "took_ms": took,
        "hits": [hit_view(hit, explain=body.explain) for hit in found.hits],
        "degraded": list(found.degraded),
    }
    if body.why:
        asked = SearchQuery(text=body.query, scope=scope, strategy=found.strategy, k=body.k)
        followed = me.follow(asked, body.why.document, body.why.page)
        view["why"] = followed.model_dump(mode="json")
    return reply(200, view)


@app.post("/questions")
def ask() -> Response[str]:
    body = parse_body(QuestionBody)
    me = caller()
    scope = me.scope(body.collection, body.documents, body.filters)
    wishes = make_wishes(body.persona, body.data_schema, body.context)
    budget = body.budget
    record = me.ask(
        body.question,
        scope,
        body.session,
        budget.seconds,
        budget.caps,
        after=body.after,
        wishes=wishes,
    )
    waiting = may_wait(preferred_wait())
    while record.status == "RUNNING" and waiting.pause():
        record = me.question(record.question_id)
    return reply(202 if record.status == "RUNNING" else 200, question_view(record))


@app.post("/questions/estimate")
def estimate() -> Response[str]:
    body = parse_body(QuestionBody)
    wishes = make_wishes(body.persona, body.data_schema, body.context)
    expected = caller().estimate(body.question, body.session, after=body.after, wishes=wishes)
    return reply(200, expected.model_dump(mode="json"))


@app.get("/questions/<question>")
def question(question: str) -> Response[str]:
    me = caller()
    view = question_view(me.question(question))
    if query("trace", "") == "true":
        view["trace"] = [event_view(event) for event in me.events(question)]
    return reply(200, view)


@app.get("/questions/<question>/events")
def events(question: str) -> Response[str]:
    me = caller()
    after = query("after", "")
    waiting = may_wait(query_number("wait", 0, 0, longest_wait()))
    while True:
        # the record comes first: all events that precede its end are in the trace by then
        record = me.question(question)
        found = me.events(question, after)
        if found or record.status != "RUNNING" or not waiting.pause():
            break
    return reply(200, {"status": record.status, "events": [event_view(e) for e in found]})


@app.get("/sessions")
def sessions() -> Response[str]:
    turns, after = caller().sessions(query("after", ""))
    return reply(200, {"sessions": [session_view(turn) for turn in turns], "after": after})


@app.get("/sessions/<session>")
def session(session: str) -> Response[str]:
    name = unquote(session)
    turns, after = caller().session(name, query("after", ""))
    shown = [turn_view(turn) for turn in turns]
    return reply(200, {"session": name, "turns": shown, "after": after})


@app.delete("/sessions/<session>")
def delete_session(session: str) -> Response[str]:
    name = unquote(session)
    deleted, more = caller().delete_session(name)
    return reply(200, {"session": name, "deleted": deleted, "more": more})


@app.post("/reindex")
def reindex() -> Response[str]:
    body = parse_body(ReindexBody) if app.current_event.body else ReindexBody()
    started = caller().reindex(body.reason, force=body.force)
    return reply(202, {"id": started, "status": "RUNNING"})


@app.get("/reindex/<run>")
def reindex_status(run: str) -> Response[str]:
    return reply(200, {"id": run, **caller().reindex_status(run).model_dump()})


@app.get("/health")
def health() -> Response[str]:
    return reply(200, caller().health())


@app.not_found
def unknown_route(_: Exception) -> Response[str]:
    known = "POST|GET /documents, POST /search, POST /questions, GET /health, …"
    error = NotFoundError(
        f"no route {app.current_event.http_method} {app.current_event.path}",
        code="unknown_route",
        action=f"Known routes: {known} docs/reference.md lists them all.",
    )
    return error_reply(error)


def error_reply(error: FootnoteError) -> Response[str]:
    if error.http_status >= 500:
        logger.error("request failed", code=error.code)
    return reply(error.http_status, {"error": error.problem.model_dump()})


app.exception_handler(FootnoteError)(error_reply)


# -- the request -----------------------------------------------------------------------------------


def caller() -> Service:
    """Returns the service for the owner of the API key, which API Gateway has checked."""
    found = services()
    key_id = app.current_event.request_context.identity.api_key_id
    if not key_id:
        raise ForbiddenError("the request carries no API key")
    who = found.tenants.of(key_id)
    return Service(found, who.tenant, who.groups)


def parse_body[Body: Value](kind: type[Body]) -> Body:
    """Parses the body as `kind`. Raises BadRequestError naming the field that is wrong."""
    text = app.current_event.decoded_body or ""
    if not text.strip():
        raise BadRequestError(
            "the request has no body",
            code="invalid_json",
            action="Send JSON, with the header `content-type: application/json`.",
        )
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:  # nested so deep that it cannot be read
        raise BadRequestError(f"the body is not JSON: {error}", code="invalid_json") from None
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        known = ", ".join(field.alias or name for name, field in kind.model_fields.items())
        raise BadRequestError(
            f"{where}: {first['msg']}", code="invalid_body", action=f"Known fields: {known}."
        ) from None


def query(name: str, default: str) -> str:
    return app.current_event.get_query_string_value(name, default) or default


def query_number(name: str, default: float, low: float, high: float) -> float:
    try:
        value = float(query(name, str(default)))
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise BadRequestError(f"{name} is not a number", code="bad_number")
    return min(max(value, low), high)


def parse_status(kind: Any, text: str) -> Status | None:
    """Parses a status of the query string. Raises BadRequestError naming the known ones."""
    if not text:
        return None
    known: dict[str, Status] = {name: name for name in kind.__args__}
    if text.upper() not in known:
        raise BadRequestError(
            f"{text[:50]!r} is not a status", action=f"Known: {', '.join(known)}."
        )
    return known[text.upper()]


def preferred_wait() -> float:
    """Returns the seconds of the header `Prefer: wait=20`, or 0 without it."""
    header = app.current_event.headers.get("prefer", "")
    name, _, value = header.strip().partition("=")
    if name.strip().lower() != "wait" or not value.strip().isdecimal():
        return 0.0
    return min(float(value), longest_wait())


def may_wait(seconds: float) -> Waiting:
    return Waiting(seconds, app.current_event.request_context.get("requestTimeEpoch"))


def longest_wait() -> float:
    """Returns the seconds that this deployment lets a request wait."""
    return min(float(services().settings.wait_seconds), MAX_WAIT)


def reply(status: int, body: Mapping[str, object]) -> Response[str]:
    """Returns the response. Raises BadRequestError for more than a function may reply with."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    if (size := len(text.encode("utf-8", "replace"))) > MAX_REPLY:
        raise BadRequestError(
            f"the reply has {size:,} bytes; the limit is {MAX_REPLY:,}",
            code="reply_too_large",
            action="Ask for less: a smaller `k` or `limit`.",
        )
    return Response(
        status_code=status,
        content_type="application/json",
        body=text,
        headers={"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"},
    )
