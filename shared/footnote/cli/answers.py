"""Answers for the command line: asked for, as files, and what was said of them."""

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
    """Asks, prints events as they happen and then the answer, and returns it."""
    started = client.start(question, **options)
    for event in client.follow(started["id"]):
        if not as_json:
            print_event(event)
    asked = client.question(started["id"], trace=trace)
    if trace and not as_json:
        terminal.err.print(trace_tree(asked))
    answer = answer_of(asked)
    if as_json:
        terminal.print_json(answer)
    else:
        print_answer(answer)
    return answer


def write_export(client: Client, question_id: str, form: str, output: Path | None) -> Path | None:
    """Writes an answer as a file, or to standard output where it is text and no file is named.

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


def feedback_lines(said: list[Json]) -> Iterator[PlainText]:
    """Yields what is printed of feedback: when, what, on which question, why."""
    for one in said:
        about = f", sentence {one['sentence'] + 1}" if one["sentence"] is not None else ""
        about += f", citation {one['citation']}" if one["citation"] is not None else ""
        yield PlainText(f"{one['created'][:16]} {one['verdict']}{about}: {one['question']}")
        yield PlainText(f"    {one['question_id']} {one['reason']}".rstrip())


def cases(client: Client, said: list[Json]) -> Iterator[str]:
    """Yields a line of JSON for each `down` and `gap`, in the form that `evals/questions.py` reads.

    A gap should be refused until the documents are there. What is right for a `down` nobody has
    said: `evidence` is empty until a person fills it in, and `cited` says what was wrong.
    """
    for one in said:
        if one["verdict"] == "up":
            continue
        try:
            asked = client.question(one["question_id"])
        except NotFoundError:  # it was deleted meanwhile
            asked = {}
        cited = asked.get("citations", [])
        yield json.dumps(
            {
                "id": f"feedback-{one['id']}",
                "question": one["question"],
                "answer": None,
                "answerable": one["verdict"] != "gap",
                "scope": "corpus",
                "source": f"feedback ({one['verdict']})",
                "docs": [],
                "pages": [],
                "evidence": [],
                "reason": one["reason"],
                "given": asked.get("answer", ""),
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
