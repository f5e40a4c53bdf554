"""Prints an answer with its citations and removed sentences, or its expected cost."""

import json

from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, out, place
from footnote.text.own_words import BY_OCR, explain_figures, mark_figures
from footnote.wire import Json

WAYS = {
    "exact": "exact",
    "confirmed": "confirmed",
    "unconfirmed": "not confirmed",
    "ocr": "read by OCR",
}
"""How a sentence was checked, and the words for it."""
NOT_COUNTED = "its cost is not counted"
"""Stands in a note of each answer that has dollars of which footnote does not know."""


def print_answer(answer: Json) -> None:
    """Prints the answer, then each citation: document, page, section, quote."""
    out.print(Text(answer["answer"], style="bold" if answer["found"] else "yellow"))
    if answer.get("data") is not None:
        out.print(Text(f"data {json.dumps(answer['data'], ensure_ascii=False, indent=2)}"))
        for line in fields_by_ocr(answer):
            out.print(Text(line, style="yellow"))
    for citation in answer["citations"]:
        _print_citation(citation)
    for removed in answer["removed"]:
        out.print(Text(f"  {_describe_removed(removed)}", style="yellow"))
    total = answer["timings_ms"].get("total", 0)
    out.print(
        Text(
            f"  {answer['mode']}, {count_checked(answer)}"
            f"confidence {answer['confidence']:.2f}, {total / 1000:.1f} s, "
            f"{answer['usage']['tokens']} tokens, {describe_cost(answer)}",
            style="dim",
        )
    )
    for note in answer["degraded"]:
        out.print(Text(f"  note: {note}", style="yellow"))


def describe_cost(answer: Json) -> str:
    """Returns an answer's dollars; where no price is known they are not 0 but not counted."""
    usd = answer["usage"]["usd"]
    if not any(NOT_COUNTED in note for note in answer["degraded"]):
        return f"${usd:.4f}"
    return f"${usd:.4f} and what is not counted" if usd else "cost not counted"


def fields_by_ocr(answer: Json) -> list[str]:
    """Returns a line for each value of the data that rests on words read by OCR."""
    return [
        f"  {value['field']}: {json.dumps(value['value'], ensure_ascii=False)}, {BY_OCR}"
        for value in answer.get("fields", ())
        if value.get("read") == "ocr"
    ]


def _print_citation(citation: Json) -> None:
    """Prints a citation: its place, its quote, and doubts about it.

    Replies of older versions lack `read`.
    """
    mark, style = _mark(citation)
    line = Text(f"  [{citation['n']}] {mark} ", style=style)
    where = citation["document"], citation["pages"], citation["section"], citation["labels"]
    out.print(line.append(place(*where), style="cyan"))
    quote = citation["quote"]
    doubts = [
        (doubt["start"], doubt["end"], doubt["reason"], doubt["other"])
        for doubt in citation.get("doubts", ())
    ]
    _print_below(f"“{clip(mark_figures(quote, doubts), 240)}”")
    if labels := [label for label in citation["header"] if label]:
        _print_below(f"columns: {clip(' | '.join(labels), 200)}")
    if citation.get("read") == "ocr":
        _print_below(BY_OCR, "yellow")
    for explanation in explain_figures(quote, doubts):
        _print_below(explanation, "yellow")


def _mark(citation: Json) -> tuple[str, str]:
    """Returns a citation's sign and its style. Only the file's own text has a ✓."""
    if not citation["verified"]:
        return "✗", "red"
    return ("OCR", "yellow") if citation.get("read") == "ocr" else ("✓", "green")


def _print_below(text: str, style: str = "dim") -> None:
    out.print(Padding(Text(text, style=style), (0, 0, 0, 6)))


def _describe_removed(removed: Json) -> str:
    """Returns a line for a sentence that did not hold, or for a field that is null."""
    quoted = f"“{removed['text']}”: " if removed["text"] else ""
    what = f"no {removed['field']}" if removed.get("field") else "removed"
    return f"{what}: {quoted}{removed['reason']}"


def count_checked(answer: Json) -> str:
    """Counts how an answer's sentences were checked: `2 exact, 1 read by OCR, ` or ""."""
    ways = [
        f"{count} {words}"
        for way, words in WAYS.items()
        if (count := sum(sentence["checked"] == way for sentence in answer["sentences"]))
    ]
    return f"{', '.join(ways)}, " if ways else ""


def print_expected(expected: Json) -> None:
    """Prints the expected cost of a question, by task."""
    for task, spent in expected["by_task"].items():
        out.print(f"  {task:<11} {spent['tokens']:>9,.0f} tokens  ${spent['usd']:.6f}")
    out.print(f"  {'expected':<11} {expected['tokens']:>9,} tokens  ${expected['usd']:.6f}")
    for note in expected["notes"]:
        out.print(Text(f"  note: {note}"))
