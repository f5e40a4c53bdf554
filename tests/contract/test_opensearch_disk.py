"""What is free for another generation: read of the nodes as OpenSearch and AWS tell it."""

import json
from http.server import BaseHTTPRequestHandler
from typing import ClassVar

import pytest
from opensearchpy import OpenSearch

from footnote.adapters.opensearch.disk import measure_room
from footnote.errors import ConfigurationError
from footnote.model import Room
from tests.serving import LoopbackServer, serving

NODE = {"node": "one", "disk.avail": "500", "disk.total": "1000"}
UNASSIGNED = {"node": "UNASSIGNED", "disk.avail": None, "disk.total": None}


def threshold(enabled, where="defaults"):
    disk = {"disk": {"threshold_enabled": enabled}}
    return {where: {"cluster": {"routing": {"allocation": disk}}}}


class Disks(BaseHTTPRequestHandler):
    """Answers what the nodes have, and notes what was asked."""

    nodes: ClassVar[list[dict[str, object]]] = []
    settings: ClassVar[dict[str, object]] = {}
    asked: ClassVar[list[str]] = []
    status = 200

    def do_GET(self):
        self.asked.append(self.path.split("?")[0])
        stored = {"_all": {"primaries": {"store": {"size_in_bytes": 70}}}}
        replies = {"/_cat/allocation": self.nodes, "/_cluster/settings": self.settings}
        body = json.dumps(replies.get(self.asked[-1], stored)).encode()
        self.send_response(self.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def measure():
    Disks.asked.clear()

    def measured(*nodes, settings=None, replicas=0, status=200):
        Disks.nodes, Disks.settings, Disks.status = list(nodes), settings or {}, status
        with serving(LoopbackServer(Disks)) as server:
            return measure_room(OpenSearch(server.url, max_retries=0), "plans-1", replicas)

    return measured


def test_a_fifth_of_each_disk_stays_free(measure):
    assert measure(NODE) == Room(taken=70, free=300)
    assert Disks.asked == ["/plans-1/_stats/store", "/_cat/allocation", "/_cluster/settings"]


def test_each_node_counts_by_itself_and_one_that_is_too_full_takes_nothing_of_others(measure):
    full = NODE | {"disk.avail": "100"}
    assert measure(NODE, full, NODE, UNASSIGNED).free == 600


def test_each_copy_of_the_new_generation_takes_room(measure):
    assert measure(NODE, replicas=2).taken == 210


@pytest.mark.parametrize("told", [False, "false"])
def test_all_of_a_disk_counts_where_opensearch_lets_it_run_full(measure, told):
    assert measure(NODE, settings=threshold(told)).free == 500


def test_what_was_set_last_counts(measure):
    settings = threshold("true", "transient") | threshold("false")
    assert measure(NODE, settings=settings).free == 300


def test_a_refused_look_is_an_error_and_no_room(measure):
    with pytest.raises(ConfigurationError):
        measure(NODE, status=401)
