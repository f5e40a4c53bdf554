"""What a client that wants progress is told while a question is worked on."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from footnote.api.waiting import Waiting
from footnote.mcp.face import Face
from footnote.text.escaping import escape
from footnote.text.fates import fate_of
from footnote.wire import Json

type Tell = Callable[[str], None]

SHOWN = 300  # characters of a sentence or a question


def wait_for(record: Json, face: Face, waiting: Waiting, tell: Tell | None) -> Json:
    """Waits for a question's end, and tells meanwhile what happens. Returns its last record."""
    after = ""
    while record["status"] == "RUNNING" and waiting.pause():
        if tell:
            page = face.events(record["id"], after, 0)
            for event in page["events"]:
                after = event["id"]
                if said := say_event(event):
                    tell(said)
            if page["status"] == "RUNNING":
                continue
        record = face.question(record["id"])
    return record


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
