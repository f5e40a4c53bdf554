"""Searches while a history goes on, as members of every group of every tenant.

What may be found follows from the bucket's log alone. During a history the product may lag behind
the bucket, but not behind what it has itself finished: after the removal of a file was worked off
nobody finds it, and after a change of its readers was noted nobody finds it by the earlier ones.
And a file that was found once is found from then on, in whichever version, until it is deleted.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from footnote.errors import FootnoteError
from footnote.model import Hit, Scope
from footnote.service import Service
from footnote.wiring.services import Services
from tests.chaos.bucket import SUFFIX, BucketLog
from tests.chaos.sidecars import EVERYTHING, READERS, Meaning, meaning

SAID = re.compile(r"Version \d+ of \S+ tells of lighthouse \d+\.")
WORD = "lighthouse"  # stands in every chunk of a readable file
MOST_HITS = 100  # of one search
FAULTS = (
    "foreign",
    "leaked",
    "false text",
    "two versions",
    "seen after removal",
    "seen again",
    "vanished",
)


class Onlooker:
    """Holds what each search found against the log; counts what must not have been found."""

    def __init__(
        self,
        services: Services,
        log: BucketLog,
        tenants: Sequence[str],
        chance: random.Random,
        sentences: Callable[[str], Collection[str]],  # of a version
    ) -> None:
        self.found: Counter[str] = Counter(dict.fromkeys(FAULTS, 0))
        self.looked = 0
        self._services = services
        self._log = log
        self._tenants = tenants
        self._chance = chance
        self._sentences = sentences
        self._noted: dict[str, int] = defaultdict(int)  # key → moment
        self._removed: dict[str, int] = defaultdict(int)
        self._seen: dict[str, int] = defaultdict(int)  # key → moment of the newest version found
        self._served: dict[str, int] = {}  # key → the same, as long as nothing deletes it

    def note_sidecar(self, key: str, since: int) -> None:
        """Learns that the product has noted the sidecar that lay there at `since` or later."""
        self._noted[key] = max(self._noted[key], since)

    def note_removal(self, key: str, moment: int) -> None:
        """Learns that the product has worked off a removal that was made at this moment."""
        self._removed[key] = max(self._removed[key], moment)

    def look(self, k: int = 50) -> None:
        """Searches once, as somebody."""
        tenant, groups = self._chance.choice(self._tenants), self._chance.choice(READERS)
        try:
            hits = self._search(tenant, groups, "", k)
        except FootnoteError:
            return  # an outage: nobody sees anything
        self.looked += 1
        self._judge(tenant, groups, hits)
        if self._served:
            self._look_again(self._chance.choice(list(self._served)))

    def note_live(self, version: str) -> None:
        """Learns that queries see a version of a file."""
        key, put = self._log.keys[version], self._log.put_at[version]
        self._served[key] = max(self._served.get(key, 0), put)

    def _look_again(self, key: str) -> None:
        """Looks for a file that could be found before, unless it was deleted since it was put."""
        is_open = all(one.admits((EVERYTHING,)) for one in self.meanings(key, self._noted[key]))
        is_deleted = self._log.newest_deleted(key) >= self._served[key]
        if is_deleted or key in self._log.reverted or not is_open:
            del self._served[key]
            return
        tenant, collection, path = key.split("/", 2)
        try:
            hits = self._search(tenant, (EVERYTHING,), path, MOST_HITS)
        except FootnoteError:
            return
        self.found["vanished"] += not any(hit.collection == collection for hit in hits)

    def _search(self, tenant: str, groups: Sequence[str], path: str, k: int) -> list[Hit]:
        scope = Scope(tenant=tenant, groups=groups, documents=(path,) if path else ())
        text = f"{WORD} {self._chance.randint(0, 9)}"
        found, _ = Service(self._services, tenant, groups).searches.search(
            text, "lexical", k, scope
        )
        return found

    def _judge(self, tenant: str, groups: Sequence[str], hits: Sequence[Hit]) -> None:
        versions = defaultdict(set)
        for hit in hits:
            versions[hit.document_id].add(hit.version)
        self.found["two versions"] += sum(len(found) > 1 for found in versions.values())
        for fault in {
            (fault, hit.version) for hit in hits for fault in self._faults(tenant, groups, hit)
        }:
            self.found[fault[0]] += 1
        for hit in hits:
            key = f"{tenant}/{hit.collection}/{hit.document}"
            if self._log.keys.get(hit.version) == key:
                self._seen[key] = max(self._seen[key], self._log.put_at[hit.version])
                self.note_live(hit.version)

    def _faults(self, tenant: str, groups: Sequence[str], hit: Hit) -> Iterator[str]:
        key = self._log.keys.get(hit.version, "")
        if key != f"{tenant}/{hit.collection}/{hit.document}":
            yield "foreign"
            return
        put = self._log.put_at[hit.version]
        if not set(SAID.findall(hit.chunk.text)) <= set(self._sentences(hit.version)):
            yield "false text"
        since = max(put, self._noted[key])
        if not any(one.admits(groups) for one in self.meanings(key, since)):
            yield "leaked"
        if key not in self._log.reverted:
            # a version that was put since may be at work, and the one before serves until then
            if self._log.last_put(key) < self._removed[key]:
                yield "seen after removal"
            if put < self._seen[key]:
                yield "seen again"

    def meanings(self, key: str, since: int) -> Iterator[Meaning]:
        for state in self._log.states(key + SUFFIX, since):
            yield meaning(state.body)

    # -- at rest ---------------------------------------------------------------------------------

    def unlike(self, key: str) -> Iterator[str]:
        """Searches a document as everybody; yields what differs from what the bucket holds now."""
        tenant, collection, path = key.split("/", 2)
        version = self._log.version_at(key)
        said = set(self._sentences(version)) if version else set()
        wanted = next(self.meanings(key, self._log.moment))
        for groups in READERS:
            hits = self._search(tenant, groups, path, MOST_HITS)
            hits = [hit for hit in hits if hit.collection == collection]
            if not version or not wanted.admits(groups):
                if hits:
                    yield "leaked" if version else "seen after removal"
                continue
            if not said:
                continue  # it cannot be read, so the version before may still be found
            found = {one for hit in hits for one in SAID.findall(" ".join(hit.chunk.text.split()))}
            whole = found == said if len(said) < MOST_HITS else found <= said and len(found) > 90
            if not whole or {hit.version for hit in hits} != {version}:
                yield "not found"
            if any(self._is_said_wrong(hit, wanted) for hit in hits):
                yield "attributes"

    def _is_said_wrong(self, hit: Hit, wanted: Meaning) -> bool:
        """Returns whether a hit has other attributes than its object and its sidecar give it.

        Where the log does not know the object's own, a hit may have more than the sidecar's.
        """
        said, own = dict(hit.metadata), self._log.attributes.get(hit.version)
        if own is None:
            return not wanted.attributes.items() <= said.items()
        return said != own | dict(wanted.attributes)
