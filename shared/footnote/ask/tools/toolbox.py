"""The table TOOLS: what a model may do to find evidence. A new tool is a function and a row.

What a tool shows of documents goes between fences, as data. No call widens what the caller may
read: each tool looks inside the question's scope, at documents that the caller's groups may read.
Tools that look outside of the documents are in `ask/tools/errands.py`.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from pydantic import Field, ValidationError

from footnote.ask.catalogue.tally import stock_taker
from footnote.ask.evidence.passages import TOKEN_BUDGET
from footnote.ask.find.hits import find_hits
from footnote.ask.find.passages import find_passages
from footnote.ask.query.reading import QueryReading
from footnote.ask.tools.bench import Bench, CallOutcome, ToolRow, tool_row
from footnote.ask.tools.errands import OUTSIDE_TOOLS
from footnote.ask.tools.figures import CalculateCall, TableCall, calculate, query_table
from footnote.ask.tools.places import find_places, open_place, open_span, span_of
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.errors import BadRequestError, NotFoundError
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    Evidence,
    Ledger,
    PastSearch,
    Scope,
    SearchQuery,
    Strategy,
    SubQuestion,
    Tool,
    ToolCall,
    ToolResult,
)
from footnote.model.catalogue import CatalogueQuery
from footnote.prompts import fence_texts
from footnote.prompts.shapes import Shape

MAX_CALLS = 4  # of one turn: further ones add little, and each may be a search
MAX_SUMMARY = 500  # characters
MAX_ROWS = 40  # of a table that are shown at a time
MAX_LOOKS = 4  # places that one call opens; they share one search's token budget
OVERVIEW = 50  # hits that an overview is made of
_ROW = 400  # characters of a row that are shown


class SearchCall(Shape):
    """Finds passages. Ask in the documents' own words."""

    query: str = Field(min_length=1, max_length=1000)
    strategy: Strategy = "auto"
    documents: list[str] = Field(default_factory=list, max_length=20)
    filters: dict[str, object] = Field(default_factory=dict)
    collection: str = Field(default="", max_length=200)


class OverviewCall(Shape):
    """Shows in which places a query's words stand: files, sections, pages, beginnings, no texts."""

    query: str = Field(min_length=1, max_length=1000)
    documents: list[str] = Field(default_factory=list, max_length=20)
    collection: str = Field(default="", max_length=200)


class LookCall(Shape):
    """Looks inside places that overviews have shown, by their numbers: opens them as passages."""

    places: list[int] = Field(min_length=1, max_length=MAX_LOOKS)


class OpenCall(Shape):
    """Opens what a passage stands in: its page, its section, its table, or the text around it."""

    passage: int = Field(ge=1)
    what: Literal["page", "section", "table", "around"]


class RowsCall(Shape):
    """Lists the rows of the table that a passage stands in, those that contain a text."""

    passage: int = Field(ge=1)
    contains: str = Field(default="", max_length=200)


class ListCall(Shape):
    """Lists the documents that may be searched, those whose name or title contains a text."""

    contains: str = Field(default="", max_length=200)
    collection: str = Field(default="", max_length=200)


class FinishCall(Shape):
    """Ends the work: a plain summary of what was found, the numbers of the passages for it, and
    those of the results of `table` and `calculate` that the answer is to state.
    """

    summary: str = Field(default="", max_length=4000)
    passages: list[int] = Field(default_factory=list, max_length=100)
    results: list[int] = Field(default_factory=list, max_length=100)


def search(call: SearchCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    if scratchpad.was_searched(call.query, call.strategy):
        return scratchpad, MADE_ALREADY
    _must_have_searches(scratchpad, bench)
    sub = SubQuestion(
        id=scratchpad.sub_question,
        text=call.query,
        strategy=call.strategy,
        documents=tuple(call.documents),
        where=parse_filters(call.filters) if call.filters else None,
    )
    scope = _within(bench.scope, call.collection)
    evidence = find_passages(sub, QueryReading(sub.text), scope, (), bench.ports).evidence
    after, numbers = scratchpad.after_search(evidence).with_passages(evidence.passages)
    notes = [*evidence.degraded, *([] if numbers else ["Nothing was found."])]
    return after, "\n".join([*notes, after.show_passages(numbers)])


MADE_ALREADY = "This search was made already, and finds the same again."


def _within(scope: Scope, collection: str) -> Scope:
    """Returns the scope narrowed to a collection. Raises BadRequestError if that lies outside."""
    if collection and scope.collection not in {None, collection}:
        raise BadRequestError(
            f"the question is limited to the collection {scope.collection}",
            action="Leave `collection` out.",
        )
    return scope.model_copy(update={"collection": collection}) if collection else scope


def _must_have_searches(scratchpad: Scratchpad, bench: Bench) -> None:
    if scratchpad.ledger.searches >= bench.searches:
        raise BadRequestError("the question's budget has no search left", action="Call finish.")


def show_overview(call: OverviewCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    if scratchpad.places and scratchpad.was_searched(call.query, "navigate"):
        return scratchpad, MADE_ALREADY
    _must_have_searches(scratchpad, bench)
    scope = _within(bench.scope, call.collection)
    if call.documents and not scope.names:
        scope = scope.model_copy(update={"documents": tuple(call.documents)})
    query = SearchQuery(text=call.query, scope=scope, strategy="navigate", k=OVERVIEW)
    places = find_places(find_hits(query, bench.ports).hits)
    evidence = Evidence(
        sub_question=scratchpad.sub_question,
        question=call.query,
        strategy="navigate",
        passages=(),
        searched=(PastSearch(strategy="navigate", text=call.query),),
    )
    after, numbers = scratchpad.after_search(evidence).with_places(places)
    return after, after.show_places(numbers) if numbers else "Nothing was found."


def look_inside(call: LookCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    chosen = [scratchpad.place(number) for number in dict.fromkeys(call.places)]
    opened = []
    for place in chosen:
        document = bench.document(place.document_id, place.version)
        opened.append(open_place(place, document, TOKEN_BUDGET // len(chosen)))
    after, numbers = scratchpad.with_passages(opened)
    return after, after.show_passages(numbers)


def open_around(call: OpenCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    passage = scratchpad.passage(call.passage)
    document = bench.document(passage.document_id, passage.version)
    span = span_of(call.what, passage, document)
    after, numbers = scratchpad.with_passages([open_span(passage, document, span, TOKEN_BUDGET)])
    return after, after.show_passages(numbers)


def list_rows(call: RowsCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    passage = scratchpad.passage(call.passage)
    document = bench.document(passage.document_id, passage.version)
    tables = [
        table
        for table in document.tables
        if table.start < passage.end and table.end > passage.start
    ]
    if not tables:
        raise NotFoundError(f"passage {call.passage} stands in no table", action="Open its page.")
    text = call.contains.casefold()
    header, body = tables[0].rows[: tables[0].header_rows], tables[0].rows[tables[0].header_rows :]
    rows = [row for row in body if text in " ".join(row).casefold()]
    lines = [" | ".join(row)[:_ROW] for row in (*header, *rows[:MAX_ROWS])]
    counted = f"{len(rows)} of {len(body)} rows; open the table to cite one"
    return scratchpad, f"{counted}\n{fence_texts({'rows': '\n'.join(lines)})}"


def list_documents(call: ListCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    names = (call.contains,) if call.contains else ()
    query = CatalogueQuery(shows="list", statuses=("READY",), names=names)
    stock = stock_taker(_within(bench.scope, call.collection), bench.ports.catalog)(query, "en")
    lines = [
        f"{entry.document}: {entry.title} (collection {entry.collection})"
        for entry in stock.documents
    ]
    noun = "document" if stock.count == 1 else "documents"
    counted = f"{'' if stock.complete else 'at least '}{stock.count} {noun}"
    shown = f", the first {len(lines)} by name" if stock.count > len(lines) else ""
    return scratchpad, f"{counted}{shown}\n{fence_texts({'documents': '\n'.join(lines)})}"


def finish(call: FinishCall, scratchpad: Scratchpad, _bench: Bench) -> CallOutcome:
    for number in call.passages:
        scratchpad.passage(number)
    results = [scratchpad.result(number) for number in dict.fromkeys(call.results)]
    of_results = [number for result in results for number in result.passages]
    update = {
        "ended": True,
        "finished": True,
        "cited": tuple(dict.fromkeys((*of_results, *call.passages))),
        "stated": tuple(dict.fromkeys(call.results)),
        "summary": " ".join(call.summary.split())[:MAX_SUMMARY],
    }
    return scratchpad.model_copy(update=update), "Done."


TOOLS: Mapping[str, ToolRow] = {
    "search": tool_row(SearchCall, search),
    "overview": tool_row(OverviewCall, show_overview),
    "look": tool_row(LookCall, look_inside),
    "open": tool_row(OpenCall, open_around),
    "rows": tool_row(RowsCall, list_rows),
    "table": tool_row(TableCall, query_table),
    "calculate": tool_row(CalculateCall, calculate),
    "documents": tool_row(ListCall, list_documents),
    "finish": tool_row(FinishCall, finish),
}


ALL_TOOLS: Mapping[str, ToolRow] = {**TOOLS, **OUTSIDE_TOOLS}


def describe_tools(outside: Collection[str] = ()) -> tuple[Tool, ...]:
    """Returns the tools as a model is given them, with those `outside` that it is offered."""
    return tuple(
        Tool(
            name=name,
            description=" ".join((row.shape.__doc__ or "").split()),
            arguments=row.shape.model_json_schema(),
        )
        for name, row in _offered(outside).items()
    )


def _offered(outside: Collection[str]) -> Mapping[str, ToolRow]:
    return {name: row for name, row in ALL_TOOLS.items() if name in TOOLS or name in outside}


def run_calls(scratchpad: Scratchpad, bench: Bench, ledger: Ledger) -> Scratchpad:
    """Runs the calls of the last turn. The model is told of a wrong call as the call's result.

    `ledger` is what the question had spent before this wave. An error of a store or of the index is
    raised. Then the step runs again, which is safe: the same look outside is claimed once, and no
    other call changes anything outside the result.
    """
    bench = replace(bench, searches=bench.searches - ledger.searches)
    tools = _offered(bench.outside.offered if bench.outside else ())
    results: list[ToolResult] = []
    looks = [n for n, call in enumerate(scratchpad.calls) if call.name in OUTSIDE_TOOLS]
    for number, call in enumerate(scratchpad.calls):
        if number >= MAX_CALLS:
            text, failed = f"At most {MAX_CALLS} calls of a turn are run.", True
        elif number in looks[1:]:
            text, failed = "One look outside a turn: call it again in the next one.", True
        else:
            scratchpad, text, failed = _run_call(call, scratchpad, bench, tools)
        results.append(ToolResult(id=call.id, text=text, failed=failed))
    return scratchpad.with_results(results)


def _run_call(
    call: ToolCall, scratchpad: Scratchpad, bench: Bench, tools: Mapping[str, ToolRow]
) -> tuple[Scratchpad, str, bool]:
    if (row := tools.get(call.name)) is None:
        return scratchpad, f"There is no such tool. There are: {', '.join(tools)}.", True
    try:
        after, text = row.run(call.arguments, scratchpad, bench)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        details = (f"{'.'.join(map(str, p['loc'])) or 'call'}: {p['msg']}" for p in problems[:5])
        return scratchpad, f"The arguments are wrong: {'; '.join(details)}", True
    except (BadRequestError, NotFoundError) as error:
        return scratchpad, f"{error.message}. {error.action}", True
    return after, text, False
