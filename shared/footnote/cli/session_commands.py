"""The commands `footnote sessions` and, below it, `show`, `rename`, `delete`."""

from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.options import AsJson

app = typer.Typer(help="List sessions, newest first; show, rename or delete one.")

SessionId = Annotated[str, typer.Argument(help="The session.", metavar="ID")]


@app.callback(invoke_without_command=True)
def list_sessions(context: typer.Context, as_json: AsJson = False) -> None:
    """List sessions, newest first; show, rename or delete one."""
    if context.invoked_subcommand:
        return
    from footnote.cli.session_lines import print_sessions

    with connect() as client:
        sessions = client.sessions()
    if as_json:
        terminal.print_json({"sessions": sessions})
    else:
        print_sessions(sessions)


@app.command(name="show")
def show_session(session: SessionId, as_json: AsJson = False) -> None:
    """Show a session's questions in order, each as it was understood."""
    from footnote.cli.session_lines import print_turns

    with connect() as client:
        turns = list(client.session(session))
    if as_json:
        terminal.print_json({"session": session, "turns": turns})
    else:
        print_turns(turns)


@app.command(name="rename")
def rename_session(
    session: SessionId,
    name: Annotated[str, typer.Argument(help="What to call it; '' for its first question.")],
    as_json: AsJson = False,
) -> None:
    """Call a session by a name, for whoever may read its newest question."""
    from footnote.cli.session_lines import print_named

    with connect() as client:
        named = client.name_session(session, name)
    if as_json:
        terminal.print_json(named)
    else:
        print_named(named)


@app.command(name="delete")
def delete_session(session: SessionId, as_json: AsJson = False) -> None:
    """Delete a session: its questions, their answers, and what was found for them."""
    from footnote.cli.session_lines import print_deleted

    with connect() as client:
        deleted = client.delete_session(session)
    if as_json:
        terminal.print_json({"session": session, "deleted": deleted})
    else:
        print_deleted(session, deleted)
