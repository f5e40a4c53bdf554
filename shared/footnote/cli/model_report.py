"""What `footnote doctor` says of a deployment's model: who is set, what its last answers took.

No question is asked for it, which would cost. The newest answers of the last sessions tell.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.client import Client

LAST = 5  # sessions, whose newest question is looked at
QUESTION = "How many boats were moored in the north harbour in March?"
RULES = "extractive"
FAILED = "The language model"  # how a note begins that says why rules stood in
SMALL = "deploy with ModelProfile=small, which asks it once a question"
NOTHING = "no answers yet in sessions: ask on the page or with --session, then run this again"
ADVICE = (
    (r"in time|too late", f"too slow: {SMALL}, or a faster machine"),
    (
        r"context|too long|answered 413",
        f"its window is too small: 8192 tokens and more, or {SMALL}",
    ),
    (r"answered 40[1-4]", "check the key, its credit and the model names"),
    (r"answered 3\d\d", "correct the URL: the API is elsewhere"),
    (r"was not available", "is its server up, and can the functions reach it (ChatBaseUrl)?"),
    (r"of no use", f"too weak for the task: a stronger model, or {SMALL}"),
)
"""Words of a note, and what to do then. The first that occur count."""


def describe_model(client: "Client") -> Iterator[str]:
    """Yields lines: who answers, what is not counted, how the last answers came about."""
    expected = client.estimate(QUESTION)
    mode, only_writes = expected["mode"], list(expected["by_task"]) == ["synthesize"]
    if mode == RULES:
        yield "model: none, answers are the documents' own sentences"
        return
    yield f"model: {mode}{', it only writes (ModelProfile=small)' if only_writes else ''}"
    yield from (f"model: {note}" for note in expected["notes"])
    newest = [entry["last"] for entry in client.sessions(enough=LAST)[:LAST]]
    records = [client.question(one["id"], trace=True) for one in newest if one["status"] == "DONE"]
    yield from describe_answers(records)


def describe_answers(records: Sequence[Json]) -> Iterator[str]:
    """Yields lines: who wrote, why rules stood in and what to do, how long each task took."""
    if not records:
        yield f"model: {NOTHING}"
        return
    wrote = sum(record["mode"] != RULES for record in records)
    yield f"model: wrote {wrote} of the last {len(records)} answers, rules the others"
    notes = Counter(note for record in records for note in set(record["degraded"]))
    for note, count in notes.most_common():
        if note.startswith(FAILED):
            yield f"model: {count} of {len(records)}: {note}{advise(note)}"
    yield from describe_times([call for record in records for call in calls_of(record)])


def advise(note: str) -> str:
    told = next((what for words, what in ADVICE if re.search(words, note)), "")
    return f" To do: {told}." if told else ""


def calls_of(record: Json) -> Iterator[Json]:
    """Yields the calls that the model replied to, not those in which rules stood in."""
    for event in record["trace"]:
        for call in event["data"].get("calls", ()):
            if not call["model"].startswith(RULES):
                yield call


def describe_times(calls: Sequence[Json]) -> Iterator[str]:
    """Yields for each task its model, the median of its seconds, and its tokens a second."""
    for task in dict.fromkeys(call["task"] for call in calls):
        own = [call for call in calls if call["task"] == task]
        seconds = sum(call["ms"] for call in own) / 1000
        tokens = sum(call["input"] + call["output"] for call in own)
        pace = f", {tokens / seconds:,.0f} tokens a second" if seconds and tokens else ""
        middle = median(call["ms"] for call in own) / 1000
        yield f"model: {task} by {own[-1]['model']}: {middle:.1f} s{pace}"
