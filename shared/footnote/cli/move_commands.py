"""The commands `footnote export` and `footnote import`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.completion import FORMATS, one_of
from footnote.cli.connect import connect
from footnote.cli.options import AsJson, Stack
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.cli.exported_artifacts import Carrier
    from footnote.cli.exported_folder import ExportedFolder
    from footnote.client import Client


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
    artifacts: Annotated[
        bool, typer.Option("--artifacts", help="With what was read and embedded (for operators).")
    ] = False,
    stack: Stack = "",
    as_json: AsJson = False,
) -> None:
    """Write an answer with its footnotes as a file, or a collection's documents into a folder."""
    if to is not None:
        is_answer = form != "md" or output is not None
        deployment = stack if artifacts else None
        _export_collection(what, to, deployment, as_json=as_json, is_answer=is_answer)
        return
    from footnote.cli.answers import write_export

    with connect() as client:
        path = write_export(client, what, "json" if as_json else form, output)
    if path:
        terminal.err.print(PlainText(f"wrote {path}"))


def _export_collection(
    collection: str, to: Path, stack: str | None, *, as_json: bool, is_answer: bool
) -> None:
    """Exports a collection. Ends with 1 where a document could not be exported.

    Artifacts are exported, too, where a stack is given ("": the local one).
    """
    from footnote.cli.export_collection import export_collection

    if is_answer:
        raise BadRequestError(
            "--to is for collections, --format and --output are for answers",
            action="Leave out one of them.",
        )
    with connect() as client:
        header = export_collection(client, collection, to)
        told = header.model_dump()
        told |= {} if stack is None else {"artifacts": _export_artifacts(client, to, stack)}
    if as_json:
        terminal.print_json(told)
    else:
        left = f", {len(header.missing)} left out" if header.missing else ""
        terminal.out.print(PlainText(f"{header.documents} exported to {to}{left}"))
        for line in _artifact_lines(told.get("artifacts")):
            terminal.out.print(PlainText(line))
    if header.missing:
        raise typer.Exit(1)


def _export_artifacts(client: "Client", to: Path, stack: str) -> Json:
    from footnote.cli.exported_artifacts import export_artifacts
    from footnote.cli.exported_folder import ExportedFolder
    from footnote.wiring.stores import find_stores

    exported = export_artifacts(ExportedFolder(to), client.me()["tenant"], find_stores(stack))
    return exported._asdict()


def _artifact_lines(exported: Json | None) -> Iterator[str]:
    if not exported:
        return
    for document, why in exported["left"].items():
        yield f"{document} is to be read anew: {why}"
    yield f"artifacts of {exported['documents']}, to be imported by their seal:"
    yield f"--artifacts {exported['seal']}"


def import_folder(
    folder: Annotated[Path, typer.Argument(help="The folder that an export has written.")],
    collection: Annotated[
        str, typer.Option(help="Where the documents go; unless told, where they were.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace documents that are there and differ.")
    ] = False,
    artifacts: Annotated[
        str, typer.Option(help="Seal of its artifacts: take over what was read (for operators).")
    ] = "",
    stack: Stack = "",
    as_json: AsJson = False,
) -> None:
    """Add the documents of an export, with attributes and acl. What is there is left alone."""
    from footnote.cli.exported_folder import ExportedFolder
    from footnote.cli.import_collection import Target, import_collection
    from footnote.cli.progress import add_progress

    exported = ExportedFolder(folder)
    header = exported.finished()
    with connect() as client, add_progress(header.documents) as progress:
        into = collection or header.collection
        place = f"{client.me()['tenant']}/{into}/" if artifacts else ""
        carrier = _carrier(exported, artifacts, stack, place) if artifacts else None
        target = Target(client, into, replace, carrier=carrier)
        report = import_collection(exported, target, progress)
    missing = [item.model_dump() for item in header.missing]
    if as_json:
        terminal.print_json({"collection": target.collection, **report, "missing": missing})
    else:
        counts = f"{len(report['documents'])} sent, {len(report['unchanged'])} there already"
        counts += f", {len(report['refused'])} refused, {len(missing)} not in the export"
        terminal.out.print(PlainText(counts))
        for line in _carried_lines(report["carried"]):
            terminal.out.print(PlainText(line))
    is_ready = all(record["status"] == "READY" for record in report["documents"])
    if report["refused"] or missing or not is_ready:
        raise typer.Exit(1)


def _carrier(folder: "ExportedFolder", seal: str, stack: str, place: str) -> "Carrier":
    from footnote.cli.exported_artifacts import Carrier
    from footnote.wiring.stores import find_stores

    return Carrier(folder, seal, find_stores(stack), place)


def _carried_lines(carried: list[Json]) -> Iterator[str]:
    """Yields what had to be done anew, a document a line, and the sums."""
    for each in carried:
        done = [f"read anew, as {each['why']}"] if each["read"] == "anew" else []
        if each["embedded"]:
            done.append(f"{each['embedded']} of {each['vectors']} chunks embedded")
        if done:
            yield f"{each['document']}: {'; '.join(done)}"
    if carried:
        taken = sum(each["read"] == "carried" for each in carried)
        embedded = sum(each["embedded"] for each in carried)
        yield f"{taken} of {len(carried)} taken over as they were read, {embedded} chunks embedded"
