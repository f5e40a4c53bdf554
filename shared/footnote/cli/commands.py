"""The commands: `footnote add, status, retry, remove, search, ask, reindex, estimate, …`.

They call the REST API through `client.py`. `--json` prints what the API replied. A command imports
what only it needs itself, so that `--help` appears at once.
"""

import json
import shlex
import subprocess
import sys
import time
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footnote.cli import terminal
from footnote.cli.plain_text import PlainText
from footnote.endpoint import endpoint, roots
from footnote.errors import BadRequestError, FootnoteError
from footnote.wire import Json

if TYPE_CHECKING:
    import httpx

    from footnote.client import Client

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Drop files in, ask questions, get answers with checked footnotes.",
)

INTERRUPTED = 130  # the exit status that shells give to a command ended by Ctrl-C

transport: ContextVar["httpx.BaseTransport | None"] = ContextVar("transport", default=None)
"""The transport of requests. None means the network, another one a footnote in this process."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Collection = Annotated[str, typer.Option(help="Where documents are kept apart from others.")]
InCollection = Annotated[str | None, typer.Option("--collection", help="Only this collection.")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Only this document; repeat for more.")
]
Filters = Annotated[
    list[str] | None,
    typer.Option("--filter", help="k=v, k!=v, k>=v … on metadata, or JSON; repeat for more."),
]
SessionId = Annotated[str, typer.Argument(help="The session.", metavar="ID")]
Attributes = Annotated[
    list[str] | None,
    typer.Option("--metadata", help="k=v to find the documents by; repeat for more."),
]


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders (with all in them).")],
    collection: Collection = "default",
    metadata: Attributes = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until they end.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add files. Exits with 1 if one of them did not become searchable."""
    from footnote.cli.progress import add_progress
    from footnote.cli.upload import find_files, upload
    from footnote.metadata.attributes import from_pairs

    files = list(find_files(paths))
    attributes = from_pairs(metadata or [])
    added: list[Json] = []
    try:
        with connect() as client, add_progress(len(files)) as progress:
            refused = upload(client, files, collection, attributes, progress, added=added)
            ended: list[Json] = []
            if wait and added:
                ended = client.wait(added, progress.note)
    except KeyboardInterrupt:
        terminal.print_interrupted(len(added), len(files))
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        terminal.print_json({"documents": ended or added, "refused": refused})
    elif not wait:
        terminal.out.print(f"{len(added)} uploaded; `footnote status` shows how they get on")
    if refused or any(record["status"] != "READY" for record in ended):
        raise typer.Exit(1)


@app.command()
def status(
    keys: Annotated[list[str] | None, typer.Argument(help="Documents; all if none.")] = None,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Show documents: READY, in progress, or why they failed."""
    with connect() as client:
        if keys:
            records = [client.document(key, collection) for key in keys]
        else:
            records = list(client.documents())
    if as_json:
        terminal.print_json({"documents": records})
    else:
        terminal.print_documents(records)


@app.command()
def retry(
    key: Annotated[str, typer.Argument(help="The document.")] = "",
    code: Annotated[str, typer.Option(help="All documents with this error instead.")] = "",
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Retry a document that FAILED, or all documents that failed with one code."""
    if bool(key) == bool(code):
        raise BadRequestError(
            "what to retry: a document, or all with a code",
            code="bad_retry",
            action="`footnote retry KEY`, or `footnote retry --code CODE`.",
        )
    with connect() as client:
        records = client.retry_all(code) if code else [client.retry(key, collection)]
    if as_json:
        terminal.print_json({"documents": records} if code else records[0])
    else:
        terminal.print_documents(records)


@app.command()
def remove(
    keys: Annotated[list[str], typer.Argument(help="Documents to forget.")],
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Delete documents. No answer uses them from then on."""
    with connect() as client:
        removed = [client.remove(key, collection) for key in keys]
        waiting = client.wait_removed(removed)
    if as_json:
        terminal.print_json({"removed": removed, "pending": [one["id"] for one in waiting]})
    else:
        for record in removed:
            terminal.out.print(PlainText(f"removed {record['document']}"))
    if waiting:
        raise typer.Exit(1)


@app.command()
def search(
    query: str,
    strategy: Annotated[
        str, typer.Option(help="By words, by meaning, or by both: hybrid; auto chooses.")
    ] = "auto",
    k: Annotated[int, typer.Option("-k", help="How many hits.")] = 10,
    minimum_results: Annotated[
        int, typer.Option(help="With fewer hits, a strategy that finds more is asked.")
    ] = 0,
    collection: InCollection = None,
    document: Documents = None,
    filters: Filters = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what gave each hit its score.")
    ] = False,
    why: Annotated[
        str, typer.Option(help="Follow DOCUMENT or DOCUMENT:PAGE: where was it lost?")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Find passages."""
    options = scope_options(collection, document, filters) | followee(why)
    options |= {"minimum_results": minimum_results} if minimum_results else {}
    with connect() as client:
        found = client.search(query, strategy=strategy, k=k, explain=explain, **options)
    if as_json:
        terminal.print_json(found)
    else:
        terminal.print_hits(found)


@app.command()
def ask(
    question: str,
    session: Annotated[str, typer.Option(help="Earlier questions with this id count.")] = "",
    after: Annotated[
        str, typer.Option(help="The earlier question (its id) that this one follows.")
    ] = "",
    collection: InCollection = None,
    document: Documents = None,
    filters: Filters = None,
    persona: Annotated[
        str, typer.Option(help="How the answer is written: default, analyst or terse.")
    ] = "",
    schema: Annotated[
        Path | None, typer.Option(help="Also give data of this JSON Schema, from a file.")
    ] = None,
    context: Annotated[
        Path | None, typer.Option(help="A record in a file of JSON that the question is about.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show all that was done for it.")] = False,
    budget_seconds: Annotated[float | None, typer.Option(help="Its deadline.")] = None,
    budget_rounds: Annotated[int | None, typer.Option(help="Searches of one sub-question.")] = None,
    budget_searches: Annotated[int | None, typer.Option(help="Searches in all.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Tokens of models.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Dollars.")] = None,
    estimate_only: Annotated[
        bool, typer.Option("--estimate", help="Only say what it is expected to cost.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a question. Every sentence of the answer points at its page."""
    from footnote.cli.trace_tree import trace_tree
    from footnote.client import answer_of

    with connect() as client:
        options = scope_options(collection, document, filters)
        options |= {"persona": persona} if persona else {}
        options |= {"schema": json_of(schema)} if schema else {}
        options |= {"context": json_of(context)} if context else {}
        caps = {
            "seconds": budget_seconds,
            "rounds": budget_rounds,
            "searches": budget_searches,
            "tokens": budget_tokens,
            "usd": budget_usd,
        }
        budget = {name: cap for name, cap in caps.items() if cap is not None}
        options |= {"session": session, "after": after, "budget": budget}
        if estimate_only:
            expected = client.estimate(question, **options)
            terminal.print_json(expected) if as_json else terminal.print_expected(expected)
            return
        started = client.start(question, **options)
        for event in client.follow(started["id"]):
            if not as_json:
                terminal.print_event(event)
        asked = client.question(started["id"], trace=trace)
    if trace and not as_json:
        terminal.err.print(trace_tree(asked))
    answer = answer_of(asked)
    if as_json:
        terminal.print_json(answer)
    else:
        terminal.print_answer(answer)


sessions = typer.Typer(help="List sessions, newest first; show or delete one.")
app.add_typer(sessions, name="sessions")


@sessions.callback(invoke_without_command=True)
def list_sessions(context: typer.Context, as_json: AsJson = False) -> None:
    """List sessions, newest first; show or delete one."""
    if context.invoked_subcommand:
        return
    with connect() as client:
        found = list(client.sessions())
    if as_json:
        terminal.print_json({"sessions": found})
    else:
        terminal.print_sessions(found)


@sessions.command(name="show")
def show_session(session: SessionId, as_json: AsJson = False) -> None:
    """Show a session's questions in order, each as it was understood."""
    with connect() as client:
        turns = list(client.session(session))
    if as_json:
        terminal.print_json({"session": session, "turns": turns})
    else:
        terminal.print_turns(turns)


@sessions.command(name="delete")
def delete_session(session: SessionId, as_json: AsJson = False) -> None:
    """Delete a session: its questions, their answers, and what was found for them."""
    with connect() as client:
        deleted = client.delete_session(session)
    if as_json:
        terminal.print_json({"session": session, "deleted": deleted})
    else:
        terminal.print_deleted(session, deleted)


@app.command()
def reindex(
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it is done.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Even if it would be the same.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build a new index from the stored artifacts and switch to it. Searches go on meanwhile."""
    with connect() as client:
        run = client.reindex(force=force)
        while wait and run["status"] == "RUNNING":
            run = client.reindex_status(run["id"])
            time.sleep(0.5 if run["status"] == "RUNNING" else 0)
    if as_json:
        terminal.print_json(run)
    else:
        terminal.print_reindex(run)
    if run["status"] == "FAILED":
        raise typer.Exit(1)


@app.command()
def estimate(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders (with all in them).")],
    context_model: Annotated[str, typer.Option(help="Model that writes contextual lines.")] = "",
    as_json: AsJson = False,
) -> None:
    """Estimate what adding files would cost. Reads them here: nothing is sent or paid."""
    from footnote.cli.estimate import estimate_files, estimate_view, print_estimate
    from footnote.cli.upload import find_files
    from footnote.metadata.attributes import SUFFIX

    files = [one for one in find_files(paths) if not one[1].endswith(SUFFIX)]
    found, prices = estimate_files(files, context_model, terminal.err)
    if as_json:
        terminal.print_json(estimate_view(found, prices))
    else:
        print_estimate(found, prices, terminal.out)
    if any(one.error for one in found):
        raise typer.Exit(1)


@app.command(name="endpoint")
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
        typer.echo(f"export FOOTNOTE_URL={shlex.quote(url)} FOOTNOTE_API_KEY={shlex.quote(key)}")
    else:
        typer.echo(f"url {url}\nkey {key}")


@app.command()
def doctor(
    aws: Annotated[
        bool, typer.Option("--aws", help="Ask the AWS account what a deployment would lack.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is missing on this machine, how to get it, and whether footnote answers."""
    local = next((root for root in roots() if (root / "local" / "doctor.py").is_file()), None)
    code = 0
    if local:
        options = [*(["--aws"] if aws else []), *(["--json"] if as_json else [])]
        command = [sys.executable, "-m", "local.doctor", *options]
        code = subprocess.run(command, cwd=local, check=False).returncode  # noqa: S603  # our own module
    elif as_json:
        terminal.print_json(check_health())
    if not as_json and not aws:
        terminal.out.print(PlainText(check_health()["message"]))
    raise typer.Exit(code)


def run() -> None:
    """Runs the command line. Prints an error of ours as code, message and action, no traceback."""
    try:
        app()
    except FootnoteError as error:
        terminal.err.print(PlainText(f"{error.code}: {error.message}\n{error.action}"))
        sys.exit(1)


# -- what the commands share ---------------------------------------------------------------------


def connect() -> "Client":
    from footnote.client import Client

    return Client.connect(transport=transport.get())


def check_health() -> Json:
    """Returns `ok` and a `message`: how footnote answers, or what to do if it does not."""
    try:
        with connect() as client:
            return {"ok": True, "message": f"footnote answers: {client.health()['status']}"}
    except FootnoteError as error:
        return {"ok": False, "message": f"{error.message} {error.action}"}


def scope_options(
    collection: str | None, documents: list[str] | None, filters: list[str] | None
) -> Json:
    from footnote.metadata.conditions import from_texts

    return {
        "collection": collection,
        "documents": documents or [],
        "filters": from_texts(filters or []),
    }


def json_of(path: Path) -> object:
    """Reads a file of JSON. Raises BadRequestError for one that is not there, or is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRequestError(
            f"{path} is no file of JSON: {error}",
            code="bad_file",
            action="Give the name of a file with one JSON object in UTF-8.",
        ) from None


def followee(why: str) -> Json:
    """Reads DOCUMENT or DOCUMENT:PAGE. A name that ends in a colon and digits needs its page."""
    if not why:
        return {}
    name, _, page = why.rpartition(":")
    if name and page.isdecimal():
        return {"why": {"document": name, "page": int(page)}}
    return {"why": {"document": why}}
