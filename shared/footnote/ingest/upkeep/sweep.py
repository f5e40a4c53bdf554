"""Sweep step: ends stopped work, and makes table, index and artifacts agree with the bucket.

Each comparison does one page a run, and the next page in the next run. So a run stays
short. It reads first what changes first: an event that comes between is newer than the
sweep's decision, and wins.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby, islice

from footnote.clock import age
from footnote.contracts import QUEUES, AnnotateRequest, ParseRequest, RemoveRequest
from footnote.errors import NotFoundError, SupersededError, UnreadableError
from footnote.ingest.upkeep.compare import (
    STAGE,
    is_missed,
    is_orphaned,
    is_useless,
    sequencer_above,
)
from footnote.ingest.upkeep.generations import find_debris
from footnote.ingest.upkeep.resume import resume
from footnote.ingest.upkeep.stopped import stuck_problem
from footnote.metadata.attributes import SUFFIX
from footnote.metadata.sidecar import document_of, sidecar_at
from footnote.model import NO_SIDECAR, Facts, Record, Revision, Upload, document_id
from footnote.ports import BlobStore, Catalog, Queues, SearchIndex, Uploads, Workflow
from footnote.store.retention import Rules
from footnote.store.visibility import revisions

CURSORS = "sweep/cursors.json"
type Found = tuple[Counter[str], str]  # counts of what was done, and where the next page starts


@dataclass(frozen=True)
class Sweep:
    """One run of the sweep. `patience`: seconds that an event or a stage's
    work may take, by queue.
    """

    uploads: Uploads
    artifacts: BlobStore
    catalog: Catalog
    index: SearchIndex
    queues: Queues
    workflow: Workflow
    patience: Mapping[str, float]
    limit: int
    now: float
    keep_seconds: float  # how long a generation is kept that queries have left

    def run(self) -> Counter[str]:
        """Unsticks documents, runs every comparison, and returns how often it did each thing."""
        done = self.unstick()
        cursors = self._cursors()
        for name, compare in COMPARISONS.items():
            counts, cursors[name] = compare(self, cursors.get(name, ""))
            done += counts
            self.artifacts.put(CURSORS, json.dumps(cursors).encode())
        return done

    def _cursors(self) -> dict[str, str]:
        try:
            return dict(json.loads(self.artifacts.get(CURSORS)))
        except NotFoundError:
            return {}

    # -- what has stopped ------------------------------------------------------------------------

    def unstick(self) -> Counter[str]:
        """Queues late documents again, and fails those that are late a second time."""
        done: Counter[str] = Counter()
        late = filter(self._is_late, self.catalog.unfinished())
        for record in islice(late, self.limit):
            done += self._unstick(record)
        return done

    def _is_late(self, record: Record) -> bool:
        stage = STAGE.get(record.status)
        return stage is not None and age(record.updated, self.now) > self.patience[stage]

    def _unstick(self, record: Record) -> Counter[str]:
        with suppress(SupersededError):  # the document moved on meanwhile
            if record.requeued:
                problem = Facts(error=stuck_problem(record))
                self.catalog.advance(record.revision, "FAILED", problem)
                return Counter(failed=1)
            self._requeue(record)
            return Counter(requeued=1)
        return Counter()

    def _requeue(self, record: Record) -> None:
        # sent first, so that a crash in between forgets nothing
        self._send(resume(record, self.artifacts))
        self.catalog.advance(record.revision, record.status, Facts(requeued=True))

    # -- comparisons -----------------------------------------------------------------------------

    def compare_bucket(self, after: str) -> Found:
        """Parses files that the table lacks, or has in another version."""
        done: Counter[str] = Counter()
        page = self.uploads.listing(after, self.limit)
        for listed in page:
            with leaving_alone(done):
                if document := document_of(listed.key):
                    done["annotated"] += self._sidecar_missed(document, listed)
                else:
                    done["found"] += self._upload_missed(listed)
        return done, page[-1].key if len(page) == self.limit else ""

    def _upload_missed(self, listed: Upload) -> bool:
        """Parses a file that the table lacks. Tells whether it did."""
        record = self._record(listed.revision.document_id)
        if not is_missed(record, listed):
            return False
        # read after the record, or a delete could lose
        there = self.uploads.current(listed.key)
        if there and is_missed(record, there) and self._event_is_late(there):
            self._parse(there, record)
            return True
        return False

    def _sidecar_missed(self, document: str, listed: Upload) -> bool:
        """Annotates a document whose record lacks its sidecar. Tells whether it did."""
        record = self._record(document_id(document))
        if record is None or record.status == "DELETED":
            return False
        late = record.sidecar.version != listed.version and self._event_is_late(listed)
        return late and self._annotate(record)

    def _annotate(self, record: Record) -> bool:
        self.queues.send("annotate", [AnnotateRequest(**record.revision.identity)])
        return True

    def _event_is_late(self, upload: Upload) -> bool:
        return age(upload.modified, self.now) > self.patience["parse"]

    def _parse(self, upload: Upload, record: Record | None) -> None:
        sequencer = sequencer_above(record.sequencer if record else "", upload.version)
        event = upload.revision.model_copy(update={"sequencer": sequencer})
        self.queues.send("parse", [ParseRequest(**event.identity, size=upload.size)])
        with suppress(SupersededError):
            self.catalog.receive(event, upload.size, sidecar_at(self.uploads, upload.key))

    def compare_table(self, after: str) -> Found:
        """Removes documents without a file, repairs READY ones, annotates those that are behind.

        Goes on with those that have stopped, too, where `unstick` has missed them.
        """
        done, rules = Counter[str](), Rules(self.artifacts)
        page, after = self.catalog.page(after, self.limit, whole=False)
        for record in page:
            if record.status == "DELETED":
                continue
            if (there := self.uploads.current(record.key)) is None:
                self._remove(record)
                done["gone"] += 1
                continue
            if rules.of(record.revision).has_run_out(record, there, self.now):
                self.uploads.delete(record.key)  # its event does the rest
                done["expired"] += 1
                continue
            if record.status == "READY":
                done["reopened"] += self._make_whole(record)
            elif self._is_late(record):  # an older release has not marked it as unfinished
                done += self._unstick(record)
            done["annotated"] += self._catch_up(record)
        return done, after

    def _catch_up(self, record: Record) -> bool:
        """Annotates again if the record or the index is behind. Tells whether it did.

        The record is behind if the sidecar is gone or was never looked for. The index is behind if
        it did not follow the table.
        """
        has_sidecar = record.sidecar != NO_SIDECAR
        if has_sidecar and self.uploads.current(record.key + SUFFIX) is None:
            return self._annotate(record)
        if not record.annotation:
            return False
        behind = any(
            self.index.count(revision) > self.index.count(revision, record.annotation)
            for revision in revisions(self.artifacts, record)
        )
        return behind and self._annotate(record)

    def _remove(self, record: Record) -> None:
        sequencer = sequencer_above(record.sequencer)
        self.queues.send("remove", [RemoveRequest(key=record.key, version="", sequencer=sequencer)])

    def _make_whole(self, record: Record) -> bool:
        """Indexes the chunks again if the index does not hold each once. Tells whether it did."""
        indexed = self.index.count(record.revision)
        if indexed == record.chunks:
            return False
        try:
            again = self.catalog.reopen(record.revision)
        except SupersededError:  # it was replaced meanwhile
            return False
        if indexed > record.chunks:
            self.index.remove(record.revision)
        self._send(resume(again, self.artifacts))
        return True

    def compare_index(self, after: str) -> Found:
        """Removes chunks of events that no query sees or will see."""
        page, after = self.index.revisions(after, self.limit)
        done: Counter[str] = Counter()
        for revision, _ in page:
            with leaving_alone(done):
                if is_orphaned(self._record(revision.document_id), revision):
                    self.index.remove(revision)
                    done["orphans"] += 1
        return done, after

    def drop_generations(self, _after: str) -> Found:
        """Drops generations that a stopped re-index has left, or that were kept for long enough.

        Every write goes to them in vain.
        """
        debris = find_debris(self.index, self.workflow, kept_since=self.now - self.keep_seconds)
        for name in debris:
            self.index.abandon(name)
        return Counter(generations=len(debris)), ""

    def compare_parsed(self, after: str) -> Found:
        return self._compare_artifacts("parsed/", after)

    def compare_chunks(self, after: str) -> Found:
        return self._compare_artifacts("chunks/", after)

    def _compare_artifacts(self, prefix: str, after: str) -> Found:
        """Removes artifacts that belong to no version in use."""
        page = self.artifacts.keys(prefix, after, self.limit)
        done: Counter[str] = Counter()
        useless: list[str] = []
        for owner, keys in groupby(page, key=lambda key: key.split("/")[1]):
            with leaving_alone(done):
                record = self._record(owner)
                useless += [key for key in keys if is_useless(record, key.split("/")[2])]
        self.artifacts.delete(useless)
        done["artifacts"] += len(useless)
        return done, page[-1] if len(page) == self.limit else ""

    def _send(self, messages: Sequence[Revision]) -> None:
        self.queues.send(QUEUES[type(messages[0])], messages)

    def _record(self, document_id: str) -> Record | None:
        try:
            return self.catalog.get(document_id)
        except NotFoundError:
            return None


@contextmanager
def leaving_alone(done: Counter[str]) -> Iterator[None]:
    """Skips and counts a document whose record this release cannot read."""
    try:
        yield
    except UnreadableError:
        done["unreadable"] += 1


COMPARISONS: dict[str, Callable[[Sweep, str], Found]] = {
    "bucket": Sweep.compare_bucket,
    "table": Sweep.compare_table,
    "index": Sweep.compare_index,
    "generations": Sweep.drop_generations,
    "parsed": Sweep.compare_parsed,
    "chunks": Sweep.compare_chunks,
}
