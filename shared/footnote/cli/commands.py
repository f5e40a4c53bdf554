"""The commands: `footnote add, status, retry, remove, search, ask, reindex, estimate, …`.

They call the REST API through `client/`. `--json` prints the API's reply. Each command imports its
own needs when it runs, so that `--help` appears at once.
"""

import sys
from collections.abc import Callable, Mapping

import typer

from footnote.cli import (
    document_commands,
    key_commands,
    operating_commands,
    question_commands,
    session_commands,
    terminal,
)
from footnote.cli.plain_text import PlainText
from footnote.errors import FootnoteError

COMMANDS: Mapping[str, Callable[..., None]] = {
    "add": document_commands.add,
    "status": document_commands.status,
    "retry": document_commands.retry,
    "remove": document_commands.remove,
    "search": question_commands.search,
    "ask": question_commands.ask,
    "stop": question_commands.stop,
    "open": question_commands.open_page,
    "export": question_commands.export,
    "feedback": question_commands.feedback,
    "reindex": operating_commands.reindex,
    "estimate": document_commands.estimate,
    "endpoint": operating_commands.show_endpoint,
    "mcp": operating_commands.mcp,
    "doctor": operating_commands.doctor,
}
"""Every command except the groups, in the help's order."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Drop files in, ask questions, get answers with checked footnotes.",
)
for name, command in COMMANDS.items():
    app.command(name)(command)
app.add_typer(key_commands.app, name="keys")
app.add_typer(session_commands.app, name="sessions")


def run() -> None:
    """Runs the command line. Prints an error of ours as code, message and action, no traceback."""
    try:
        app()
    except FootnoteError as error:
        terminal.err.print(PlainText(f"{error.code}: {error.message}\n{error.action}"))
        if error.detail:  # only errors of this process have details: the API sends none
            terminal.err.print(PlainText(error.detail))
        sys.exit(1)
