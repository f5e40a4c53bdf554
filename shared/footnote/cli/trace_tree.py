"""The tree of all steps of a question, as `footnote ask --trace` and `footnote trace` print it.

It is drawn from the reply of `GET /questions/{id}?trace=true`. All words in it are data, many from
documents: they are shown on one line, cut, and without links. An event of an unknown kind is shown
by its name, so that an older command line can show a newer trace.
"""

import re
from collections.abc import Callable, Sequence

from rich.tree import Tree

from footnote.cli.plain_text import PlainText, plain
from footnote.cli.terminal import place
from footnote.text.fates import name_outcome
from footnote.text.own_words import BY_OCR
from footnote.text.part_names import name_parts
from footnote.wire import Json

_LINK = re.compile(r"(?:\b[a-z][a-z0-9+.-]{1,20}:/|\bwww\.|\bmailto:)\S*", re.IGNORECASE)
WIDTH = 100  # the longest text that is shown, in characters


NOTHING: Json = {
    **dict.fromkeys(("kind", "reason", "resolved", "sub_question", "question"), ""),
    **dict.fromkeys(("strategy", "chosen", "decision", "stopped"), ""),
    **dict.fromkeys(("questions", "subs", "calls", "top", "verdicts", "notes", "tools"), ()),
    **dict.fromkeys(("n", "of", "round"), 1),
    **dict.fromkeys(("batch", "documents", "in_scope", "items"), 0),
    **dict.fromkeys(("ms", "best", "passages", "tokens", "usd"), 0),
    **dict.fromkeys(("sentences", "citations", "ocr", "removed", "failed"), 0),
}
"""The values of fields that an older version's events lack."""


def trace_tree(record: Json) -> Tree:
    """Draws a question's plan, rounds of searches, verdicts and writing, with their figures."""
    drawn = _Drawn(record)
    for event in record["trace"]:
        DRAW.get(event["kind"], _draw_other)(drawn, event)
    return drawn.tree


class _Drawn:
    """The growing tree: searches and verdicts of a round share a branch."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.tree = Tree(label("question", record["question"]), guide_style="dim")
        self._rounds: dict[int, Tree] = {}

    def add(self, name: str, text: str) -> Tree:
        return self.tree.add(label(name, text))

    def round(self, number: int) -> Tree:
        if number not in self._rounds:
            self._rounds[number] = self.add(f"round {number}", "")
        return self._rounds[number]


def _draw_estimate(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    branch = drawn.add("expected", _cost(data))
    for note in data["notes"]:
        branch.add(label("note", note))


def _draw_plan(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    branch = drawn.add("plan", f"{data['kind']}, {data['ms']:.0f} ms: {data['reason']}")
    if data["resolved"] not in {"", drawn.record["question"]}:
        branch.add(label("understood", data["resolved"]))
    for sub, text in zip(data["subs"], data["questions"], strict=False):
        after = f" (after {', '.join(sub['after'])})" if sub["after"] else ""
        branch.add(label(sub["id"], f"{text}{after}"))
    _draw_calls(branch, data["calls"])


def _draw_read(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    text = f"{data['documents']} documents of {data['in_scope']}, {data['items']} lines noted"
    text += f", stopped: {data['stopped']}" if data["stopped"] else ""
    text += f", {data['ms']:.0f} ms"
    text += f", {_cost(data)}" if data["tokens"] else ""
    drawn.add(f"read {data['batch']} of {data['of']}", text)


def _draw_turn(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    text = f"{data['sub_question']}: {', '.join(data['tools']) or 'nothing was called'}"
    text += f" ({data['failed']} failed)" if data["failed"] else ""
    text += f", {data['passages']} passages so far, {_cost(data)}"
    drawn.round(data["round"]).add(label(f"turn {data['n']} of {data['of']}", text))


def _draw_visit(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    came = f"{data['document']}, {data['bytes']:,} bytes, " if data["document"] else ""
    text = f"{data['sub_question']}: {data['at']}, {came}{data['outcome']}, {data['ms']:.0f} ms"
    drawn.round(data["round"]).add(label(f"outside, by {data['tool']}", text))


def _draw_found(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    passages = "1 passage" if data["passages"] == 1 else f"{data['passages']} passages"
    text = f"{data['strategy']}, {passages}, best {data['best']:.3f}, {data['ms']:.0f} ms"
    if data["tokens"] or data["usd"]:
        text += f", {_cost(data)}"
    branch = drawn.round(data["round"]).add(
        label(f"search {data['n']} of {data['of']}", f"{data['sub_question']}: {text}")
    )
    branch.add(label("for", data["question"]))
    if data["chosen"]:
        branch.add(label("chosen", data["chosen"]))
    for hit in data["top"]:
        branch.add(label(f"{hit['score']:.3f}", place(hit["document"], hit["pages"])))


def _draw_verdict(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    text = f"{data['decision']}, {data['ms']:.0f} ms"
    branch = drawn.round(data["round"]).add(label("verdict", text))
    for verdict in data["verdicts"]:
        missing = f"; missing: {verdict['missing']}" if verdict["missing"] else ""
        text = f"{verdict['decision']}, confidence {verdict['confidence']:.2f}{missing}"
        branch.add(label(verdict["id"], text))
    _draw_calls(branch, data["calls"])


def _draw_opened(drawn: _Drawn, event: Json) -> None:
    data = event["data"]
    branch = drawn.add("opened", f"{len(data['passages'])} of {data['asked']} asked for")
    for opened in data["passages"]:
        branch.add(label(opened["document"], name_parts(opened["document"], opened["pages"])))


def _draw_masked(drawn: _Drawn, event: Json) -> None:
    counts = ", ".join(f"{one['count']} {one['kind']}" for one in event["data"]["values"])
    drawn.add("masked", f"{event['data']['task']}: {counts}")


def _draw_removed(drawn: _Drawn, event: Json) -> None:
    drawn.add("removed", f"“{event['data']['text']}”: {event['data']['reason']}")


def _draw_restart(drawn: _Drawn, event: Json) -> None:  # noqa: ARG001 - as the others
    drawn.add("restart", "what was written so far is void")


def _draw_written(drawn: _Drawn, event: Json) -> None:
    data = NOTHING | event["data"]
    counts = ", ".join(
        f"{data[name]} {word if data[name] == 1 else name}"
        for name, word in (("sentences", "sentence"), ("citations", "citation"), ("removed",) * 2)
    )
    took = drawn.record.get("timings_ms", {}).get("synthesize")
    by_ocr = f", {data['ocr']} of the citations {BY_OCR}" if data["ocr"] else ""
    branch = drawn.add("written", f"{counts}{by_ocr}{_milliseconds(took)}")
    _draw_calls(branch, data["calls"])


def _draw_answered(drawn: _Drawn, event: Json) -> None:
    record = drawn.record
    outcome = "found" if event["data"]["found"] else name_outcome(event["data"].get("outcome"))
    if record.get("kind") != "answer":
        outcome = str(record.get("kind", outcome))
    usage, timings = record.get("usage", {}), record.get("timings_ms", {})
    text = f"{outcome}, confidence {record.get('confidence', 0):.2f}"
    text += f"{_milliseconds(timings.get('total'))}, {_cost(usage)}"
    branch = drawn.add("answered", text)
    for step in dict.fromkeys((*timings, *usage.get("by_step", {}))):
        if step != "total":
            spent = usage.get("by_step", {}).get(step)
            cost = f", {_cost(spent)}" if spent else ""
            branch.add(label(step, f"{timings.get(step, 0):.0f} ms{cost}"))


def _draw_failed(drawn: _Drawn, event: Json) -> None:
    drawn.add("failed", f"{event['data'].get('code', '')}: {event['data'].get('message', '')}")


def _draw_other(drawn: _Drawn, event: Json) -> None:
    drawn.add(event["kind"], "")


def _draw_nothing(drawn: _Drawn, event: Json) -> None:
    """Draws no words: the answer below has them."""


DRAW: dict[str, Callable[[_Drawn, Json], None]] = {
    "estimate": _draw_estimate,
    "plan": _draw_plan,
    "read": _draw_read,
    "turn": _draw_turn,
    "visit": _draw_visit,
    "found": _draw_found,
    "verdict": _draw_verdict,
    "masked": _draw_masked,
    "opened": _draw_opened,
    "words": _draw_nothing,
    "removed": _draw_removed,
    "restart": _draw_restart,
    "written": _draw_written,
    "answered": _draw_answered,
    "failed": _draw_failed,
}
"""Draws each kind of event."""


def _draw_calls(branch: Tree, calls: Sequence[Json]) -> None:
    for call in calls:
        cached = f" ({call['cached']:,} cached)" if call["cached"] else ""
        text = f"{call['model']}, prompt {call['prompt'][:12]}, {call['input']:,} tokens in{cached}"
        text += f", {call['output']:,} out{_dollars(call['usd'])}, {call['ms']:.0f} ms"
        branch.add(label(f"model: {call['task']}", text))


def _milliseconds(took: float | None) -> str:
    return "" if took is None else f", {took:.0f} ms"


def _cost(spent: Json) -> str:
    return f"{spent.get('tokens', 0):,.0f} tokens{_dollars(spent.get('usd', 0))}"


def _dollars(usd: float) -> str:
    """Returns ", $0.000123". Nothing is told of no dollars: a price may not be known."""
    return f", ${usd:.6f}" if usd else ""


def label(name: str, text: str) -> PlainText:
    """Returns a branch: its name in bold, then words of any origin, without links and cut."""
    line = PlainText(_one_line(name, 40), style="bold")
    if text:
        line.append(f"  {_one_line(text, 2 * WIDTH)}", style="not bold")
    return line


def _one_line(text: str, length: int) -> str:
    flat = _LINK.sub("[link]", plain(" ".join(text.split())))  # plain first: ht<escape>tp://
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
