"""`make demo`: starts and deploys the stack, adds documents through the bucket, asks about them.

It prints the answers with their citations. DOCS=folder adds the user's own files, Q="question"
asks the user's own question.
"""

import json
import os
import sys
import time
from pathlib import Path

from footnote.cli import terminal
from footnote.cli.answer_lines import print_answer
from footnote.cli.document_lines import document_line, print_sidecar
from footnote.cli.event_lines import print_event
from footnote.cli.progress import AddProgress
from footnote.cli.upload import find_files
from footnote.client import Client, answer_of
from footnote.clock import iso
from footnote.errors import FootnoteError
from footnote.metadata.attributes import SUFFIX
from footnote.model import TERMINAL, document_id
from footnote.wire import Json
from local import lifecycle, models
from local.deploy import deploy_stack, session
from local.paths import ROOT
from local.state import Stack, StackError, running_stack
from local.steps import say

SAMPLES = ROOT / "samples"
TENANT, COLLECTION = "main", "default"
DEMO_QUESTIONS = 3


def main() -> int:
    started = time.monotonic()
    folder = Path(os.environ.get("DOCS") or SAMPLES / "documents").expanduser()
    try:
        files = list(find_files([folder]))
        say_model()
        stack = ready_stack()
        with Client(str(stack.api_url), str(stack.api_key)) as client:
            failed = add(stack, client, files)
            asked = questions()
            say(f"\n3. {len(asked)} question{'s' * (len(asked) > 1)} through API Gateway")
            for question in asked:
                ask(client, question)
    except (FootnoteError, StackError) as error:
        say(f"\n{error}\n{getattr(error, 'action', '')}".rstrip())
        return 1
    except KeyboardInterrupt:
        say("\ninterrupted; `make demo` goes on from here, `make down` forgets everything")
        return 130
    print_hints(stack, time.monotonic() - started)
    return 1 if failed and not os.environ.get("DOCS") else 0


def ready_stack() -> Stack:
    """Starts the dev stack if need be and deploys the working tree to it."""
    say("1. the stack: LocalStack, OpenSearch and DynamoDB on this machine, no cloud, no Docker")
    lifecycle.up("dev")
    return deploy_stack(running_stack("dev"))


def say_model() -> None:
    """Says who answers, and what its server cannot do. Raises StackError where it cannot answer."""
    chosen = models.choose()
    for row in models.findings(chosen):
        if not row.ok:
            raise StackError(f"model: {row.found}. Get it: {row.get}")
        say(f"   model: {row.found}")
    if chosen.mode == "extractive":
        say("   `make demo MODEL=…` lets a model plan, grade and write: docs/models.md")


def add(stack: Stack, client: Client, files: list[tuple[Path, str]]) -> int:
    """Uploads the files, waits until each has ended, and returns how many are not READY."""
    bucket = stack.outputs["UploadsBucket"]
    say(f"\n2. {len(files)} files into s3://{bucket}/{TENANT}/{COLLECTION}/")
    known = {record["document"]: record for record in client.documents()}
    s3 = session(stack).client("s3", endpoint_url=stack.aws_url)
    ended: list[Json] = []
    with AddProgress() as progress:
        added = []
        # sidecars first: so a document is never seen by more people than its sidecar allows
        for file, name in sorted(files, key=lambda each: not each[1].endswith(SUFFIX)):
            if (record := known.get(name)) and is_unchanged(record, file):
                ended.append(record)
                terminal.err.print(document_line(record))
                continue
            with file.open("rb") as body:
                put = s3.put_object(Bucket=bucket, Key=f"{TENANT}/{COLLECTION}/{name}", Body=body)
            key = f"{TENANT}/{COLLECTION}/{name}"
            if name.endswith(SUFFIX):
                print_sidecar(name)
                continue
            added.append({"id": document_id(key), "document": name, "version": put["VersionId"]})
            progress.begin(added[-1]["id"], name)
        ended += client.wait(added, progress.note)
    return sum(record["status"] != "READY" for record in ended)


def is_unchanged(record: Json, file: Path) -> bool:
    """Returns whether an earlier run added the file and nobody has touched it since."""
    seconds = file.stat().st_mtime
    return (
        record["status"] in TERMINAL
        and record["size"] == file.stat().st_size
        and record["received"] > iso(seconds)
    )


def questions() -> list[str]:
    if given := os.environ.get("Q"):
        return [given]
    if os.environ.get("DOCS"):
        return ["What are these documents about?"]
    lines = (SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines[:DEMO_QUESTIONS]]


def ask(client: Client, question: str) -> None:
    say("")
    terminal.out.print(terminal.headline(question))
    started = client.start(question)
    for event in client.follow(started["id"]):
        print_event(event)
    print_answer(answer_of(client.question(started["id"])))


def print_hints(stack: Stack, seconds: float) -> None:
    say(
        f"""
done in {seconds:.0f} s. Next:
  .venv/bin/footnote open            all of it in the browser, signed in
  .venv/bin/footnote ask "How many dealers does Ottermoss have?"
  .venv/bin/footnote search "late delivery" --strategy lexical
  .venv/bin/footnote add PATH        your own files, or: make demo DOCS=folder Q="question"
  .venv/bin/footnote status          every document, READY or why not
  curl -H "x-api-key: {stack.api_key}" {stack.api_url}/health
  make logs W=parse                  what a function printed
  make down                          stop, and forget everything"""
    )


if __name__ == "__main__":
    sys.exit(main())
