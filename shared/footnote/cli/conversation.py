"""`footnote ask` without a question: a conversation, one question after another in one session."""

import sys
import uuid
from collections.abc import Callable, Iterator
from importlib import import_module

from footnote.cli import terminal
from footnote.cli.answer_lines import doubtful_citations
from footnote.cli.answers import answer_question
from footnote.cli.browser import open_browser
from footnote.cli.plain_text import PlainText
from footnote.client import Client
from footnote.errors import BadRequestError, FootnoteError
from footnote.text.fates import UNCONFIRMED
from footnote.text.own_words import BY_OCR
from footnote.wire import Json

type Answering = Callable[[str, str], Json]
"""Asks a question in a session, prints the answer, and returns it."""

HELP = """\
A question, or:
  /sources      the citations of the last answer
  /open N       the page of citation N, in the browser
  /new          a new conversation
  /quit         the end (or Ctrl-D)"""


def begin_conversation(client: Client, options: Json, *, trace: bool, as_json: bool) -> None:
    """Answers questions until the input ends. `options` are those of the first one."""
    first = {"after": options.pop("after")}  # only the first question follows it
    session_id = options.pop("session")

    def answer(question: str, session: str) -> Json:
        arguments = options | {"session": session, "after": first.pop("after", "")}
        return answer_question(client, question, arguments, trace=trace, as_json=as_json)

    converse(session_id, answer, open_browser)


def converse(session: str, answer: Answering, show: Callable[[str], None]) -> None:
    """Reads questions until the input ends. An error of one does not end the conversation.

    Raises BadRequestError where a pipe has no question. `show` opens a part of the page in the
    browser.
    """
    session = session or uuid.uuid4().hex
    last: Json = {}
    line = ""
    for line in read_lines():
        word, _, rest = line.partition(" ")
        if word == "/quit":
            return
        if word == "/new":
            session, last = uuid.uuid4().hex, {}
            terminal.err.print(PlainText("a new conversation"))
        elif word == "/sources":
            terminal.err.print(PlainText("\n".join(sources(last)) or "no citations yet"))
        elif word == "/open":
            open_citation(last, rest, show)
        elif word.startswith("/"):
            terminal.err.print(PlainText(HELP))
        else:
            try:
                last = answer(line, session)
            except FootnoteError as error:
                terminal.err.print(PlainText(f"{error.code}: {error.message}\n{error.action}"))
    if not line and not sys.stdin.isatty():
        raise BadRequestError(
            "there is no question",
            code="empty_question",
            action="Give one as an argument, or one a line on standard input.",
        )


def read_lines() -> Iterator[str]:
    """Yields typed lines, or the lines of a pipe, without empty ones."""
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        import_module("readline")  # makes lines editable, and recalls earlier ones
        terminal.err.print(PlainText("Ask a question; /help lists what else there is."))
    while True:
        try:
            line = input("> ") if is_terminal else sys.stdin.readline()
        except EOFError:
            return
        if not is_terminal and not line:
            return
        if line.strip():
            yield line.strip()


def sources(answer: Json) -> list[str]:
    """Returns a line for each citation of an answer, with what is to be compared."""
    lines: list[str] = []
    doubtful = doubtful_citations(answer) if answer else set()
    for citation in answer.get("citations", []):
        where = terminal.place(
            citation["document"], citation["pages"], citation["section"], citation["labels"]
        )
        where += (
            f", {citation['url']}, fetched {citation['fetched']}" if citation.get("url") else ""
        )
        how = f" ({BY_OCR})" if citation.get("read") == "ocr" else ""
        how += f" ({UNCONFIRMED.words})" if citation["n"] in doubtful else ""
        lines.append(f"[{citation['n']}] {where}{how}")
    return lines


def open_citation(answer: Json, number: str, show: Callable[[str], None]) -> None:
    numbers = [str(citation["n"]) for citation in answer.get("citations", [])]
    if number.strip() not in numbers:
        message = (
            f"{number.strip()!r} is not a citation of the last answer; known: {', '.join(numbers)}"
        )
        terminal.err.print(PlainText(message))
        return
    show(f"/questions/{answer['id']}/citations/{number.strip()}")
