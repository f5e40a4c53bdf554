"""A model on loopback that plans several sub-questions and looks for each in turns, at a pace.

It notes when it was asked about each sub-question. So what waves are worth can be told: the time
that the sub-questions took one by one, beside the time in which all of them were done.
"""

import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from footnote.wire import Json
from tests.scripted_forms import Form, Reply
from tests.scripted_server import Scripted, ScriptedServer, sensible_reply
from tests.serving import serving

_ASKED = re.compile(r"^<<<\w{16} q\d+>>>\n(.*)$", re.MULTILINE)


class Planner(ScriptedServer):
    """Answers each request after `seconds`; plans the sub-questions `parts`.

    For each of them it searches in its first turn, and in the second it names the first passage.
    """

    def __init__(self, parts: Sequence[str], seconds: float) -> None:
        super().__init__()
        self._parts = parts
        self._seconds = seconds
        self._spans: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def next(self, form: Form, body: Json) -> Scripted:
        began = time.monotonic()
        time.sleep(self._seconds)
        if body.get("tools"):
            return self._look(form, body, began)
        if "kind" in form.schema_of(body).get("properties", {}):
            planned = [{"text": part} for part in self._parts]
            return Reply(json.dumps({"kind": "retrieve", "sub_questions": planned}))
        return sensible_reply(form, body)

    def _look(self, form: Form, body: Json, began: float) -> Reply:
        asked = _ASKED.findall(form.prompt_of(body))[0]
        with self._lock:
            first, _ = self._spans.get(asked, (began, began))
            self._spans[asked] = (first, time.monotonic())
        if len(body["messages"]) == 1:
            return Reply("", calls=(("search", {"query": asked}),))
        return Reply("", calls=(("finish", {"passages": [1], "summary": ""}),))

    def take_gain(self) -> tuple[float, float]:
        """Returns seconds of all sub-questions one by one, and from first to last; forgets both."""
        with self._lock:
            spans, self._spans = list(self._spans.values()), {}
        alone = sum(last - first for first, last in spans)
        return alone, max(last for _, last in spans) - min(first for first, _ in spans)


@contextmanager
def run_planner(parts: Sequence[str], seconds: float) -> Iterator[Planner]:
    planner = Planner(parts, seconds)
    with serving(planner, planner.ended) as server:
        yield server
