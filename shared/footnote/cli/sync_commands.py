"""The command `footnote sync`."""

from pathlib import Path
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.options import AsJson, Collection

Folder = Annotated[
    str, typer.Argument(help="The folder, or https://… sitemap, that the collection shall equal.")
]
Delete = Annotated[bool, typer.Option("--delete", help="Delete what it lacks, once agreed.")]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to what --delete would delete.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]


def sync(
    folder: Folder,
    collection: Collection = "default",
    delete: Delete = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Bring a collection up to a folder or site: send what is new or changed, say what is gone."""
    from footnote.cli.site_sync import SiteDifference, compare_site, send_site
    from footnote.cli.sync import compare, print_difference, print_summary, send, summary
    from footnote.cli.upload import is_page

    with connect() as client:
        difference = (
            compare_site(client, folder, collection, may_delete=delete)
            if is_page(folder)
            else compare(client, Path(folder), collection, may_delete=delete)
        )
        print_difference(difference)
        report = summary(difference, dry_run=dry_run)
        if not dry_run:
            if isinstance(difference, SiteDifference):
                difference, sent = send_site(client, difference, collection)
                report = summary(difference, dry_run=False) | sent
            else:
                report |= send(client, difference, collection)
            if delete and difference.gone and (yes or agrees(len(difference.gone))):
                removed = [client.remove(name, collection) for name in difference.gone]
                left = {record["id"] for record in client.wait_removed(removed)}
                report["deleted"] = [
                    record["document"] for record in removed if record["id"] not in left
                ]
    if as_json:
        terminal.print_json(report)
    else:
        print_summary(report, wants_deleted=delete)
    is_ready = all(record["status"] == "READY" for record in report["documents"])
    is_left = delete and not dry_run and len(report["deleted"]) < len(difference.gone)
    if report["refused"] or not is_ready or is_left:
        raise typer.Exit(1)


def agrees(documents: int) -> bool:
    """Asks whether to delete so many documents. Without an answer, nobody has agreed."""
    noun = "document" if documents == 1 else "documents"
    return typer.confirm(f"Delete {documents} {noun} of the collection?", err=True)
