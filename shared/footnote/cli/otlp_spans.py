"""What was done for a question or with a document, as spans in OTLP's JSON.

`footnote trace ID --otlp` writes the body of a request to `/v1/traces` of any collector of
OpenTelemetry (opentelemetry-proto, "OTLP/JSON"). Ids are made of what is traced: whoever sends it
twice has one trace. Spans carry counts, codes, names of models and dollars, and no words of
questions, answers or documents. Of model calls the names are those of its conventions for
generative AI (`gen_ai.*`).

Footnote stores how long each step worked, and the moments of the beginning and the end alone. So a
span begins where the one before it ended; searches of a wave begin together.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from footnote import __version__
from footnote.wire import Json

type Attributes = Mapping[str, str | int | float]

INTERNAL, OK, ERROR = 1, 1, 2  # of OTLP's enumerations SpanKind and StatusCode
MS = 1_000_000  # nanoseconds
NUMBERS = ("passages", "best", "round", "tokens", "usd", "documents", "items", "failed", "bytes")
WORDS = ("strategy", "decision", "tool", "outcome", "kind")
"""What events tell in figures, and in words that are footnote's own."""


@dataclass
class Spans:
    """The spans of one trace, whose root is the first."""

    trace: str  # its id
    found: list[Json] = field(default_factory=list)

    def add(self, name: str, begin: int, ms: float, of: Attributes, parent: str = "") -> Json:
        """Adds a span. Its id is made of its place, so that it is the same each time."""
        span: Json = {
            "traceId": self.trace,
            "spanId": digest(self.trace, str(len(self.found)))[:16],
            "parentSpanId": parent,
            "name": name,
            "kind": INTERNAL,
            "startTimeUnixNano": str(begin),
            "endTimeUnixNano": str(begin + round(ms * MS)),
            "attributes": attributes(of),
            "status": {},
        }
        self.found.append(span)
        return span

    def end(self, error: Json | None) -> None:
        """Says how it ended, by its error's code; the root lasts as long as what is in it."""
        root = self.found[0]
        root["status"] = {"code": ERROR, "message": error["code"]} if error else {"code": OK}
        last = max(int(one["endTimeUnixNano"]) for one in self.found)
        root["endTimeUnixNano"] = str(last)

    def request(self) -> Json:
        """Returns the body of a request to a collector."""
        resource = {"service.name": "footnote", "service.version": __version__}
        scope = {"name": "footnote.trace", "version": __version__}
        return {
            "resourceSpans": [
                {
                    "resource": {"attributes": attributes(resource)},
                    "scopeSpans": [{"scope": scope, "spans": self.found}],
                }
            ]
        }


def question_spans(record: Json, created: str) -> Json:
    """Draws a question with its trace. `created` is when it was asked, in ISO's form."""
    begin = moment(created)
    spans = Spans(record["id"])
    timings = record.get("timings_ms", {})
    of = {"footnote.question_id": record["id"], "footnote.status": record["status"]}
    usage = record.get("usage", {})
    of |= {f"footnote.{name}": usage[name] for name in ("tokens", "usd") if name in usage}
    root = spans.add("question", begin, timings.get("total", 0), of)["spanId"]
    for wave in waves(record["trace"]):
        ends = [draw(spans, event, begin, timings, root) for event in wave]
        begin = max(ends)
    spans.end(record.get("error"))
    return spans.request()


def waves(events: Sequence[Json]) -> Iterator[list[Json]]:
    """Yields the events that tell of work, those together that were at work together."""
    wave: list[Json] = []
    for event in events:
        if event["kind"] not in ("plan", "read", "turn", "visit", "found", "verdict", "written"):
            continue
        if wave and not event["kind"] == wave[-1]["kind"] == "found":
            yield wave
            wave = []
        wave.append(event)
    if wave:
        yield wave


def draw(spans: Spans, event: Json, begin: int, timings: Json, root: str) -> int:
    """Adds an event's span and those of its model calls; returns when it ended."""
    data = event["data"]
    calls = [call for call in data.get("calls", ()) if call["input"]]  # rules read no tokens
    kind: str = event["kind"]
    name = NAMES.get(kind, kind)
    ms = data.get("ms", timings.get(name, sum(call["ms"] for call in calls)))
    of = {f"footnote.{one}": data[one] for one in (*NUMBERS, *WORDS) if data.get(one)}
    parent = spans.add(name, begin, ms, of, root)
    at = begin
    for call in calls:
        told = spans.add(f"chat {call['model']}", at, call["ms"], of_call(call), parent["spanId"])
        at = int(told["endTimeUnixNano"])
    return max(at, int(parent["endTimeUnixNano"]))


NAMES = {"found": "retrieve", "verdict": "grade", "written": "synthesize"}
"""The step that tells of an event, where it is called otherwise."""


def of_call(call: Json) -> Attributes:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": call["model"],
        "gen_ai.usage.input_tokens": call["input"],
        "gen_ai.usage.output_tokens": call["output"],
        "footnote.task": call["task"],
        "footnote.prompt": call["prompt"],
        "footnote.usd": call["usd"],
    }


def document_spans(record: Json) -> Json:
    """Draws a document's stages."""
    begin = moment(record["received"])
    spans = Spans(digest(record["id"], record["version"])[:32])
    of: Attributes = {
        "footnote.document_id": record["id"],
        "footnote.status": record["status"],
        "footnote.media_type": record["media_type"],
        "footnote.bytes": record["size"],
        "footnote.pages": record["pages"],
        "footnote.chunks": record["chunks"],
        "footnote.usd": record["usd"],
    }
    lasted = (moment(record["updated"]) - begin) / MS
    root = spans.add("document", begin, lasted, of)["spanId"]
    for stage, ms in record["timings_ms"].items():
        begin = int(spans.add(stage, begin, ms, {}, root)["endTimeUnixNano"])
    spans.end(record["error"])
    return spans.request()


def moment(iso: str) -> int:
    """Returns a moment in nanoseconds since 1970."""
    return round(datetime.fromisoformat(iso).timestamp() * 1000) * MS


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def attributes(of: Attributes) -> list[Json]:
    """Returns attributes in OTLP's form, in which a whole number is a text."""
    return [{"key": name, "value": value_of(value)} for name, value in of.items()]


def value_of(value: str | float) -> Json:
    match value:
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case _:
            return {"stringValue": value}
