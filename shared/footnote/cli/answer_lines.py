"""Prints an answer with its citations and what was left out, or what it is expected to cost."""

import json

from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, out, place
from footnote.wire import Json


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


def print_expected(expected: Json) -> None:
    """Prints what a question is expected to cost, by task."""
    for task, spent in expected["by_task"].items():
        out.print(f"  {task:<11} {spent['tokens']:>9,.0f} tokens  ${spent['usd']:.6f}")
    out.print(f"  {'expected':<11} {expected['tokens']:>9,} tokens  ${expected['usd']:.6f}")
    for note in expected["notes"]:
        out.print(Text(f"  note: {note}"))
