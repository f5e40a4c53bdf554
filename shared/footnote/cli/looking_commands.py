"""Commands that look at what was done: `footnote trace, report`."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.completion import complete_documents
from footnote.cli.connect import connect
from footnote.cli.options import AsJson, Collection
from footnote.errors import NotFoundError
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.client import Client


def trace(
    key: Annotated[
        str,
        typer.Argument(
            help="A question's id, or a document.", metavar="ID", autocompletion=complete_documents
        ),
    ],
    collection: Collection = "default",
    otlp: Annotated[
        bool, typer.Option("--otlp", help="Write it as spans for a collector of OpenTelemetry.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show all that was done for a question, or with a document."""
    from footnote.cli.document_tree import document_tree
    from footnote.cli.otlp_spans import document_spans, question_spans
    from footnote.cli.trace_tree import trace_tree

    with connect() as client:
        try:
            record, draw = client.question(key, trace=True), trace_tree
        except NotFoundError:
            record, draw = _document(client, key, collection), document_tree
        if otlp:
            is_question = draw is trace_tree
            created = _created(client, key) if is_question else ""
            record = question_spans(record, created) if is_question else document_spans(record)
    if as_json or otlp:
        terminal.print_json(record)
    else:
        terminal.out.print(draw(record))


def _created(client: "Client", question: str) -> str:
    """Returns when a question was asked, which its list tells, newest first."""
    return str(next(one["created"] for one in client.questions() if one["id"] == question))


def report(
    days: Annotated[int, typer.Option(help="How many days, today included.", min=1)] = 7,
    as_json: AsJson = False,
) -> None:
    """Count documents, questions and feedback by day: their ends, cost and time."""
    from footnote.cli.report_tables import print_report
    from footnote.cli.reporting import read_report

    with connect() as client, terminal.err.status("reading questions"):
        counted = read_report(client, days, time.time())
    if as_json:
        terminal.print_json(counted)
    else:
        print_report(counted)


def _document(client: "Client", key: str, collection: str) -> Json:
    """Returns a document. Raises NotFoundError, which says that there is no question either."""
    try:
        return client.document(key, collection)
    except NotFoundError:
        name = terminal.clip(key, 100)
        raise NotFoundError(
            f"no question {name!r}, and no such document in collection {collection[:100]!r}",
            action="`footnote status` lists documents, `footnote sessions` what was asked.",
        ) from None
