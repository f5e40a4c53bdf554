"""Records what functions did to the services behind the proxy, whatever answer they got."""

import threading
from collections import Counter, defaultdict
from itertools import pairwise
from urllib.parse import unquote

from footnote.model import pad_sequencer
from tests.chaos.wire import Call, Reply


class Traffic:
    """Notes each request that reached its service; no crash and no lost answer hides one."""

    def __init__(self) -> None:
        self.reads: Counter[str] = Counter()  # GETs, by path
        self._live: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._begun: dict[str, int] = {}  # delivery → moment of its first call
        self._stored: dict[str, int] = {}  # vector → moment when it was first stored
        self._embedded_again = 0
        self._moment = 0
        self._lock = threading.Lock()

    def note_call(self, call: Call) -> None:
        with self._lock:
            self._moment += 1
            self._begun.setdefault(call.delivery, self._moment)

    def done(self, call: Call, reply: Reply) -> None:
        with self._lock:
            self._moment += 1
            if call.service == "s3" and call.method == "GET" and reply.status == 200:
                path, _, query = call.path.partition("?")
                if "tagging" not in query:  # a file's tags are not the file
                    self.reads[unquote(path)] += 1
            if call.service == "dynamodb" and reply.status == 200:
                self._note_write(call, reply)

    def _note_write(self, call: Call, reply: Reply) -> None:
        if call.operation == "BatchWriteItem":
            [(_, requests)] = call.json["RequestItems"].items()
            for request in requests:
                self._note_vector(call, request["PutRequest"]["Item"]["key"]["S"])
        elif call.operation == "UpdateItem" and "#live_version =" in call.json["UpdateExpression"]:
            item = reply.json["Attributes"]
            event = (item["live_version"]["S"], item["sequencer"]["S"])
            events = self._live[item["document_id"]["S"]]
            if events[-1:] != [event]:  # else the write was repeated and changed nothing
                events.append(event)

    def _note_vector(self, call: Call, key: str) -> None:
        before = self._stored.setdefault(key, self._moment)
        if before < self._begun[call.delivery]:
            self._embedded_again += 1

    @property
    def twice(self) -> int:
        """Counts versions that went live more than once and texts embedded although cached."""
        live = 0
        for events in self._live.values():
            versions = [version for version, _ in events]
            changes = [one for n, one in enumerate(versions) if versions[n - 1 : n] != [one]]
            live += len(changes) - len(set(changes))
        return live + self._embedded_again

    @property
    def resurrected(self) -> int:
        """Counts versions that went live after a version of a newer event."""
        return sum(
            pad_sequencer(later) < pad_sequencer(earlier)
            for events in self._live.values()
            for (_, earlier), (_, later) in pairwise(events)
        )
