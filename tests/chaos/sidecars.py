"""Makes sidecars for random histories: with attributes, with readers, and some unusable ones."""

import json
import random

SIDECARS = 0.25  # share of events that concern a document's sidecar
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
