"""The commands `footnote export` and `footnote import`."""

from pathlib import Path
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.completion import FORMATS, one_of
from footnote.cli.connect import connect
from footnote.cli.options import AsJson
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError


def export(
    what: Annotated[
        str, typer.Argument(help="A question's id; with --to, a collection.", metavar="ID")
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="md, docx, pdf or json; svg for its chart.",
            autocompletion=one_of(FORMATS),
        ),
    ] = "md",
    output: Annotated[Path | None, typer.Option(help="The file to write an answer to.")] = None,
    to: Annotated[
        Path | None, typer.Option(help="The folder to write a collection to; it may be begun.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write an answer with its footnotes as a file, or a collection's documents into a folder."""
    if to is not None:
        _export_collection(what, to, as_json=as_json, is_answer=form != "md" or output is not None)
        return
    from footnote.cli.answers import write_export

    with connect() as client:
        path = write_export(client, what, "json" if as_json else form, output)
    if path:
        terminal.err.print(PlainText(f"wrote {path}"))


def _export_collection(collection: str, to: Path, *, as_json: bool, is_answer: bool) -> None:
    """Exports a collection. Ends with 1 where a document could not be exported."""
    from footnote.cli.export_collection import export_collection

    if is_answer:
        raise BadRequestError(
            "--to is for collections, --format and --output are for answers",
            action="Leave out one of them.",
        )
    with connect() as client:
        header = export_collection(client, collection, to)
    if as_json:
        terminal.print_json(header.model_dump())
    else:
        left = f", {len(header.missing)} left out" if header.missing else ""
        terminal.out.print(PlainText(f"{header.documents} exported to {to}{left}"))
    if header.missing:
        raise typer.Exit(1)


def import_folder(
    folder: Annotated[Path, typer.Argument(help="The folder that an export has written.")],
    collection: Annotated[
        str, typer.Option(help="Where the documents go; unless told, where they were.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace documents that are there and differ.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Add the documents of an export, with attributes and acl. What is there is left alone."""
    from footnote.cli.exported_folder import ExportedFolder
    from footnote.cli.import_collection import Target, import_collection
    from footnote.cli.progress import add_progress

    exported = ExportedFolder(folder)
    header = exported.finished()
    with connect() as client, add_progress(header.documents) as progress:
        target = Target(client, collection or header.collection, replace)
        report = import_collection(exported, target, progress)
    missing = [item.model_dump() for item in header.missing]
    if as_json:
        terminal.print_json({"collection": target.collection, **report, "missing": missing})
    else:
        counts = f"{len(report['documents'])} sent, {len(report['unchanged'])} there already"
        counts += f", {len(report['refused'])} refused, {len(missing)} not in the export"
        terminal.out.print(PlainText(counts))
    is_ready = all(record["status"] == "READY" for record in report["documents"])
    if report["refused"] or missing or not is_ready:
        raise typer.Exit(1)
