"""What of a model's text is its reply: not its thoughts, not a fence or a sentence around JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence

THINKING_ROOM = 4_000  # output tokens for a model that thinks before it writes
THOUGHTS = ("think", "thinking", "thought", "reasoning")  # names of the tags around thoughts
MOST_TRIES = 40  # braces at which JSON may begin
NAMES = ("name", "tool", "function")  # fields by which a call that is written as text names a tool

_decoder = json.JSONDecoder()


def cut_thoughts(text: str) -> str:
    """Returns the text after a model's thoughts, "" where they do not end."""
    begun = text.lstrip().casefold()
    for name in THOUGHTS:
        _, closing, reply = text.rpartition(f"</{name}>")
        if closing:
            return reply.lstrip()
        if begun.startswith(f"<{name}>"):
            return ""
    return text


def json_in(text: str, shape: Mapping[str, object]) -> str:
    """Returns the JSON object in a reply that ought to be nothing else.

    It is the first one that has most of what `shape` requires. A text without an object is returned
    as it is.
    """
    reply = cut_thoughts(text)
    required = shape.get("required")
    wanted = {str(name) for name in required} if isinstance(required, list) else set()
    objects = _objects_in(reply)
    best = max(objects, key=lambda found: len(wanted & found[1].keys()), default=None)
    return best[0] if best else reply


def has_written_call(text: str, tools: Sequence[str]) -> bool:
    """Tells whether a text has a call of a tool as JSON, as models write that were not taught."""
    return any(
        value.get(field) in tools for _, value in _objects_in(cut_thoughts(text)) for field in NAMES
    )


def _objects_in(text: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Yields the JSON objects in a text, as they are written and as values."""
    at = text.find("{")
    for _ in range(MOST_TRIES):
        if at < 0:
            return
        try:
            value, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        yield text[at:end], value
        at = text.find("{", end)
