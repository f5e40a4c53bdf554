"""The table TOOLS: what a model may do to find evidence. A new tool is a function and a row.

Whatever a tool shows is data: it goes between fences. Nothing in a call widens what the caller may
read: every tool looks inside the question's scope, and at documents that the caller's groups read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from footnote.ask.evidence.passages import TOKEN_BUDGET
from footnote.ask.find.hits import find_hits
from footnote.ask.find.passages import find_passages
from footnote.ask.find.ports import Ports
from footnote.ask.tools.opening import open_place, open_span, span_of
from footnote.ask.tools.overview import find_places
from footnote.ask.tools.scratchpad import Desk
from footnote.errors import BadRequestError, NotFoundError
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    Document,
    Evidence,
    Ledger,
    PastSearch,
    Record,
    Scope,
    SearchQuery,
    Strategy,
    SubQuestion,
    Tool,
    ToolCall,
    ToolResult,
)
from footnote.prompts import fence_texts
from footnote.prompts.shapes import Shape

MAX_CALLS = 4  # of one turn; more of them say little that four do not, and each is a search
MAX_SUMMARY = 500  # characters
MAX_ROWS = 40  # of a table that are shown at a time
MAX_NAMES = 60  # documents that one list shows
MAX_LOOKS = 4  # places that one call looks inside; together they keep to a search's token budget
OVERVIEW = 50  # hits that an overview is made of
_ROW = 400  # characters of a row that are shown


@dataclass(frozen=True)
class Bench:
    """What the tools work with: the question's scope and the ports."""

    scope: Scope
    ports: Ports
    document: Callable[[str, str], Document]
    searches: int  # the question's cap
    turns: int  # the question's cap, of each sub-question


class SearchCall(Shape):
    """Finds passages. Ask in the documents' own words."""

    query: str = Field(min_length=1, max_length=1000)
    strategy: Strategy = "auto"
    documents: list[str] = Field(default_factory=list, max_length=20)
    filters: dict[str, object] = Field(default_factory=dict)


class OverviewCall(Shape):
    """Shows in which places a query's words stand: files, sections, pages, beginnings, no texts."""

    query: str = Field(min_length=1, max_length=1000)
    documents: list[str] = Field(default_factory=list, max_length=20)


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


class FinishCall(Shape):
    """Ends the work: a plain summary of what was found, and the numbers of the passages for it."""

    summary: str = Field(default="", max_length=4000)
    passages: list[int] = Field(default_factory=list, max_length=100)


type Said = tuple[Desk, str]


def search(call: SearchCall, desk: Desk, bench: Bench) -> Said:
    if desk.was_searched(call.query, call.strategy):
        return desk, MADE_ALREADY
    _must_have_searches(desk, bench)
    sub = SubQuestion(
        id=desk.sub_question,
        text=call.query,
        strategy=call.strategy,
        documents=tuple(call.documents),
        where=parse_filters(call.filters) if call.filters else None,
    )
    found = find_passages(sub, bench.scope, (), bench.ports).evidence
    after, numbers = desk.after_search(found).with_passages(found.passages)
    told = [*found.degraded, *([] if numbers else ["Nothing was found."])]
    return after, "\n".join([*told, after.shown(numbers)])


MADE_ALREADY = "This search was made already, and finds the same again."


def _must_have_searches(desk: Desk, bench: Bench) -> None:
    if desk.ledger.searches >= bench.searches:
        raise BadRequestError("the question's budget has no search left", action="Call finish.")


def show_overview(call: OverviewCall, desk: Desk, bench: Bench) -> Said:
    if desk.places and desk.was_searched(call.query, "navigate"):
        return desk, MADE_ALREADY
    _must_have_searches(desk, bench)
    scope = bench.scope
    if call.documents and not scope.names:
        scope = scope.model_copy(update={"documents": tuple(call.documents)})
    query = SearchQuery(text=call.query, scope=scope, strategy="navigate", k=OVERVIEW)
    places = find_places(find_hits(query, bench.ports).hits)
    made = Evidence(
        sub_question=desk.sub_question,
        question=call.query,
        strategy="navigate",
        passages=(),
        searched=(PastSearch(strategy="navigate", text=call.query),),
    )
    after, numbers = desk.after_search(made).with_places(places)
    return after, after.overview(numbers) if numbers else "Nothing was found."


def look_inside(call: LookCall, desk: Desk, bench: Bench) -> Said:
    chosen = [desk.place(number) for number in dict.fromkeys(call.places)]
    opened = []
    for place in chosen:
        document = bench.document(place.document_id, place.version)
        opened.append(open_place(place, document, TOKEN_BUDGET // len(chosen)))
    after, numbers = desk.with_passages(opened)
    return after, after.shown(numbers)


def open_around(call: OpenCall, desk: Desk, bench: Bench) -> Said:
    passage = desk.passage(call.passage)
    document = bench.document(passage.document_id, passage.version)
    span = span_of(call.what, passage, document)
    after, numbers = desk.with_passages([open_span(passage, document, span, TOKEN_BUDGET)])
    return after, after.shown(numbers)


def list_rows(call: RowsCall, desk: Desk, bench: Bench) -> Said:
    passage = desk.passage(call.passage)
    document = bench.document(passage.document_id, passage.version)
    tables = [one for one in document.tables if one.start < passage.end and one.end > passage.start]
    if not tables:
        raise NotFoundError(f"passage {call.passage} stands in no table", action="Open its page.")
    wanted = call.contains.casefold()
    header, body = tables[0].rows[: tables[0].header_rows], tables[0].rows[tables[0].header_rows :]
    rows = [row for row in body if wanted in " ".join(row).casefold()]
    shown = [" | ".join(row)[:_ROW] for row in (*header, *rows[:MAX_ROWS])]
    told = f"{len(rows)} of {len(body)} rows; open the table to cite one"
    return desk, f"{told}\n{fence_texts({'rows': '\n'.join(shown)})}"


def list_documents(call: ListCall, desk: Desk, bench: Bench) -> Said:
    scope, wanted = bench.scope, call.contains.casefold()
    if scope.filters or scope.all_of or scope.any_of or scope.none_of:
        raise BadRequestError("the question is limited by filters", action="Search instead.")
    records, after = bench.ports.catalog.documents(scope.tenant, "READY", "", 500, scope.groups)
    lines = [
        f"{record.revision.path}: {record.title}"
        for record in records
        if _is_inside(record, scope)
        and wanted in f"{record.revision.path} {record.title}".casefold()
    ]
    more = len(lines) > MAX_NAMES or after
    told = f"{min(len(lines), MAX_NAMES)} documents{', and there are more' if more else ''}"
    return desk, f"{told}\n{fence_texts({'documents': '\n'.join(lines[:MAX_NAMES])})}"


def finish(call: FinishCall, desk: Desk, _bench: Bench) -> Said:
    for number in call.passages:
        desk.passage(number)
    update = {
        "ended": True,
        "finished": True,
        "cited": tuple(dict.fromkeys(call.passages)),
        "summary": " ".join(call.summary.split())[:MAX_SUMMARY],
    }
    return desk.model_copy(update=update), "Done."


class ToolRow(NamedTuple):
    """The shape of a tool's arguments, and what runs a call that has it."""

    shape: type[Shape]
    run: Callable[[Mapping[str, object], Desk, Bench], Said]


def _row[Call: Shape](shape: type[Call], run: Callable[[Call, Desk, Bench], Said]) -> ToolRow:
    return ToolRow(shape, lambda given, desk, bench: run(shape.model_validate(given), desk, bench))


TOOLS: Mapping[str, ToolRow] = {
    "search": _row(SearchCall, search),
    "overview": _row(OverviewCall, show_overview),
    "look": _row(LookCall, look_inside),
    "open": _row(OpenCall, open_around),
    "rows": _row(RowsCall, list_rows),
    "documents": _row(ListCall, list_documents),
    "finish": _row(FinishCall, finish),
}


def describe_tools() -> tuple[Tool, ...]:
    """Returns the tools as a model is given them."""
    return tuple(
        Tool(
            name=name,
            description=" ".join((row.shape.__doc__ or "").split()),
            arguments=row.shape.model_json_schema(),
        )
        for name, row in TOOLS.items()
    )


def run_calls(desk: Desk, bench: Bench, ledger: Ledger) -> Desk:
    """Runs the calls of the last turn. What is wrong with one comes back to the model as an error.

    `ledger` is what the question had spent before this wave.

    What is down is raised: the step is tried again, and no call has had an effect.
    """
    bench = replace(bench, searches=bench.searches - ledger.searches)
    results: list[ToolResult] = []
    for n, call in enumerate(desk.calls):
        if n >= MAX_CALLS:
            text, failed = f"At most {MAX_CALLS} calls of a turn are run.", True
        else:
            desk, text, failed = _run_call(call, desk, bench)
        results.append(ToolResult(id=call.id, text=text, failed=failed))
    return desk.with_results(results)


def _run_call(call: ToolCall, desk: Desk, bench: Bench) -> tuple[Desk, str, bool]:
    if (row := TOOLS.get(call.name)) is None:
        return desk, f"There is no such tool. There are: {', '.join(TOOLS)}.", True
    try:
        after, text = row.run(call.arguments, desk, bench)
    except ValidationError as error:
        wrong = error.errors(include_input=False, include_url=False, include_context=False)
        told = "; ".join(f"{'.'.join(map(str, p['loc'])) or 'call'}: {p['msg']}" for p in wrong[:5])
        return desk, f"The arguments are wrong: {told}", True
    except (BadRequestError, NotFoundError) as error:
        return desk, f"{error.message}. {error.action}", True
    return after, text, False


def _is_inside(record: Record, scope: Scope) -> bool:
    """Tells whether a question without filters may look into a document."""
    path, collection = record.revision.path, record.revision.collection
    named = path in scope.documents or record.document_id in scope.document_ids
    return (named or not scope.names) and scope.collection in {None, collection}
