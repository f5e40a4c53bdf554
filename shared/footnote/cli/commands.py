"""The commands: `footnote add, status, retry, remove, search, ask, reindex, estimate, …`.

They call the REST API through `client/`. `--json` prints the API's reply. Each command imports its
own needs when it runs, so that `--help` appears at once.
"""

import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from types import TracebackType

import typer

from footnote.cli import (
    document_commands,
    eval_commands,
    grid_commands,
    key_commands,
    looking_commands,
    move_commands,
    operating_commands,
    overview_commands,
    question_commands,
    retention_commands,
    session_commands,
    sync_commands,
    terminal,
)
from footnote.cli.plain_text import PlainText
from footnote.errors import FootnoteError

COMMANDS: Mapping[str, Callable[..., None]] = {
    "add": document_commands.add,
    "sync": sync_commands.sync,
    "status": document_commands.status,
    "trace": looking_commands.trace,
    "retry": document_commands.retry,
    "remove": document_commands.remove,
    "search": question_commands.search,
    "ask": question_commands.ask,
    "grid": grid_commands.grid,
    "stop": question_commands.stop,
    "findings": question_commands.findings,
    "open": question_commands.open_page,
    "export": move_commands.export,
    "import": move_commands.import_folder,
    "say": question_commands.say,
    "feedback": question_commands.feedback,
    "report": looking_commands.report,
    "eval": eval_commands.evaluate,
    "retention": retention_commands.retention,
    "erase": retention_commands.erase,
    "reindex": operating_commands.reindex,
    "estimate": document_commands.estimate,
    "top": overview_commands.top,
    "audit": overview_commands.audit,
    "endpoint": operating_commands.show_endpoint,
    "mcp": operating_commands.mcp,
    "doctor": operating_commands.doctor,
}
"""Every command except the groups, in the help's order."""

REPORT_IT = "Try again; if it persists, report it with the details."

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Drop files in, ask questions, get answers with checked footnotes.",
)
for name, command in COMMANDS.items():
    app.command(name)(command)
app.add_typer(key_commands.app, name="keys")
app.add_typer(session_commands.app, name="sessions")
app.add_typer(grid_commands.app, name="grids")


def run() -> None:
    """Runs the command line. Prints an error as code, message and action, no traceback."""
    with ErrorsInWords():
        app()


class ErrorsInWords:
    """Prints the error that ends a command in our words. A file gets the words of libraries."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception):  # no error, the end of the program or Ctrl-C
            return
        if isinstance(error, FootnoteError):
            details = error.detail  # only errors of this process have some: the API sends none
        else:
            details = "".join(traceback.format_exception(error))
            error = FootnoteError("footnote has failed", code="internal", action=REPORT_IT)
        terminal.err.print(PlainText(f"{error.code}: {error.message}\n{error.action}"))
        if details:
            terminal.err.print(PlainText(f"Details: {store_log(details)}"))
        sys.exit(1)


def store_log(text: str) -> str:
    """Stores a text in a new file of this person's. Returns the file's name."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", errors="replace", prefix="footnote-", suffix=".log", delete=False
    ) as file:
        file.write(text)
    return file.name
