"""The commands `footnote top` and `footnote audit`, for operators with AWS credentials."""

import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from footnote.cli import terminal
from footnote.cli.options import AsJson, Stack
from footnote.cli.overview_lines import (
    exposition,
    figure_lines,
    overview_lines,
    overview_table,
    steps_table,
)
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError, FootnoteError

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from footnote.wiring.overview import Deployment, Overview

SHOWN = 3  # documents of an act, on its line
TEXT = "text/plain; version=0.0.4; charset=utf-8"


def top(
    stack: Stack = "",
    once: Annotated[bool, typer.Option("--once", help="Print it once and end.")] = False,
    seconds: Annotated[float, typer.Option(help="Between two looks.", min=1)] = 5.0,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print it once, in Prometheus' form.")
    ] = False,
    serve: Annotated[
        int, typer.Option(help="Serve /metrics to Prometheus at this port of 127.0.0.1.", min=0)
    ] = 0,
    figures: Annotated[
        bool, typer.Option("--figures", help="With steps, tokens, domain: CloudWatch asks money.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show queues, documents at work, runs and today's cost over all tenants (for operators)."""
    from footnote.wiring.overview import find_deployment

    if sum((once, prometheus, bool(serve), as_json)) > 1:
        raise BadRequestError(
            "--once, --json, --prometheus and --serve exclude each other", action="Give one."
        )
    deployment = find_deployment(stack, time.time, with_figures=figures)
    if serve:
        make_server(deployment, serve).serve_forever()
    elif as_json:
        terminal.print_json(deployment.overview().model_dump(mode="json"))
    elif prometheus:
        terminal.echo(exposition(deployment.overview()).rstrip("\n"))
    elif once or not terminal.out.is_terminal:
        terminal.out.print(shown(deployment.overview()))
    else:
        watch(deployment, seconds)


def audit(
    person: Annotated[
        str, typer.Option(help="Only this caller: a key's id, or a token's name of its holder.")
    ] = "",
    document: Annotated[
        str, typer.Option(help="Only this document: its id, or tenant/collection/path.")
    ] = "",
    tenant: Annotated[str, typer.Option(help="Only this tenant.")] = "",
    kind: Annotated[
        Literal["read", "asked", "deleted", "changed"] | None,
        typer.Option(help="Only what was read, asked, deleted or changed."),
    ] = None,
    day: Annotated[str, typer.Option(help="Only this day (UTC), as 2026-11-28.")] = "",
    days: Annotated[int, typer.Option(help="So many days back, today among them.", min=1)] = 1,
    stack: Stack = "",
    as_json: AsJson = False,
) -> None:
    """Show who read, asked, deleted or changed what, from the audit log (for operators)."""
    from footnote.wiring.audit_reading import Wanted, deeds, find_lines

    since, until = _span(day, days, time.time())
    wanted = Wanted(
        since=since,
        until=until,
        tenant=tenant,
        person=person,
        document=_document_id(document),
        kind=kind or "",
    )
    found = 0
    for deed in deeds(find_lines(stack), wanted):
        found += 1
        if as_json:
            terminal.echo(deed.model_dump_json())
        else:
            things = [f"{name} {thing}" for name, thing in deed.others.items()]
            about = ", ".join([*deed.documents[:SHOWN], *things])
            hidden = len(deed.documents[SHOWN:])
            about += f", {hidden} more documents" if hidden else ""
            who = f"{deed.tenant}/{deed.caller}" if deed.caller else "nobody with access"
            line = f"{deed.moment}  {deed.kind:<7}  {who}  {deed.act}  {deed.outcome}  {about}"
            terminal.out.print(PlainText(line))
    if not found:
        terminal.err.print(PlainText("the log has no such line"))


def _span(day: str, days: int, now: float) -> tuple[float, float]:
    """Returns the epoch seconds of which lines are wanted. Raises BadRequestError for no day."""
    if not day:
        today = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return (today - timedelta(days=days - 1)).timestamp(), now
    try:
        first = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise BadRequestError(
            f"{day[:100]!r} is no day", action="Give a day as 2026-11-28."
        ) from None
    return first.timestamp(), (first + timedelta(days=1)).timestamp()


def _document_id(document: str) -> str:
    from footnote.model import document_id

    return document_id(document) if "/" in document else document


def shown(seen: "Overview") -> "Group":
    from rich.console import Group

    parts: list[RenderableType] = [overview_table(seen), *overview_lines(seen)]
    if seen.figures:
        parts += [steps_table(seen.figures), *figure_lines(seen.figures)]
    return Group(*parts)


def watch(deployment: "Deployment", seconds: float) -> None:
    """Shows it anew until Ctrl-C."""
    from rich.live import Live

    with Live(shown(deployment.overview()), console=terminal.out, auto_refresh=False) as live:
        while True:
            time.sleep(seconds)
            live.update(shown(deployment.overview()), refresh=True)


def make_server(deployment: "Deployment", port: int) -> HTTPServer:
    """Returns a server of /metrics for this machine alone. Each request looks anew."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the base class's name
            if self.path.partition("?")[0] != "/metrics":
                self.send_error(404)
                return
            try:
                body = exposition(deployment.overview()).encode()
            except FootnoteError as error:
                self.send_error(503, error.code)  # Prometheus then has `up` 0
                return
            self.send_response(200)
            self.send_header("Content-Type", TEXT)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Prints no line for each request."""

    return HTTPServer(("127.0.0.1", port), Handler)
