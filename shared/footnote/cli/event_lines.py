"""Prints the steps of answering as they happen: a line for each kind of event."""

from collections.abc import Callable, Mapping
from typing import Any

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, cost, err
from footnote.text.fates import fate_of
from footnote.text.own_words import BY_OCR
from footnote.wire import Json


def print_event(event: Mapping[str, Any]) -> None:
    """Prints one step of answering as it happens."""
    if event["kind"] in EVENTS and (line := EVENTS[event["kind"]](event["data"])):
        err.print(Text(f"  · {line}", style="dim"))


def _describe_estimate(data: Json) -> str:
    if not data["tokens"]:
        return ""  # the answer says that no model is configured
    usd = cost(data["usd"], is_priced=data.get("priced", True))
    return f"expected: about {data['tokens']:,} tokens, {usd}"


def _describe_plan(data: Json) -> str:
    questions = "".join(f"\n      {clip(question, 90)}" for question in data["questions"])
    return f"plan: {data['kind']}{questions if len(data['questions']) > 1 else ''}"


def _describe_turn(data: Json) -> str:
    called = ", ".join(data["tools"]) or "nothing was called"
    name, so_far = data["sub_question"], f"{data['passages']} passages so far"
    return f"turn {data['n']} of {data['of']}, {name}: {called}; {so_far}"


def _describe_visit(data: Json) -> str:
    return f"outside, by {data['tool']}: {data['at']}, {data['outcome']}, {data['ms']:.0f} ms"


def _describe_read(data: Json) -> str:
    items = f"{data['items']} {'line' if data['items'] == 1 else 'lines'} noted"
    stopped = f", stopped: {data['stopped']}" if data["stopped"] else ""
    read = f"{data['documents']} documents of {data['in_scope']}, {items}{stopped}"
    return f"read {data['batch']} of {data['of']}: {read}, {data['ms']:.0f} ms"


def _describe_found(data: Json) -> str:
    place_in_wave = f" {data['n']} of {data['of']}" if data.get("of", 1) > 1 else ""
    return (
        f"found{place_in_wave}: {data['passages']} passages, best {data['best']:.2f},"
        f" {data['ms']:.0f} ms: "
        f"{clip(data['question'], 60)}"
    )


def _describe_verdict(data: Json) -> str:
    missing = {verdict["missing"] for verdict in data["verdicts"] if verdict["missing"]}
    why = f": {clip('; '.join(missing), 90)}" if missing else ""
    return f"verdict: {data['decision']} in round {data['round']}{why}"


def _describe_opened(data: Json) -> str:
    count = len(data["passages"])
    return f"the writer reads around {count} {'passage' if count == 1 else 'passages'}"


def _describe_words(data: Json) -> str:
    """Describes a sentence and how it was checked, which events of older versions do not tell."""
    checked = data.get("checked") or ("ocr" if data.get("read") == "ocr" else None)
    fate = fate_of(checked, data.get("judged_by"))
    return f"{fate.mark} {fate.short}: {clip(data['text'], 70)}" if fate else ""


def _describe_answer(data: Json) -> str:
    count = data["removed"]
    removed = f", {count} {'sentence' if count == 1 else 'sentences'} removed" if count else ""
    by_ocr = data.get("ocr", 0)  # replies of older versions lack it
    others = data["citations"] - by_ocr
    parts = [f"{others} {'citation' if others == 1 else 'citations'}"]
    if by_ocr:
        noun = "citation" if by_ocr == 1 else "citations"
        parts = [*(parts if others else ()), f"{by_ocr} {noun} {BY_OCR}"]
    return f"answered: {', '.join(parts)}{removed}"


EVENTS: dict[str, Callable[[Json], str]] = {
    "estimate": _describe_estimate,
    "plan": _describe_plan,
    "read": _describe_read,
    "turn": _describe_turn,
    "visit": _describe_visit,
    "found": _describe_found,
    "verdict": _describe_verdict,
    "opened": _describe_opened,
    "words": _describe_words,
    "restart": lambda _: "it is written anew: the sentences so far are void",
    "answered": _describe_answer,
    "failed": lambda data: f"failed: {data['code']}: {data['message']}",
}
"""The line of text for each kind of event. Other kinds appear only in the tree."""
