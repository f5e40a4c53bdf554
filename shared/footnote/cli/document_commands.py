"""Commands about documents: `footnote add, status, retry, remove, estimate`."""

from pathlib import Path
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.completion import complete_documents
from footnote.cli.connect import connect
from footnote.cli.document_lines import print_documents, print_interrupted
from footnote.cli.options import AsJson, Collection
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError
from footnote.wire import Json

INTERRUPTED = 130  # the exit status that shells give to a command that Ctrl-C ended

Attributes = Annotated[
    list[str] | None,
    typer.Option("--metadata", help="k=v to find the documents by; repeat for more."),
]


def add(
    paths: Annotated[
        list[str], typer.Argument(help="Files, folders (with all in them), or https://… pages.")
    ],
    collection: Collection = "default",
    metadata: Attributes = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until they end.")] = True,
    again: Annotated[bool, typer.Option("--again", help="Send unchanged files, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add files, or pages of the web. Exits with 1 if one of them did not become searchable."""
    from footnote.cli.progress import add_progress
    from footnote.cli.upload import add_pages, find_files, is_page, upload
    from footnote.metadata.attributes import from_pairs

    pages = [path for path in paths if is_page(path)]
    files = list(find_files([Path(path) for path in paths if not is_page(path)]))
    attributes = from_pairs(metadata or [])
    added: list[Json] = []
    try:
        with connect() as client, add_progress(len(files) + len(pages)) as progress:
            refused = upload(
                client, files, collection, attributes, progress, added=added, again=again
            )
            refused += add_pages(client, pages, collection, attributes, progress, added=added)
            ended: list[Json] = []
            if wait and added:
                ended = client.wait(added, progress.note)
    except KeyboardInterrupt:
        print_interrupted(len(added), len(files) + len(pages))
        raise typer.Exit(INTERRUPTED) from None
    unchanged = sorted(item["document"] for item in added if item["same"])
    if as_json:
        report = {"documents": ended or added, "refused": refused, "unchanged": unchanged}
        terminal.print_json(report)
    elif not wait:
        sent = len(added) - len(unchanged)
        terminal.out.print(f"{sent} uploaded; `footnote status` shows how they get on")
    if refused or any(record["status"] != "READY" for record in ended):
        raise typer.Exit(1)


def status(
    keys: Annotated[
        list[str] | None,
        typer.Argument(help="Documents; all if none.", autocompletion=complete_documents),
    ] = None,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Show documents: READY, in progress, or why they failed."""
    with connect() as client:
        if keys:
            records = [client.document(key, collection) for key in keys]
        else:
            records = list(client.documents())
    if as_json:
        terminal.print_json({"documents": records})
    else:
        print_documents(records)


def retry(
    key: Annotated[
        str, typer.Argument(help="The document.", autocompletion=complete_documents)
    ] = "",
    code: Annotated[str, typer.Option(help="All documents with this error instead.")] = "",
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Retry a document that FAILED, or all documents that failed with one code."""
    if bool(key) == bool(code):
        raise BadRequestError(
            "what to retry: a document, or all with a code",
            code="bad_retry",
            action="`footnote retry KEY`, or `footnote retry --code CODE`.",
        )
    with connect() as client:
        records = client.retry_all(code) if code else [client.retry(key, collection)]
    if as_json:
        terminal.print_json({"documents": records} if code else records[0])
    else:
        print_documents(records)


def remove(
    keys: Annotated[
        list[str], typer.Argument(help="Documents to forget.", autocompletion=complete_documents)
    ],
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Delete documents. No answer uses them from then on."""
    with connect() as client:
        removed = [client.remove(key, collection) for key in keys]
        waiting = client.wait_removed(removed)
    if as_json:
        terminal.print_json({"removed": removed, "pending": [record["id"] for record in waiting]})
    else:
        for record in removed:
            terminal.out.print(PlainText(f"removed {record['document']}"))
    if waiting:
        raise typer.Exit(1)


def estimate(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders (with all in them).")],
    context_model: Annotated[str, typer.Option(help="Model that writes contextual lines.")] = "",
    as_json: AsJson = False,
) -> None:
    """Estimate what adding files would cost. Reads them here: nothing is sent or paid."""
    from footnote.cli.estimate import estimate_files, estimate_view, print_estimate
    from footnote.cli.upload import find_files
    from footnote.metadata.attributes import SUFFIX

    files = [file for file in find_files(paths) if not file[1].endswith(SUFFIX)]
    estimates, prices = estimate_files(files, context_model, terminal.err)
    if as_json:
        terminal.print_json(estimate_view(estimates, prices))
    else:
        print_estimate(estimates, prices, terminal.out)
    if any(file.error for file in estimates):
        raise typer.Exit(1)
