"""Answers for the command line: asking, exporting, and feedback."""

import json
from collections.abc import Iterator
from pathlib import Path

from footnote.cli import terminal
from footnote.cli.answer_lines import print_answer
from footnote.cli.event_lines import print_event
from footnote.cli.plain_text import PlainText
from footnote.cli.trace_tree import trace_tree
from footnote.client import TEXT_FORMS, Client, answer_of
from footnote.errors import BadRequestError, NotFoundError
from footnote.wire import Json


def answer_question(
    client: Client, question: str, options: Json, *, trace: bool, as_json: bool
) -> Json:
    """Asks, prints events as they happen, then the answer. Returns the answer."""
    started = client.start(question, **options)
    for event in client.follow(started["id"]):
        if not as_json:
            print_event(event)
    record = client.question(started["id"], trace=trace)
    if trace and not as_json:
        terminal.err.print(trace_tree(record))
    answer = answer_of(record)
    if as_json:
        terminal.print_json(answer)
    else:
        print_answer(answer)
    return answer


def write_export(client: Client, question_id: str, form: str, output: Path | None) -> Path | None:
    """Writes an answer to a file. A text without a named file goes to standard output.

    Returns the file. Raises BadRequestError where it cannot be written.
    """
    body = client.export(question_id, form)
    if output is None and form in TEXT_FORMS:
        text = body.decode().removesuffix("\n")
        terminal.echo_json(text) if form == "json" else terminal.echo(text)
        return None
    path = output or Path(f"answer-{question_id[:8]}.{form}")
    try:
        path.write_bytes(body)
    except OSError as error:
        raise BadRequestError(
            f"{path} cannot be written: {error.strerror or error}",
            code="unwritable_file",
            action="Name another file with --output.",
        ) from None
    return path


def feedback_lines(entries: list[Json]) -> Iterator[PlainText]:
    """Yields the lines of feedback: when, verdict, question, reason."""
    for entry in entries:
        about = f", sentence {entry['sentence'] + 1}" if entry["sentence"] is not None else ""
        about += f", citation {entry['citation']}" if entry["citation"] is not None else ""
        yield PlainText(f"{entry['created'][:16]} {entry['verdict']}{about}: {entry['question']}")
        yield PlainText(f"    {entry['question_id']} {entry['reason']}".rstrip())


def cases(client: Client, entries: list[Json]) -> Iterator[str]:
    """Yields a line of JSON for each `down` and `gap`, in the form of `evals/questions.py`.

    A gap should be refused until the documents are there. The right answer for a `down` is unknown:
    `evidence` is empty until a person fills it in, and `cited` holds the wrong citations.
    """
    for entry in entries:
        if entry["verdict"] == "up":
            continue
        try:
            record = client.question(entry["question_id"])
        except NotFoundError:  # it was deleted meanwhile
            record = {}
        cited = record.get("citations", [])
        yield json.dumps(
            {
                "id": f"feedback-{entry['id']}",
                "question": entry["question"],
                "answer": None,
                "answerable": entry["verdict"] != "gap",
                "scope": "corpus",
                "source": f"feedback ({entry['verdict']})",
                "docs": [],
                "pages": [],
                "evidence": [],
                "reason": entry["reason"],
                "given": record.get("answer", ""),
                "cited": [
                    {
                        "doc": each["document"],
                        "pages": each["pages"],
                        "read": each.get("read", "text"),
                    }
                    for each in cited
                ],
            },
            ensure_ascii=False,
        )
