"""The commands `footnote keys create, list, revoke`: for operators, with AWS credentials.

They work on the deployment whose usage plan `--plan` names, else on the local stack.
"""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.errors import BadRequestError
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.wiring.key_ring import IssuedKey

app = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys (for operators).")

Plan = Annotated[
    str, typer.Option(help="Usage plan of a deployment on AWS: its output UsagePlanId.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


@app.command()
def create(
    tenant: Annotated[str, typer.Option(help="Whose documents the key's holder sees.")],
    groups: Annotated[
        list[str] | None, typer.Option(help="A group of the holder; repeat for more.")
    ] = None,
    expires: Annotated[str, typer.Option(help="90d, or a date; never if not given.")] = "",
    name: Annotated[str, typer.Option(help="What the key is called; the tenant if none.")] = "",
    plan: Plan = "",
    as_json: AsJson = False,
) -> None:
    """Make an API key and print its value, which is shown only once."""
    from footnote.wiring.key_ring import key_ring

    issued, value = key_ring(plan).create(
        tenant, groups or [], name, parse_end(expires, time.time())
    )
    if as_json:
        terminal.print_json({**view(issued), "value": value})
        return
    terminal.echo(f"id {issued.id}\nkey {value}")
    terminal.err.print("Keep it: the key is not shown again.")


@app.command("list")
def list_keys(plan: Plan = "", as_json: AsJson = False) -> None:
    """List the API keys, without their values."""
    from footnote.wiring.key_ring import key_ring

    keys = [view(key) for key in key_ring(plan).list()]
    if as_json:
        terminal.print_json({"keys": keys})
        return
    for key in keys:
        groups = " ".join(key["groups"]) or "no groups"
        terminal.echo(f"{key['id']}  {key['tenant']}  {key['name']}  {groups}  {state(key)}")


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="The key's id, not its value.", metavar="ID")],
    plan: Plan = "",
    as_json: AsJson = False,
) -> None:
    """Revoke an API key: whoever sends it is refused."""
    from footnote.wiring.key_ring import key_ring

    key_ring(plan).revoke(key)
    if as_json:
        terminal.print_json({"id": key, "revoked": True})
    else:
        terminal.echo(f"{key} is revoked")


def parse_end(text: str, now: float) -> float | None:
    """Parses `90d`, a date or an ISO moment into epoch seconds; "" gives None.

    A date means its beginning in UTC. Raises BadRequestError for another text, or a past moment.
    """
    if not text:
        return None
    if days := re.fullmatch(r"([0-9]{1,5})d", text):
        end = now + timedelta(days=int(days[1])).total_seconds()
    else:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise BadRequestError(
                f"{text[:50]!r} is no date",
                code="bad_date",
                action="Give days as 90d, a date as 2027-03-31, or leave --expires out.",
            ) from None
        end = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if end <= now:
        raise BadRequestError(
            f"{text} is past: the key would never count",
            code="bad_date",
            action="Give a later one.",
        )
    return end


def view(key: "IssuedKey") -> Json:
    from footnote.clock import iso

    expires = None if key.expires is None else iso(key.expires)
    expired = key.expires is not None and key.expires <= time.time()
    return {**key._asdict(), "groups": list(key.groups), "expires": expires, "expired": expired}


def state(key: Json) -> str:
    """Returns in words whether a key counts, and how long."""
    if key["expired"]:
        return f"expired {key['expires'][:10]}"
    if not key["enabled"]:
        return "switched off"
    return f"until {key['expires'][:10]}" if key["expires"] else "for ever"
