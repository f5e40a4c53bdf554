"""The commands `footnote grid` and `footnote grids`, `grids show, fill, again, stop, delete`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.grid_lines import (
    check_output,
    print_estimate,
    print_grids,
    print_table,
    questions_in,
    show_progress,
    write_grid,
)
from footnote.cli.options import (
    AsJson,
    Documents,
    Filters,
    InCollection,
    LeastConfidence,
    Persona,
    Strict,
)
from footnote.cli.plain_text import PlainText
from footnote.cli.question_commands import scope_options

if TYPE_CHECKING:
    from footnote.client import Client

app = typer.Typer(help="List grids, newest first; show, fill, ask again, stop or delete one.")

GridId = Annotated[str, typer.Argument(help="The grid's id.", metavar="ID")]
Out = Annotated[Path | None, typer.Option("--out", help="The file to write: .xlsx, .csv or .json.")]


def grid(
    questions: Annotated[Path, typer.Argument(help="A file with a question on each line.")],
    collection: InCollection = None,
    document: Documents = None,
    filters: Filters = None,
    name: Annotated[str, typer.Option(help="What to call it in lists.")] = "",
    persona: Persona = "",
    min_confidence: LeastConfidence = 0.0,
    strict: Strict = None,
    budget_usd: Annotated[
        float | None, typer.Option(help="Ask nothing if all of it should cost more dollars.")
    ] = None,
    estimate_only: Annotated[
        bool, typer.Option("--estimate", help="Only say what it is expected to cost.")
    ] = False,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Ask each question of each document. Every cell points at its page."""
    check_output(out)
    asked = questions_in(questions)
    options = scope_options(collection, document, filters) | {"name": name}
    options |= {"persona": persona} if persona else {}
    options |= {"min_confidence": min_confidence} if min_confidence else {}
    options |= {"strict": strict} if strict is not None else {}
    options |= {"budget": {"usd": budget_usd}} if budget_usd is not None else {}
    with connect() as client:
        if estimate_only:
            expected = client.estimate_grid(asked, **options)
            terminal.print_json(expected) if as_json else print_estimate(expected)
            return
        started = client.start_grid(asked, **options)
        if not as_json:
            terminal.err.print(PlainText(f"grid {started['id']}", style="dim"))
        _finish(client, started["id"], out, as_json=as_json)


@app.callback(invoke_without_command=True)
def list_grids(context: typer.Context, as_json: AsJson = False) -> None:
    """List grids, newest first; show, fill, ask again, stop or delete one."""
    if context.invoked_subcommand:
        return
    with connect() as client:
        grids = list(client.grids())
    if as_json:
        terminal.print_json({"grids": grids})
    else:
        print_grids(grids)


@app.command(name="show")
def show_grid(grid_id: GridId, out: Out = None, as_json: AsJson = False) -> None:
    """Show a grid, or write it to a file."""
    check_output(out)
    with connect() as client:
        _show(client, grid_id, out, as_json=as_json)


@app.command(name="fill")
def fill_grid(grid_id: GridId, out: Out = None, as_json: AsJson = False) -> None:
    """Ask what is new: documents that came since, cells that failed, replaced documents."""
    check_output(out)
    with connect() as client:
        client.fill_grid(grid_id)
        _finish(client, grid_id, out, as_json=as_json)


@app.command(name="again")
def ask_again(
    grid_id: GridId,
    document: Annotated[str, typer.Argument(help="The cell's document, by path or id.")],
    question: Annotated[int, typer.Argument(help="The number of its question.", min=1)],
    as_json: AsJson = False,
) -> None:
    """Ask one cell again."""
    with connect() as client:
        client.ask_cell(grid_id, document, question)
        _finish(client, grid_id, None, as_json=as_json)


@app.command(name="stop")
def stop_grid(grid_id: GridId, as_json: AsJson = False) -> None:
    """Stop a grid: cells that wait or are asked end. What was answered stays."""
    with connect() as client:
        stopped = client.stop_grid(grid_id)
    if as_json:
        terminal.print_json({"id": grid_id, "stopped": stopped})
    else:
        terminal.out.print(PlainText(f"stopped {stopped} cells"))


@app.command(name="delete")
def delete_grid(grid_id: GridId, as_json: AsJson = False) -> None:
    """Delete a grid: its questions, their answers, and what was found for them."""
    with connect() as client:
        deleted = client.delete_grid(grid_id)
    if as_json:
        terminal.print_json({"id": grid_id, "deleted": deleted})
    else:
        terminal.out.print(PlainText(f"deleted {grid_id}: {deleted} cells"))


def _finish(client: "Client", grid_id: str, out: Path | None, *, as_json: bool) -> None:
    """Waits until a grid runs no more, and shows or writes it."""
    show_progress(client.follow_grid(grid_id), quiet=as_json)
    _show(client, grid_id, out, as_json=as_json)


def _show(client: "Client", grid_id: str, out: Path | None, *, as_json: bool) -> None:
    if out:
        write_grid(client, grid_id, out)
    if as_json:
        terminal.print_json(client.grid(grid_id))
    elif out is None:
        print_table(client.grid(grid_id))
