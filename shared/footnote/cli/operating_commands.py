"""Commands of operators: `footnote reindex, endpoint, mcp, doctor`."""

import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.options import AsJson
from footnote.cli.plain_text import PlainText
from footnote.endpoint import endpoint, roots
from footnote.errors import BadRequestError, ConfigurationError, FootnoteError
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.client import Client


def reindex(
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it is done.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Even if it would be the same.")] = False,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Go back to the index before the last one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build a new index from the stored artifacts and switch to it. Searches go on meanwhile."""
    if rollback:
        _roll_back(as_json=as_json)
        return
    with connect() as client:
        run = client.reindex(force=force)
        while wait and run["status"] == "RUNNING":
            run = client.reindex_status(run["id"])
            time.sleep(0.5 if run["status"] == "RUNNING" else 0)
    if as_json:
        terminal.print_json(run)
    else:
        _print_reindex(run)
    if run["status"] == "FAILED":
        raise typer.Exit(1)


def _roll_back(*, as_json: bool) -> None:
    with connect() as client:
        back = client.roll_back()
    if as_json:
        terminal.print_json(back)
    else:
        line = f"searches go to {back['generation']} again, and no longer to {back['left']}"
        terminal.out.print(PlainText(line))


def _print_reindex(run: Json) -> None:
    """Prints the state of a re-index and, once it has ended, its outcome."""
    line = f"re-index {run['status']}"
    if error := run.get("error"):
        line += f"  {error['code']}: {error['message']} {error['action']}"
    elif run.get("outcome") == "unchanged":
        line += ": nothing to do, a new index would be the same; --force builds it all the same"
    terminal.out.print(PlainText(line))


def show_endpoint(
    export: Annotated[
        bool, typer.Option("--export", help='For a shell: eval "$(footnote endpoint --export)".')
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print the URL and the API key of the running stack."""
    if export and as_json:
        raise BadRequestError(
            "--export and --json exclude each other",
            action="Give --export for a shell, or --json for a script.",
        )
    url, key = endpoint()
    if as_json:
        terminal.print_json({"url": url, "key": key})
    elif export:
        terminal.echo(f"export FOOTNOTE_URL={shlex.quote(url)} FOOTNOTE_API_KEY={shlex.quote(key)}")
    else:
        terminal.echo(f"url {url}\nkey {key}")


def mcp() -> None:
    """Serve an assistant by MCP over standard input and output. It needs `footnote[mcp]`."""
    from footnote.cli.assistant import serve

    with connect() as client:
        serve(client)


def doctor(
    aws: Annotated[
        bool, typer.Option("--aws", help="Ask the AWS account what a deployment would lack.")
    ] = False,
    after: Annotated[
        bool,
        typer.Option(
            "--after", help="Try what is deployed, end to end: here, or with --aws there."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is missing on this machine, how to get it, and whether footnote answers."""
    local = next((root for root in roots() if (root / "local" / "doctor.py").is_file()), None)
    code = 0
    if local:
        chosen = {"--aws": aws, "--after": after, "--json": as_json}
        options = [name for name, wanted in chosen.items() if wanted]
        command = [sys.executable, "-m", "local.doctor", *options]
        code = subprocess.run(command, cwd=local, check=False).returncode  # noqa: S603  # our own module
    elif aws or after:
        raise ConfigurationError(
            "--aws and --after need a checkout of footnote, and none is here",
            code="no_endpoint",
            action="Run this in a checkout.",
        )
    elif as_json:
        terminal.print_json(check_health())
    if not as_json and not aws and not after:
        health = check_health()
        for line in (health["message"], *health["model"]):
            terminal.out.print(PlainText(line))
    raise typer.Exit(code)


def check_health() -> Json:
    """Returns `ok`, a `message`, and lines about the `model`: what answers, or what to do."""
    try:
        with connect() as client:
            message = f"footnote answers: {client.health()['status']}"
            return {"ok": True, "message": message, "model": _model_lines(client)}
    except FootnoteError as error:
        return {"ok": False, "message": f"{error.message} {error.action}", "model": []}


def _model_lines(client: "Client") -> list[str]:
    """Returns what is told of the model. A wrong setting of it keeps nothing else from working."""
    from footnote.cli.model_report import describe_model

    try:
        return list(describe_model(client))
    except FootnoteError as error:
        return [f"model: {error.message} {error.action}"]
