"""A versioned bucket that remembers all that was done to it: what the product is judged by.

It shares no code with footnote. What must be found, and by whom, follows from the bytes that lie in
it, and from the order in which they were put there.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from footnote.clock import iso
from footnote.errors import NotFoundError
from footnote.model import Revision, Upload

SUFFIX = ".metadata.json"


class State(NamedTuple):
    """What lay at a key from this moment on; `version` is "" where nothing did."""

    moment: int
    version: str
    body: bytes


@dataclass
class BucketLog:
    """Keeps every version of every key, and what was current when. Moments count changes."""

    moment: int = 0
    bodies: dict[str, bytes] = field(default_factory=dict)  # by version
    keys: dict[str, str] = field(default_factory=dict)  # version → its key
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)  # by version: its own
    put_at: dict[str, int] = field(default_factory=dict)  # version → moment
    made_at: dict[str, int] = field(default_factory=dict)  # the same, with delete markers
    reverted: set[str] = field(default_factory=set)  # keys at which an older version came back
    _deleted: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by key
    _stacks: dict[str, list[tuple[str, bytes | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _states: dict[str, list[State]] = field(default_factory=lambda: defaultdict(list))

    def note_put(self, key: str, version: str, body: bytes) -> None:
        self.bodies[version], self.keys[version] = body, key
        self._stacks[key].append((version, body))
        self._note(key)
        self.put_at[version] = self.made_at[version] = self.moment

    def note_mark(self, key: str, version: str) -> None:
        """Notes a delete marker."""
        self._stacks[key].append((version, None))
        self._note(key)
        self.made_at[version] = self._deleted[key] = self.moment

    def note_purge(self, key: str, version: str) -> None:
        """Notes that a version, or a delete marker, was deleted for good."""
        before = self.version_at(key)
        self._stacks[key] = [one for one in self._stacks[key] if one[0] != version]
        self._note(key)
        self._deleted[key] = max(self._deleted[key], self.made_at.get(version, 0))
        if self.version_at(key) != before and self.version_at(key):
            self.reverted.add(key)

    def _note(self, key: str) -> None:
        self.moment += 1
        version, body = self._stacks[key][-1] if self._stacks[key] else ("", None)
        there = version if body is not None else ""
        self._states[key].append(State(self.moment, there, body or b""))

    def version_at(self, key: str) -> str:
        """Returns the version at a key, "" if there is none."""
        return self._states[key][-1].version if key in self._states else ""

    def past(self, key: str) -> list[str]:
        """Returns the versions and markers at a key that are not its newest."""
        return [version for version, _ in self._stacks[key][:-1]]

    def newest(self, key: str) -> str:
        """Returns the newest version or marker at a key, "" if there is none."""
        return self._stacks[key][-1][0] if self._stacks.get(key) else ""

    def last_put(self, key: str) -> int:
        """Returns the moment at which a version was last put at a key, 0 if none ever was."""
        return max((self.put_at[one] for one, at in self.keys.items() if at == key), default=0)

    def newest_deleted(self, key: str) -> int:
        """Returns when the newest version was put that was deleted; 0 if none ever was.

        A delete marker counts by its own moment, as it deletes whatever was put before.
        """
        return self._deleted[key]

    def last_with(self, key: str, version: str) -> int:
        """Returns the last moment from which this version, or nothing (""), lay at a key."""
        states = self._states.get(key, [])
        return max((one.moment for one in states if one.version == version), default=0)

    def files(self) -> dict[str, str]:
        """Returns the current version of every key that has one."""
        return {key: found for key in self._states if (found := self.version_at(key))}

    def states(self, key: str, since: int) -> Iterator[State]:
        """Yields what lay at a key at `since` and at any moment after."""
        states = self._states.get(key, [])
        before = [one for one in states if one.moment <= since]
        yield before[-1] if before else State(0, "", b"")
        yield from (one for one in states if one.moment > since)


class Bucket(BucketLog):
    """Implements Uploads, and tells the event of each change, with sequencers of every length."""

    def __init__(self, chance: random.Random, clock: Callable[[], float]) -> None:
        super().__init__()
        self._chance = chance
        self._clock = clock
        self._made: dict[str, Upload] = {}  # by version
        self._untold: list[tuple[Revision, int | None]] = []

    def put(self, key: str, body: bytes, attributes: dict[str, str] | None = None) -> Revision:
        revision = self._event(key, len(body))
        self.attributes[revision.version] = attributes or {}
        self._made[revision.version] = Upload(
            key=key,
            version=revision.version,
            size=len(body),
            modified=iso(self._clock()),
            attributes=attributes or {},
        )
        self.note_put(key, revision.version, body)
        return revision

    def delete(self, key: str) -> None:
        self.note_mark(key, self._event(key, None).version)

    def delete_version(self, key: str, version: str) -> None:
        """Deletes a version for good; its event carries the version that is gone."""
        self._event(key, None, version)
        self.note_purge(key, version)

    def take_events(self) -> list[tuple[Revision, int | None]]:
        taken, self._untold = self._untold, []
        return taken

    def _event(self, key: str, size: int | None, version: str = "") -> Revision:
        number = f"{self.moment + 1:016X}"
        # S3's sequencers differ in length; zeros at their end mean nothing
        shapes = (number, number.rstrip("0"), number + f"{self._chance.randrange(1 << 16):04X}")
        revision = Revision(
            key=key, version=version or f"v{self.moment + 1}", sequencer=self._chance.choice(shapes)
        )
        self._untold.append((revision, size))
        return revision

    # -- the port --------------------------------------------------------------------------------

    def read(self, key: str, version: str) -> bytes:
        for stored, body in self._stacks.get(key, []):
            if stored == version and body is not None:
                return body
        raise NotFoundError(f"no version {version} of {key}")

    def tags(self, key: str, version: str) -> dict[str, str]:
        self.read(key, version)
        return {}

    def current(self, key: str) -> Upload | None:
        version = self.version_at(key)
        return self._made[version] if version else None

    def listing(self, after: str, limit: int) -> list[Upload]:
        files = self.files()
        page = [self._made[files[key]] for key in sorted(files) if key > after][:limit]
        return [one.model_copy(update={"attributes": {}}) for one in page]
