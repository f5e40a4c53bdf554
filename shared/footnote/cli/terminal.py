"""Prints answers, documents and progress in a terminal, which shows all words and obeys none."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.errors import FootnoteError
from footnote.wire import Json

SHOWN_WARNINGS = 3  # lines below a document
COLOURS = {"READY": "green", "FAILED": "red", "UNSUPPORTED": "yellow", "DELETED": "dim"}

OUTCOMES = {"found": "green", "FAILED": "red", "RUNNING": "cyan"}

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)


def headline(text: str) -> Text:
    return Text(text, style="bold cyan")


def print_json(value: object) -> None:
    """Prints one JSON value on standard output, for scripts."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201  # the CLI's output


def document_line(record: Json) -> Text:
    """Returns `READY  report.pdf  12 pages, 40 chunks`, or the reason why it is not READY."""
    status = record["status"]
    line = Text(f"{status:<12}", style=COLOURS.get(status, "cyan"))
    line.append(record["document"], style="bold")
    if error := record["error"]:
        line.append(f"  {error['code']}: {error['message']} {error['action']}", style="default")
    elif status == "READY":
        pages = f"{record['pages']} pages, " if record["pages"] else ""
        spent = f", ${record['usd']:.4f}" if record["usd"] else ""
        line.append(f"  {pages}{record['chunks']} chunks{spent}", style="dim")
    for warning in record["warnings"][:SHOWN_WARNINGS]:
        line.append(f"\n{'':<12}warning: {warning}", style="yellow")
    if (more := len(record["warnings"]) - SHOWN_WARNINGS) > 0:
        line.append(f"\n{'':<12}{more} more: --json shows all warnings", style="yellow")
    return line


def print_refusal(document: str, error: FootnoteError) -> None:
    """Prints that a file was not accepted, and why."""
    name = clip(document, 80)
    err.print(Text(f"REFUSED     {name}  {error.code}: {error.message} {error.action}", "red"))


def print_interrupted(uploaded: int, files: int) -> None:
    """Prints that work on uploaded files goes on although Ctrl-C has ended the command."""
    err.print(
        f"interrupted: {uploaded} of {files} files are uploaded and go on being worked on; "
        "`footnote status` shows how they get on"
    )


def print_sidecar(name: str) -> None:
    """Prints that a file was uploaded as a sidecar, and so is not a document."""
    err.print(Text(f"SIDECAR     {clip(name, 80)}"))


def print_documents(records: Sequence[Json]) -> None:
    for record in records:
        out.print(document_line(record))
    counts: dict[str, int] = {}
    for record in records:
        counts[record["status"]] = counts.get(record["status"], 0) + 1
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    out.print(Text(summary or "no documents yet: `footnote add PATH`", style="dim"))


def print_sessions(sessions: Sequence[Json]) -> None:
    """Prints a line for each session: when it was last used, its id, its newest question."""
    for one in sessions:
        line = Text(f"{one['updated'][:16]:<18}", style="dim")
        line.append(clip(one["session"], 60), style="bold")
        line.append(f"  {clip(one['last']['question'], 80)}")
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
    """Returns what became of a question, in a word or two."""
    if turn["status"] != "DONE":
        return str(turn["status"])
    if turn["kind"] != "answer":
        return "asked back" if turn["kind"] == "clarify" else "answered"
    return "found" if turn["found"] else "not found"


def print_deleted(session: str, count: int) -> None:
    noun = "question" if count == 1 else "questions"
    out.print(Text(f"deleted {clip(session, 60)}: {count} {noun}"))


def print_reindex(run: Json) -> None:
    """Prints how a re-index stands and, once it has ended, what became of it."""
    line = f"re-index {run['status']}"
    if error := run.get("error"):
        line += f"  {error['code']}: {error['message']} {error['action']}"
    elif run.get("outcome") == "unchanged":
        line += ": nothing to do, a new index would be the same; --force builds it all the same"
    out.print(Text(line))


def explain_lines(explained: Json | None) -> list[str]:
    """Returns a line for each leg that found a hit, and one for the model that re-ranked it."""
    explained = explained or {}
    lines = [
        f"{leg['leg']:<8} rank {leg['rank']:>3}  score {leg['raw']:.3f}"
        f"  scaled {leg['scaled']:.3f}  weight {leg['weight']:g}"
        for leg in explained.get("legs", ())
    ]
    lines += [
        f"{one['signal']:<8} named, +{one['added']:.3f}" for one in explained.get("signals", ())
    ]
    if (given := explained.get("reranked")) is not None:
        lines.append(f"re-ranked, {given:.3f}")
    return lines


def print_hits(found: Json) -> None:
    for hit in found["hits"]:
        head = Text(f"{hit['rank']:>2}. ", style="bold")
        head.append(
            place(hit["document"], hit["pages"], hit["section"], hit["labels"]), style="cyan"
        )
        head.append(f"  {hit['score']:.3f}", style="dim")
        out.print(head)
        out.print(Padding(Text(clip(hit["text"], 300)), (0, 0, 0, 4)))
        for line in explain_lines(hit.get("explain")):
            out.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))
    out.print(
        Text(f"{len(found['hits'])} hits, {found['strategy']}, {found['took_ms']} ms", style="dim")
    )
    if chosen := found.get("chosen"):
        out.print(Text(f"auto took {chosen['strategy']}: {chosen['why']}", style="dim"))
    for note in found.get("degraded", ()):
        out.print(Text(note, style="yellow"))
    if followed := found.get("why"):
        print_followed(followed)


def print_followed(followed: Json) -> None:
    """Prints what became of a document or page that was followed."""
    page = f", page {followed['page']}" if followed["page"] else ""
    end = f"lost at: {followed['lost_at']}" if followed["lost_at"] else "it is a hit"
    out.print(Text(f"{followed['document']}{page}: {end}", style="bold"))
    for look in followed["looks"]:
        mark = "ok  " if look["holds"] else "lost"
        out.print(Padding(Text(f"{mark} {look['at']:<10} {look['told']}"), (0, 0, 0, 4)))


def print_answer(answer: Json) -> None:
    """Prints the answer, then each citation: document, page, section, quote."""
    out.print(Text(answer["answer"], style="bold" if answer["found"] else "yellow"))
    if answer.get("data") is not None:
        out.print(Text(f"data {json.dumps(answer['data'], ensure_ascii=False, indent=2)}"))
    for citation in answer["citations"]:
        mark = "✓" if citation["verified"] else "✗"
        line = Text(f"  [{citation['n']}] {mark} ", style="green" if mark == "✓" else "red")
        line.append(
            place(
                citation["document"],
                citation["pages"],
                citation["section"],
                citation["labels"],
            ),
            style="cyan",
        )
        out.print(line)
        out.print(Padding(Text(f"“{clip(citation['quote'], 240)}”", style="dim"), (0, 0, 0, 6)))
        if labels := [label for label in citation["header"] if label]:
            shown = f"columns: {clip(' | '.join(labels), 200)}"
            out.print(Padding(Text(shown, style="dim"), (0, 0, 0, 6)))
    for removed in answer["removed"]:
        out.print(Text(f"  {_describe_removed(removed)}", style="yellow"))
    total = answer["timings_ms"].get("total", 0)
    out.print(
        Text(
            f"  {answer['mode']}, {count_checked(answer)}"
            f"confidence {answer['confidence']:.2f}, {total / 1000:.1f} s, "
            f"{answer['usage']['tokens']} tokens, ${answer['usage']['usd']:.4f}",
            style="dim",
        )
    )
    for note in answer["degraded"]:
        out.print(Text(f"  note: {note}", style="yellow"))


def _describe_removed(removed: Json) -> str:
    """Returns a line for a sentence that did not hold, or for a field that is null."""
    said = f"“{removed['text']}”: " if removed["text"] else ""
    of = f"no {removed['field']}" if removed.get("field") else "removed"
    return f"{of}: {said}{removed['reason']}"


def count_checked(answer: Json) -> str:
    """Counts how an answer's sentences were checked: `2 exact, 1 supported, ` or ""."""
    ways = [
        f"{count} {way}"
        for way in ("exact", "supported")
        if (count := sum(one["checked"] == way for one in answer["sentences"]))
    ]
    return f"{', '.join(ways)}, " if ways else ""


def print_event(event: Mapping[str, Any]) -> None:
    """Prints one step of answering as it happens."""
    if event["kind"] in EVENTS and (told := EVENTS[event["kind"]](event["data"])):
        err.print(Text(f"  · {told}", style="dim"))


def print_expected(expected: Json) -> None:
    """Prints what a question is expected to cost, by task."""
    for task, spent in expected["by_task"].items():
        out.print(f"  {task:<11} {spent['tokens']:>9,.0f} tokens  ${spent['usd']:.6f}")
    out.print(f"  {'expected':<11} {expected['tokens']:>9,} tokens  ${expected['usd']:.6f}")
    for note in expected["notes"]:
        out.print(Text(f"  note: {note}"))


def _describe_estimate(data: Json) -> str:
    if not data["tokens"]:
        return ""  # the answer says that no model is configured
    return f"expected: about {data['tokens']:,} tokens, ${data['usd']:.4f}"


def _describe_plan(data: Json) -> str:
    questions = "".join(f"\n      {clip(question, 90)}" for question in data["questions"])
    return f"plan: {data['kind']}{questions if len(data['questions']) > 1 else ''}"


def _describe_turn(data: Json) -> str:
    called = ", ".join(data["tools"]) or "nothing was called"
    name, so_far = data["sub_question"], f"{data['passages']} passages so far"
    return f"turn {data['n']} of {data['of']}, {name}: {called}; {so_far}"


def _describe_found(data: Json) -> str:
    place_in_wave = f" {data['n']} of {data['of']}" if data.get("of", 1) > 1 else ""
    return (
        f"found{place_in_wave}: {data['passages']} passages, best {data['best']:.2f},"
        f" {data['ms']:.0f} ms: "
        f"{clip(data['question'], 60)}"
    )


def _describe_verdict(data: Json) -> str:
    missing = {one["missing"] for one in data["verdicts"] if one["missing"]}
    why = f": {clip('; '.join(missing), 90)}" if missing else ""
    return f"verdict: {data['decision']} in round {data['round']}{why}"


def _describe_answer(data: Json) -> str:
    count = data["removed"]
    removed = f", {count} {'sentence' if count == 1 else 'sentences'} removed" if count else ""
    noun = "citation" if data["citations"] == 1 else "citations"
    return f"answered: {data['citations']} {noun} checked{removed}"


EVENTS: dict[str, Callable[[Json], str]] = {
    "estimate": _describe_estimate,
    "plan": _describe_plan,
    "turn": _describe_turn,
    "found": _describe_found,
    "verdict": _describe_verdict,
    "answered": _describe_answer,
    "failed": lambda data: f"failed: {data['code']}: {data['message']}",
}
"""Makes the line of text for an event of each kind. Others are shown in the tree alone."""


def place(
    document: str, pages: Sequence[int], section: Sequence[str], labels: Sequence[str] = ()
) -> str:
    """Returns `report.pdf, page 3, Risks > Supply`; `page 3 (labelled iv)` with a label."""
    parts = [document]
    if pages:
        numbers = ", ".join(str(page) for page in pages)
        numbers += f" (labelled {', '.join(labels)})" if labels else ""
        parts.append(f"page{'s' if len(pages) > 1 else ''} {numbers}")
    if section:
        parts.append(" > ".join(section))
    return ", ".join(parts)


def clip(text: str, length: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"
