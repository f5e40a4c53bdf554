"""Prints sessions, and a session's questions as they were understood."""

from collections.abc import Sequence

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, out
from footnote.text.fates import name_outcome
from footnote.wire import Json

OUTCOMES = {"found": "green", "FAILED": "red", "RUNNING": "cyan"}


def print_sessions(sessions: Sequence[Json]) -> None:
    """Prints a line for each session: when it was used, its id, its name or newest question."""
    for session in sessions:
        line = Text(f"{session['updated'][:16]:<18}", style="dim")
        line.append(clip(session["session"], 60), style="bold")
        line.append(f"  {clip(session.get('name') or session['last']['question'], 80)}")
        out.print(line)
    if not sessions:
        out.print(Text("no sessions yet: `footnote ask QUESTION --session ID`", style="dim"))


def print_turns(turns: Sequence[Json]) -> None:
    """Prints the questions of a session in order, and below each how it was understood."""
    before = ""
    for turn in turns:
        line = Text(f"{outcome(turn):<10}", style=OUTCOMES.get(outcome(turn), "yellow"))
        line.append(f"{turn['id']}  ", style="dim")
        line.append(clip(turn["question"], 200), style="bold")
        if turn["after"] != before:  # it does not follow the one above
            line.append(f"\n{'':<12}after {turn['after'] or 'nothing'}", style="dim")
        if turn["resolved"] != turn["question"]:
            line.append(f"\n{'':<12}understood: {clip(turn['resolved'], 200)}", style="cyan")
        out.print(line)
        before = turn["id"]


def outcome(turn: Json) -> str:
    """Returns a question's outcome, in a word or two."""
    if turn["status"] != "DONE":
        return str(turn["status"])
    if turn["kind"] != "answer":
        return "asked back" if turn["kind"] == "clarify" else "answered"
    return "found" if turn["found"] else name_outcome(turn.get("outcome"))


def print_named(session: Json) -> None:
    called = f"is called {clip(session['name'], 200)}" if session["name"] else "has no name"
    out.print(Text(f"{clip(session['session'], 60)} {called}"))


def print_deleted(session: str, count: int) -> None:
    noun = "question" if count == 1 else "questions"
    out.print(Text(f"deleted {clip(session, 60)}: {count} {noun}"))
