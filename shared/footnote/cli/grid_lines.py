"""Grids for the command line: questions from a file, progress, the table, files."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from footnote.cli import terminal
from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip
from footnote.errors import BadRequestError
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.client import Client

FORMATS = (".xlsx", ".csv", ".json")
STYLES = {"answer": "", "nearest": "yellow", "none": "dim"}


def questions_in(path: Path) -> list[str]:
    """Returns the lines of a file, without empty ones and those that begin with `#`.

    Raises BadRequestError for a file that is missing or has no question.
    """
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadRequestError(
            f"{path} is no file of questions: {reason}",
            code="bad_file",
            action="Give a file of text in UTF-8 with a question on each line.",
        ) from None
    questions = [line for line in lines if line and not line.startswith("#")]
    if not questions:
        raise BadRequestError(f"{path} has no question", code="bad_file")
    return questions


def check_output(path: Path | None) -> None:
    """Raises BadRequestError, before anything is asked, for a file that cannot be written."""
    if path is None:
        return
    if path.suffix.lower() not in FORMATS:
        raise BadRequestError(
            f"{path} ends in no format of grids",
            code="bad_file",
            action=f"Name a file that ends in {', '.join(FORMATS)}.",
        )
    if not path.absolute().parent.is_dir():
        raise BadRequestError(
            f"{path} cannot be written: there is no such folder", code="unwritable_file"
        )


def write_grid(client: "Client", grid_id: str, path: Path) -> None:
    """Writes a grid to a file in the format that its name ends in."""
    body = client.export_grid(grid_id, path.suffix.lower().removeprefix("."))
    try:
        path.write_bytes(body)
    except OSError as error:
        raise BadRequestError(
            f"{path} cannot be written: {error.strerror or error}",
            code="unwritable_file",
            action="Name another file with --out.",
        ) from None
    terminal.err.print(Text(f"wrote {path}"))


def show_progress(states: Iterable[Json], *, quiet: bool) -> None:
    """Waits for the last state of a grid. Prints a line for each that differs from the one before.

    A grid that nobody works on any more is said to have stopped.
    """
    before = ""
    for state in states:
        line = counts_line(state)
        if line != before and not quiet:
            terminal.err.print(Text(line, style="dim"))
        before = line
        if state["status"] == "STOPPED":
            note = f"it stopped: `footnote grids fill {state['id']}` goes on"
            terminal.err.print(Text(note, style="yellow"))


def counts_line(grid: Json) -> str:
    """Returns what became of the cells: "12 of 40 cells: 9 answered, 1 nearest, 2 none"."""
    counts = grid["counts"]
    ended = {name: counts[name] for name in ("answered", "nearest", "none", "other", "failed")}
    cells = sum(ended.values()) + counts["waiting"] + counts["running"]
    words = ", ".join(f"{many} {name}" for name, many in ended.items() if many)
    stale = f"; {counts['stale']} of an earlier version" if counts["stale"] else ""
    return f"{sum(ended.values())} of {cells} cells{': ' if words else ''}{words}{stale}"


def print_grids(grids: Sequence[Json]) -> None:
    """Prints a line for each grid: when it was made, its id, its name, its questions."""
    for entry in grids:
        line = Text(f"{entry['created'][:16]:<18}{entry['id']}  ", style="dim")
        line.append(clip(entry["name"], 60), style="bold")
        first, *others = entry["questions"]
        more = f" and {len(others)} more" if others else ""
        line.append(f"  {clip(first, 80)}{more}")
        terminal.out.print(line)
    if not grids:
        terminal.out.print(Text("no grids yet: `footnote grid questions.txt`", style="dim"))


def print_table(grid: Json) -> None:
    """Prints each document and, below it, each question with its cell."""
    for row in grid["rows"]:
        name = f"{row['document']}  "
        terminal.out.print(Text(name, style="bold").append(row["collection"], style="dim"))
        for question, cell in zip(grid["questions"], row["cells"], strict=True):
            terminal.out.print(Text(f"  {clip(question, 100)}", style="dim"))
            shown = (cell and cell["shown"]) or "…"
            style = STYLES.get((cell or {}).get("outcome") or "", "")
            terminal.out.print(Text(f"    {clip(shown, 400)}", style=style))
    terminal.out.print(Text(counts_line(grid), style="bold"))


def print_estimate(expected: Json) -> None:
    """Prints what a grid is expected to cost."""
    usd = terminal.cost(expected["usd"], is_priced=expected["priced"])
    terminal.out.print(
        Text(
            f"{expected['cells']} cells of {expected['documents']} documents:"
            f" {expected['tokens']:,} tokens, {usd}"
        )
    )
    for note in expected["notes"]:
        terminal.out.print(Text(f"note: {note}", style="dim"))
