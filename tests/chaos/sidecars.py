"""Makes sidecars for random histories, and says what each of them means.

The meaning is read here from the bytes, by the rules of docs/metadata.md and by no code of
footnote's: a judge that asked the product would find it right.
"""

import json
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SIDECARS = 0.25  # share of events that concern a document's sidecar
BAD_SIDECARS = (
    b"{",
    b'{"acl": "board"}',
    b'{"metadataAttributes": {"year": null}}',
    b'{"acl": ["board"]}' + b" " * 11_000,  # too large, which alone closes it
)
GROUPS = ("board", "finance", "legal")
EVERYTHING = "@all"
READERS: tuple[tuple[str, ...], ...] = (
    (),
    *((group,) for group in GROUPS),
    ("finance", "legal"),
    (EVERYTHING,),
)
"""The groups of those who search during a history."""
_LARGEST = 10 * 1024  # bytes


class Meaning(NamedTuple):
    """What a sidecar says: who may read (None: all of the tenant) and which attributes."""

    readers: frozenset[str] | None = None
    attributes: Mapping[str, object] = {}

    def admits(self, groups: Sequence[str]) -> bool:
        if self.readers is None or EVERYTHING in groups:
            return True
        return any(group in self.readers for group in groups)


CLOSED = Meaning(frozenset())


def sidecar(chance: random.Random) -> bytes:
    kind = chance.random()
    if kind < 0.15:
        return chance.choice(BAD_SIDECARS)
    said = {"metadataAttributes": {"edition": chance.randint(1, 9), "of": "lighthouses"}}
    if kind < 0.75:
        said["acl"] = chance.sample(GROUPS, chance.randint(0, 2))
    return json.dumps(said).encode()


def meaning(body: bytes) -> Meaning:
    """Reads a sidecar of the kinds made above; b"" stands for none. What is unusable is closed."""
    if not body:
        return Meaning()
    if len(body) > _LARGEST:
        return CLOSED
    try:
        said = json.loads(body)
    except ValueError:
        return CLOSED
    readers, attributes = said.get("acl"), said.get("metadataAttributes", {})
    if not isinstance(readers, list | None) or None in attributes.values():
        return CLOSED
    return Meaning(None if readers is None else frozenset(readers), attributes)
