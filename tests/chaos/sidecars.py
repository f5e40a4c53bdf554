"""Sidecars of a random history: attributes, who may read, and some that cannot be used."""

import json
import random

SIDECARS = 0.25  # of the events are about a document's sidecar
BAD_SIDECARS = (b"{", b'{"acl": "board"}', b'{"metadataAttributes": {"year": null}}', b" " * 11_000)
GROUPS = ("board", "finance", "legal")


def sidecar(chance: random.Random) -> bytes:
    kind = chance.random()
    if kind < 0.15:
        return chance.choice(BAD_SIDECARS)
    said = {"metadataAttributes": {"edition": chance.randint(1, 9), "of": "lighthouses"}}
    if kind < 0.6:
        said["acl"] = chance.sample(GROUPS, chance.randint(0, 2))
    return json.dumps(said).encode()
