"""The command `footnote top`: what a deployment is at, for operators with AWS credentials."""

import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.options import AsJson
from footnote.cli.overview_lines import exposition, overview_lines, overview_table
from footnote.errors import BadRequestError, FootnoteError

if TYPE_CHECKING:
    from rich.console import Group

    from footnote.wiring.overview import Deployment, Overview

TEXT = "text/plain; version=0.0.4; charset=utf-8"


def top(
    stack: Annotated[
        str, typer.Option(help="Name of a CloudFormation stack on AWS; else the local stack.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="Print it once and end.")] = False,
    seconds: Annotated[float, typer.Option(help="Between two looks.", min=1)] = 5.0,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print it once, in Prometheus' form.")
    ] = False,
    serve: Annotated[
        int, typer.Option(help="Serve /metrics to Prometheus at this port of 127.0.0.1.", min=0)
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Show queues, documents at work, runs and today's cost over all tenants (for operators)."""
    from footnote.wiring.overview import find_deployment

    if sum((once, prometheus, bool(serve), as_json)) > 1:
        raise BadRequestError(
            "--once, --json, --prometheus and --serve exclude each other", action="Give one."
        )
    deployment = find_deployment(stack, time.time)
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


def shown(seen: "Overview") -> "Group":
    from rich.console import Group

    return Group(overview_table(seen), *overview_lines(seen))


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
