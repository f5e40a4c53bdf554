"""Measures the disk of the nodes: what a generation takes of it, and what is free for another."""

from opensearchpy import OpenSearch

from footnote.adapters.opensearch.client import translate_errors
from footnote.model import Room
from footnote.wire import Json

_KEPT_FREE = 0.2
"""The share of each node's disk that stays free. A domain on AWS takes no writes with less, and
OpenSearch moves no shard to a node with less than .15 (`disk.watermark.low`)."""
_THRESHOLD = "cluster.routing.allocation.disk.threshold_enabled"


def measure_room(client: OpenSearch, generation: str, replicas: int) -> Room:
    """Returns the room that a generation takes with so many replicas, and what the nodes have.

    Where OpenSearch lets disks run full (`disk.threshold_enabled` is false) all of them counts.
    """
    with translate_errors("measuring the disk of the index"):
        stored = client.indices.stats(index=generation, metric="store")
        nodes = client.cat.allocation(format="json", bytes="b", h="node,disk.avail,disk.total")
        settings = client.cluster.get_settings(
            params={"include_defaults": "true", "filter_path": f"*.{_THRESHOLD}"}
        )
    copy = int(stored["_all"]["primaries"]["store"]["size_in_bytes"])
    kept_free = _KEPT_FREE if _has_threshold(settings) else 0.0
    free = sum(_free(node, kept_free) for node in nodes if node["disk.total"])
    return Room(taken=copy * (1 + replicas), free=free)


def _free(node: Json, kept_free: float) -> int:
    return max(0, int(int(node["disk.avail"]) - kept_free * int(node["disk.total"])))


def _has_threshold(settings: Json) -> bool:
    """Tells whether OpenSearch looks at how full disks are: it does unless it is told not to."""
    for where in ("transient", "persistent", "defaults"):
        found = settings.get(where, {})
        for name in _THRESHOLD.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        if found is not None:
            return str(found).lower() == "true"
    return True
