"""Prints documents and their uploads: one line each, with the outcome."""

from collections.abc import Sequence

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, err, out
from footnote.errors import FootnoteError
from footnote.text.part_names import part_of
from footnote.wire import Json

SHOWN_WARNINGS = 3  # lines below a document
COLOURS = {"READY": "green", "FAILED": "red", "UNSUPPORTED": "yellow", "DELETED": "dim"}


def _count(number: int, noun: str) -> str:
    """Returns "1 page" or "2 pages", "" for none."""
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""


def document_line(record: Json) -> Text:
    """Returns `READY  report.pdf  12 pages, 40 passages`, or the reason why it is not READY."""
    status = record["status"]
    line = Text(f"{status:<12}", style=COLOURS.get(status, "cyan"))
    line.append(record["document"], style="bold")
    if error := record["error"]:
        line.append(f"  {error['code']}: {error['message']} {error['action']}", style="default")
    elif status == "READY":
        parts = _count(record["pages"], part_of(record["document"]))
        spent = f"${record['usd']:.4f}" if record["usd"] else ""
        told = filter(None, [parts, _count(record["chunks"], "passage"), spent])
        line.append(f"  {', '.join(told)}", style="dim")
    for warning in record["warnings"][:SHOWN_WARNINGS]:
        line.append(f"\n{'':<12}warning: {warning}", style="yellow")
    if (more := len(record["warnings"]) - SHOWN_WARNINGS) > 0:
        line.append(f"\n{'':<12}{more} more: --json shows all warnings", style="yellow")
    return line


def print_documents(records: Sequence[Json]) -> None:
    for record in records:
        out.print(document_line(record))
    counts: dict[str, int] = {}
    for record in records:
        counts[record["status"]] = counts.get(record["status"], 0) + 1
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    out.print(Text(summary or "no documents yet: `footnote add PATH`", style="dim"))


def print_refusal(document: str, error: FootnoteError) -> None:
    """Prints that a file was refused, and why."""
    name = clip(document, 80)
    err.print(Text(f"REFUSED     {name}  {error.code}: {error.message} {error.action}", "red"))


def print_sidecar(name: str) -> None:
    """Prints that a file was uploaded as a sidecar, and so is not a document."""
    err.print(Text(f"SIDECAR     {clip(name, 80)}"))


def print_unchanged(name: str) -> None:
    """Prints that a file was not sent, as its document was made of it."""
    err.print(Text(f"UNCHANGED   {clip(name, 80)}", "dim"))


def print_interrupted(uploaded: int, files: int) -> None:
    """Prints that uploaded files are still processed although Ctrl-C has ended the command."""
    err.print(
        f"interrupted: {uploaded} of {files} files are uploaded and go on being worked on; "
        "`footnote status` shows how they get on"
    )
