"""Tools that look outside of the documents: each is off unless the deployment has switched it on.

What is fetched becomes a document of its own before anybody reads it. It is then cited like any.
"""

import json
from collections.abc import Mapping

from pydantic import Field

from footnote.ask.tools.bench import Bench, CallOutcome, ToolRow, tool_row
from footnote.ask.tools.scratchpad import Scratchpad, Visit
from footnote.ask.tools.visits import go, outside_of, say_why, show_visit
from footnote.errors import BadRequestError
from footnote.model import Errand, ErrandKind
from footnote.outside.hosts import host_of, may_fetch
from footnote.outside.tool_servers import must_be_allowed
from footnote.prompts import fence_texts
from footnote.prompts.shapes import Shape

FOUND = "Pages of the web; none of them was read. Fetch one to cite it."
MOST_ARGUMENTS, MOST_DESCRIBED = 4_000, 4_000  # characters


class FetchCall(Shape):
    """Fetches a page of the web and makes it a document. `url` must stand, as it is, in the
    question or in what you were shown. `looking_for` says what you want to find in it.
    """

    url: str = Field(min_length=1, max_length=1500)
    looking_for: str = Field(min_length=1, max_length=1000)


class WebSearchCall(Shape):
    """Searches the web: shows titles, addresses and beginnings of pages. They are no evidence; to
    cite a page, `fetch` it.
    """

    query: str = Field(min_length=1, max_length=200)


class DescribeCall(Shape):
    """Shows what a tool of a server does, and which arguments it takes. A wrong name is answered
    with all servers and tools that there are.
    """

    server: str = Field(max_length=100)
    tool: str = Field(max_length=100)


class RemoteCall(Shape):
    """Calls a tool of a server, and makes what it returns a document. `looking_for` says what you
    want to find in that. Describe the tool first.
    """

    server: str = Field(max_length=100)
    tool: str = Field(max_length=100)
    arguments: dict[str, object] = Field(default_factory=dict)
    looking_for: str = Field(min_length=1, max_length=1000)


def fetch_page(call: FetchCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    visit = scratchpad.visit_of("fetch", call.url) or _fetch(call, scratchpad, bench)
    return show_visit(visit, call.looking_for, scratchpad, bench)


def _fetch(call: FetchCall, scratchpad: Scratchpad, bench: Bench) -> Visit:
    """Has a page fetched and stored. Raises BadRequestError for an address that is not allowed."""
    outside = outside_of(bench)
    shown = [text for passage in scratchpad.passages for _, text in passage.parts()]
    shown += [text for found in scratchpad.web for text in (found.url, found.snippet)]
    if not may_fetch(call.url, outside.hosts, shown, outside.asked):
        raise BadRequestError(
            "only an address that stands, as it is, in the question or in what you were shown, on"
            " a host that is open to you, may be fetched",
            action="Search the documents instead.",
        )
    visit = Visit(tool="fetch", target=call.url, at=host_of(call.url))
    errand = _errand("page", bench).model_copy(update={"url": call.url})
    return go(visit, errand, scratchpad.sub_question, bench)[0]


def search_web(call: WebSearchCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    if scratchpad.visit_of("web_search", call.query):
        return scratchpad, "This search was made already, and finds the same again."
    visit = Visit(tool="web_search", target=call.query)
    errand = _errand("search", bench).model_copy(update={"query": call.query})
    visit, result = go(visit, errand, scratchpad.sub_question, bench)
    if result.error:
        return scratchpad.with_visit(visit), say_why(visit)
    visit = visit.model_copy(update={"outcome": f"{len(result.results)} results"})
    after = scratchpad.with_visit(visit).model_copy(
        update={"web": tuple(dict.fromkeys((*scratchpad.web, *result.results)))}
    )
    texts = {
        f"page {n}": f"{found.url}\n{found.title}\n{found.snippet}"
        for n, found in enumerate(result.results, start=1)
    }
    return after, f"{FOUND}\n{fence_texts(texts)}" if texts else "Nothing was found."


def describe_remote(call: DescribeCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    must_be_allowed(call.server, call.tool, outside_of(bench).servers)
    at = f"{call.server}/{call.tool}"
    named = {"server": call.server, "tool": call.tool}
    errand = _errand("describe", bench).model_copy(update=named)
    visit = Visit(tool="describe_tool", target=at, at=at)
    visit, result = go(visit, errand, scratchpad.sub_question, bench)
    if result.described is None:
        return scratchpad.with_visit(visit), say_why(visit)
    visit = visit.model_copy(update={"outcome": "described"})
    told = f"{result.described.description}\n{json.dumps(result.described.arguments)}"
    return scratchpad.with_visit(visit), fence_texts({"tool": told[:MOST_DESCRIBED]})


def call_remote(call: RemoteCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    must_be_allowed(call.server, call.tool, outside_of(bench).servers)
    arguments = json.dumps(call.arguments, sort_keys=True)
    if len(arguments) > MOST_ARGUMENTS:
        raise BadRequestError("the arguments are too long", action="Give less.")
    at = f"{call.server}/{call.tool}"
    visit = scratchpad.visit_of("call_tool", f"{at} {arguments}")
    if visit is None:
        named = {"server": call.server, "tool": call.tool, "arguments": arguments}
        errand = _errand("call", bench).model_copy(update=named)
        visit = Visit(tool="call_tool", target=f"{at} {arguments}", at=at)
        visit, _ = go(visit, errand, scratchpad.sub_question, bench)
    return show_visit(visit, call.looking_for, scratchpad, bench)


def _errand(kind: ErrandKind, bench: Bench) -> Errand:
    return Errand(kind=kind, tenant=bench.scope.tenant, readers=outside_of(bench).readers)


OUTSIDE_TOOLS: Mapping[str, ToolRow] = {
    "fetch": tool_row(FetchCall, fetch_page),
    "web_search": tool_row(WebSearchCall, search_web),
    "describe_tool": tool_row(DescribeCall, describe_remote),
    "call_tool": tool_row(RemoteCall, call_remote),
}
"""The tools that look outside. A model is given those that its question's `Outside` offers."""
