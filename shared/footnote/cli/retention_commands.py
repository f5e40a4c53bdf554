"""The commands `footnote retention` and `footnote erase`."""

import time
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.options import AsJson
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError
from footnote.wire import Json


def retention(
    collection: Annotated[str, typer.Argument(help="The collection.")],
    hold: Annotated[str, typer.Option(help="Hold all of it, for this reason.")] = "",
    release: Annotated[bool, typer.Option("--release", help="Lift the hold.")] = False,
    document: Annotated[
        str, typer.Option(help="Hold or release this document alone, by its path.")
    ] = "",
    days: Annotated[
        int | None, typer.Option(min=0, max=36_500, help="Days after which documents go; 0: never.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show or change what of a collection may not be deleted, and what goes by itself."""
    if hold and release:
        raise BadRequestError(
            "--hold and --release exclude each other", action="Give one of the two."
        )
    if document and not (hold or release):
        raise BadRequestError(
            "--document is for --hold and --release", action="Give one of the two, too."
        )
    with connect() as client:
        rule = client.retention(collection)
        if hold or release or days is not None:
            changed = _changed(rule, hold, document, days, release=release)
            rule = client.set_retention(collection, **changed)
    if as_json:
        terminal.print_json(rule)
    else:
        _print_rule(rule)


def erase(
    key: Annotated[
        str, typer.Argument(help="A document's path or id; with --receipt, a receipt's id.")
    ],
    collection: Annotated[str, typer.Option(help="Its collection.")] = "default",
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Show a receipt, and erase nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before.")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase a document for good, with every version and copy, and print the receipt."""
    if not (receipt or yes) and not typer.confirm(f"Erase {key} for good?", err=True):
        raise typer.Exit(1)
    with connect() as client:
        told = client.receipt(key) if receipt else client.begin_erasure(key, collection)
        while not receipt and told["status"] == "PENDING":
            told = client.go_on_erasing(told["id"])
            time.sleep(1.0 if told["status"] == "PENDING" else 0)
    if as_json:
        terminal.print_json(told)
    else:
        _print_receipt(told)


def _print_receipt(told: Json) -> None:
    def counts(of: Json) -> str:
        return ", ".join(f"{count} {name}" for name, count in of.items())

    lines = (
        f"erasure {told['id']} {told['status']}",
        f"document {told['document_id']}, versions {', '.join(told['versions'])}",
        f"asked {told['asked']} by {told['by']}, done {told['done'] or 'not yet'}",
        f"deleted: {counts(told['deleted'])}",
        f"left: {counts(told['left'])}",
    )
    for line in lines:
        terminal.out.print(PlainText(line))


def _changed(rule: Json, hold: str, document: str, days: int | None, *, release: bool) -> Json:
    """Returns the rule as it is to be. The hold of the whole and that of a document are two."""
    held = {path: reason for path, reason in rule["documents"].items() if path != document}
    if document and hold:
        held[document] = hold
    whole = hold if (hold or release) and not document else rule["hold"]
    return {"days": rule["days"] if days is None else days, "hold": whole, "documents": held}


def _print_rule(rule: Json) -> None:
    lines = [f"held: {rule['hold']}"] if rule["hold"] else []
    lines += [f"held: {path}: {reason}" for path, reason in rule["documents"].items()]
    lines += [f"documents go after {rule['days']} days"] if rule["days"] else []
    for line in lines or ["nothing is held, and nothing goes by itself"]:
        terminal.out.print(PlainText(line))
