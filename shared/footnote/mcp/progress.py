"""What a client that wants progress is told while a question or a grid is worked on."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from footnote.api.waiting import Pausing
from footnote.mcp.face import Face
from footnote.text.escaping import escape
from footnote.text.fates import fate_of
from footnote.wire import Json


class Progress(NamedTuple):
    """What is told: words, and how much is done of how much, where that is known."""

    said: str
    done: int = 0
    total: int | None = None


type Tell = Callable[[Progress], None]

SHOWN = 300  # characters of a sentence or a question


def wait_for(record: Json, face: Face, waiting: Pausing, tell: Tell | None) -> Json:
    """Waits for a question's end, and tells meanwhile what happens. Returns its last record."""
    after = ""
    while record["status"] == "RUNNING" and waiting.pause():
        if tell:
            page = face.events(record["id"], after, 0)
            for event in page["events"]:
                after = event["id"]
                if said := say_event(event):
                    tell(Progress(said))
            if page["status"] == "RUNNING":
                continue
        record = face.question(record["id"])
    return record


def wait_for_grid(grid_id: str, face: Face, waiting: Pausing, tell: Tell | None) -> Json:
    """Waits until a grid is filled, and tells meanwhile how much of it is. Returns the grid."""
    grid, told = face.grid(grid_id), -1
    while grid["status"] == "RUNNING":
        progress = progress_of_grid(grid["counts"])
        if tell and progress.done > told:
            tell(progress)
            told = progress.done
        if not waiting.pause():
            break
        grid = face.grid(grid_id)
    return grid


def progress_of_grid(counts: Json) -> Progress:
    cells = sum(count for kind, count in counts.items() if kind != "stale")  # counted twice
    filled = cells - counts["waiting"] - counts["running"]
    return Progress(f"{filled} of {cells} cells are filled", filled, cells)


def say_event(event: Json) -> str:
    """Returns an event of a question's trace as a line, or "" for one that tells nobody anything.

    Documents' words are escaped, and there are none but those of sentences that were checked.
    """
    say = EVENTS.get(event["kind"])
    return say(event["data"]) if say else ""


def _say_words(data: Json) -> str:
    fate = fate_of(data["checked"], data["judged_by"])
    return f"{fate.mark} {fate.short}: {_clip(data['text'])}" if fate else ""


def _say_found(data: Json) -> str:
    return f"{data['passages']} passages found: {_clip(data['question'])}"


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return escape(line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…")


EVENTS: Mapping[str, Callable[[Json], str]] = MappingProxyType(
    {
        "plan": lambda data: f"planned: {len(data['questions'])} to look up",
        "read": lambda data: f"read whole: batch {data['batch']} of {data['of']}",
        "found": _say_found,
        "verdict": lambda data: f"round {data['round']}: {data['decision']}",
        "words": _say_words,
        "restart": lambda _: "the answer is written anew: the sentences so far are void",
    }
)
"""Kind of event → what is told of it."""
