"""Commands about questions: `footnote search, ask, stop, findings, say, feedback, open`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.completion import KINDS, VERDICTS, complete_documents, one_of
from footnote.cli.connect import connect
from footnote.cli.hit_lines import print_hits
from footnote.cli.options import (
    AsJson,
    Collection,
    Documents,
    Filters,
    InCollection,
    LeastConfidence,
    Persona,
    QuestionId,
    Strategy,
    Strict,
)
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError
from footnote.wire import Json


def search(
    query: str,
    strategy: Strategy = "auto",
    k: Annotated[int, typer.Option("-k", help="How many hits.")] = 10,
    minimum_results: Annotated[
        int, typer.Option(help="With fewer hits, a strategy that finds more is asked.")
    ] = 0,
    min_score: Annotated[
        float, typer.Option(help="Leave out hits that are less likely: 0 to 1.", min=0, max=1)
    ] = 0.0,
    collection: InCollection = None,
    document: Documents = None,
    filters: Filters = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what gave each hit its score.")
    ] = False,
    why: Annotated[
        str, typer.Option(help="Follow DOCUMENT or DOCUMENT:PAGE: where was it lost?")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Find passages."""
    options = scope_options(collection, document, filters) | followee(why)
    options |= {"minimum_results": minimum_results} if minimum_results else {}
    options |= {"min_score": min_score} if min_score else {}
    with connect() as client:
        result = client.search(query, strategy=strategy, k=k, explain=explain, **options)
    if as_json:
        terminal.print_json(result)
    else:
        print_hits(result)


def ask(
    question: Annotated[
        str | None, typer.Argument(help="Without one a conversation begins.", show_default=False)
    ] = None,
    session: Annotated[str, typer.Option(help="Earlier questions with this id count.")] = "",
    after: Annotated[
        str, typer.Option(help="The earlier question (its id) that this one follows.")
    ] = "",
    collection: InCollection = None,
    document: Documents = None,
    filters: Filters = None,
    persona: Persona = "",
    kind: Annotated[
        str,
        typer.Option(
            help="What it asks for: fact, list, count, document (a summary) …",
            autocompletion=one_of(KINDS),
        ),
    ] = "",
    schema: Annotated[
        Path | None, typer.Option(help="Also give data of this JSON Schema, from a file.")
    ] = None,
    context: Annotated[
        Path | None, typer.Option(help="A record in a file of JSON that the question is about.")
    ] = None,
    min_confidence: LeastConfidence = 0.0,
    strict: Strict = None,
    chart: Annotated[
        bool, typer.Option("--chart", help="Also draw a chart of what is worked out of a table.")
    ] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show all that was done for it.")] = False,
    budget_seconds: Annotated[float | None, typer.Option(help="Its deadline.")] = None,
    budget_rounds: Annotated[int | None, typer.Option(help="Searches of one sub-question.")] = None,
    budget_searches: Annotated[int | None, typer.Option(help="Searches in all.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Tokens of models.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Dollars.")] = None,
    estimate_only: Annotated[
        bool, typer.Option("--estimate", help="Only say what it is expected to cost.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a question. Every sentence of the answer points at its page."""
    from footnote.cli.answer_lines import print_expected
    from footnote.cli.answers import answer_question
    from footnote.cli.conversation import begin_conversation

    with connect() as client:
        options = scope_options(collection, document, filters)
        options |= {"persona": persona} if persona else {}
        options |= {"kind": kind} if kind else {}
        options |= {"schema": json_of(schema)} if schema else {}
        options |= {"context": json_of(context)} if context else {}
        options |= {"min_confidence": min_confidence} if min_confidence else {}
        options |= {"strict": strict} if strict is not None else {}
        options |= {"chart": chart} if chart else {}
        caps = {
            "seconds": budget_seconds,
            "rounds": budget_rounds,
            "searches": budget_searches,
            "tokens": budget_tokens,
            "usd": budget_usd,
        }
        budget = {name: cap for name, cap in caps.items() if cap is not None}
        options |= {"session": session, "after": after, "budget": budget}
        if question is None:
            begin_conversation(client, options, trace=trace, as_json=as_json)
        elif estimate_only:
            expected = client.estimate(question, **options)
            terminal.print_json(expected) if as_json else print_expected(expected)
        else:
            answer_question(client, question, options, trace=trace, as_json=as_json)


def stop(question: QuestionId, as_json: AsJson = False) -> None:
    """Stop a question that is being answered. It ends at once, and no more is paid for it."""
    with connect() as client:
        ended = client.stop(question)
    if as_json:
        terminal.print_json(ended)
    elif (ended.get("error") or {}).get("code") == "stopped":
        terminal.out.print(PlainText(f"stopped: {ended['question']}"))
    else:
        terminal.out.print(PlainText(f"it had ended before, {ended['status']}"))


def findings(question: QuestionId, as_json: AsJson = False) -> None:
    """Show what a question, and those before it in its session, have found and where."""
    with connect() as client:
        found = client.findings(question)
    if as_json:
        terminal.print_json({"findings": found})
        return
    for finding in found:
        terminal.out.print(PlainText(f"{finding['question']} ({finding['confidence']:.2f})"))
        if finding["statement"]:
            terminal.out.print(PlainText(f"  {finding['statement']}"))
        for place in finding["places"]:
            where = terminal.place(place["document"], place["pages"])
            terminal.out.print(PlainText(f"  {where}: “{place['quote']}”"))


def say(
    question: QuestionId,
    verdict: Annotated[
        str,
        typer.Argument(
            help="up, down, or gap: documents are missing.",
            autocompletion=one_of(VERDICTS),
        ),
    ],
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    sentence: Annotated[
        int | None, typer.Option(help="Of this sentence of the answer, from 0.")
    ] = None,
    citation: Annotated[int | None, typer.Option(help="Of the citation of this number.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what you think of an answer: it helps who runs footnote to mend it."""
    options = {"reason": reason, "sentence": sentence, "citation": citation}
    with connect() as client:
        said = client.say(question, verdict, **options)
    if as_json:
        terminal.print_json(said)
    else:
        terminal.out.print(PlainText(f"stored: {said['verdict']}"))


def feedback(
    as_cases: Annotated[
        bool, typer.Option("--cases", help="Print cases for evaluation, a line of JSON each.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List what people said of answers, the newest first."""
    from footnote.cli.answers import cases, feedback_lines

    with connect() as client:
        entries = list(client.feedback())
        if as_cases:
            for line in cases(client, entries):
                terminal.echo_json(line)
        elif as_json:
            terminal.print_json({"feedback": entries})
        else:
            for text in feedback_lines(entries):
                terminal.out.print(text)


def open_page(
    document: Annotated[
        str,
        typer.Argument(
            help="A document; the page itself if none.", autocompletion=complete_documents
        ),
    ] = "",
    page: Annotated[int, typer.Option(help="Its page.", min=1)] = 1,
    collection: Collection = "default",
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the address, with the key in it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Open the page in the browser, signed in."""
    from footnote.cli.browser import address, open_browser

    place = ""
    if document:
        with connect() as client:
            place = f"/documents/{client.document(document, collection)['id']}/pages/{page}"
    if as_json:
        terminal.print_json({"url": address(place)})
    elif only_print:
        terminal.echo(address(place))
    else:
        open_browser(place)


def scope_options(
    collection: str | None, documents: list[str] | None, filters: list[str] | None
) -> Json:
    from footnote.metadata.conditions import from_texts

    return {
        "collection": collection,
        "documents": documents or [],
        "filters": from_texts(filters or []),
    }


def json_of(path: Path) -> object:
    """Reads a file of JSON. Raises BadRequestError for a missing file, or other content."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRequestError(
            f"{path} is no file of JSON: {error}",
            code="bad_file",
            action="Give the name of a file with one JSON object in UTF-8.",
        ) from None


def followee(why: str) -> Json:
    """Reads DOCUMENT or DOCUMENT:PAGE. A name that ends in a colon and digits needs its page."""
    if not why:
        return {}
    name, _, page = why.rpartition(":")
    if name and page.isdecimal():
        return {"why": {"document": name, "page": int(page)}}
    return {"why": {"document": why}}
