"""Judges from outside what a history has left in bucket, table, index and artifacts.

Both chaos runs use it, the one in process and the one on the stack, as it reads through ports only.
What should be there it learns from the log of the bucket, and what sidecars mean from the code of
this folder. Each run itself counts what happened on the way: a deleted version seen, an effect done
twice.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

from footnote.model import Hit, LegsQuery, Record, Scope
from footnote.store.keys import NODES
from footnote.wiring.services import Services
from tests.chaos.bucket import SUFFIX, BucketLog
from tests.chaos.onlooker import WORD
from tests.chaos.sidecars import EVERYTHING, READERS, Meaning, meaning

PAGE = 500
NAMES = "docs fees"  # each file that chaos makes has one, in its path or its first sentence
MOST_CHUNKS = 1000  # of one document
ENDED = frozenset({"READY", "FAILED", "UNSUPPORTED", "DELETED"})


@dataclass(frozen=True)
class TenantState:
    """All that a tenant has in bucket, table, index and artifacts."""

    files: Mapping[str, str]  # key → its current version in the bucket
    sidecars: Mapping[str, tuple[str, Meaning]]  # key → version of its sidecar, and what it says
    records: Mapping[str, Record]  # by key
    chunks: Mapping[tuple[str, str], int]  # (document id, version) → number in the index
    # (document id, version, sequencer) of each event with chunks in the index
    events: Collection[tuple[str, str, str]]
    stored: Collection[str]  # keys of artifacts
    nodes: Collection[tuple[str, str]]  # (document id, version) of each document's own node


def read_state(
    services: Services, tenant: str, log: BucketLog, spared: Collection[str]
) -> TenantState:
    """Reads all that one tenant has, but for spared keys; what other tests leave is not judged."""

    def is_judged(key: str) -> bool:
        return is_of_tenant(key, tenant) and key not in spared

    records = {one.key: one for one in all_records(services) if is_judged(one.key)}
    chunks: Counter[tuple[str, str]] = Counter()
    events = []
    for revision, number in all_revisions(services):
        if is_judged(revision.key):
            chunks[revision.document_id, revision.version] += number
            events.append((revision.document_id, revision.version, revision.sequencer))
    ids = {one.document_id for one in records.values()} | {each[0] for each in events}
    stored = [
        key
        for kind in ("parsed", "chunks")
        for document_id in ids
        for key in services.artifacts.keys(f"{kind}/{document_id}/")
    ]
    files = {key: version for key, version in log.files().items() if is_judged(key)}
    beside = {key: next(log.states(key + SUFFIX, log.moment)) for key in {*files, *records}}
    sidecars = {key: (state.version, meaning(state.body)) for key, state in beside.items()}
    documents = {key: version for key, version in files.items() if not key.endswith(SUFFIX)}
    nodes = [node for key in {*documents, *records} for node in document_nodes(services, key)]
    return TenantState(documents, sidecars, records, chunks, events, stored, nodes)


def document_nodes(services: Services, key: str) -> Iterator[tuple[str, str]]:
    """Yields the versions of a file that have a node of their own in the index."""
    tenant, _, path = key.split("/", 2)
    scope = Scope(tenant=tenant, groups=(EVERYTHING,), documents=(path,))
    query = LegsQuery(text=NAMES, scope=scope, legs=("document",))
    for found in services.index.search(query)["document"]:
        yield found.document_id, found.version


def is_of_tenant(key, tenant):
    return key.startswith(f"{tenant}/")


def all_records(services):
    after = ""
    for _ in count():
        page, after = services.catalog.page(after, PAGE)
        yield from page
        if not after:
            return


def all_revisions(services):
    services.index.ensure()
    after = ""
    for _ in count():
        page, after = services.index.revisions(after, PAGE)
        yield from page
        if not after:
            return


def verdict(
    services: Services,
    tenant: str,
    said: Mapping[str, Collection[str]],
    log: BucketLog,
    spared: Collection[str] = (),
) -> dict[str, int]:
    """Counts each kind of fault; every count must be 0.

    `said` maps a version to the sentences that a search must find of it. A version without
    sentences cannot be read and has to end with a reason. `log` knows what is in the bucket. Of
    `spared` keys nothing is judged.
    """
    world = read_state(services, tenant, log, spared)
    return {
        "lost": sum(
            is_lost(services, world, key, said[version]) for key, version in world.files.items()
        ),
        "said wrong": sum(is_metadata_wrong(services, world, key) for key in world.files),
        "duplicate chunks": sum(duplicates(world)),
        "orphans": orphans(world),
        "left artifacts": sum(map(partial(left_artifacts, world), world.records.values())),
        "resurrected": sum(is_resurrected(world, key) for key in world.records),
        "stuck": sum(map(is_stuck, world.records.values())),
    }


def is_lost(services: Services, world: TenantState, key: str, sentences: Collection[str]) -> bool:
    """Returns whether table, index or artifacts lack something of a file."""
    record = world.records.get(key)
    version = world.files[key]
    if record is None or record.version != version:
        return True
    if not sentences:
        return record.status not in {"FAILED", "UNSUPPORTED"} or record.error is None
    stored = [one for one in own_artifacts(world, record) if one.startswith("chunks/")]
    kinds = Counter(one.rpartition("/")[2].partition(".")[2] for one in stored)
    # chunks, and beside each part its nodes and what embeds it
    parts = dict.fromkeys(("jsonl.gz", f"nodes{NODES}", "vectors"), record.parts)
    whole = world.chunks[record.document_id, version] == record.chunks
    named = (record.document_id, version) in world.nodes
    ready = record.status == "READY" and record.live_version == version
    text = found_text(services, record)
    told = all(sentence in text for sentence in sentences)
    return not (ready and whole and told and named and kinds == parts)


def is_metadata_wrong(services: Services, world: TenantState, key: str) -> bool:
    """Returns whether table or index have other attributes or readers than the bucket."""
    record = world.records.get(key)
    if record is None:
        return False  # `lost` counts it
    version, wanted = world.sidecars[key]
    readers = None if record.sidecar.acl is None else frozenset(record.sidecar.acl)
    if record.sidecar.version != version or readers != wanted.readers:
        return True
    if not record.live_version:
        return False
    found = hits(services, record, (EVERYTHING,))
    said = [hit.metadata for hit in found]
    if record.live_version == record.version:
        wrong = any(one != {**record.metadata, **wanted.attributes} for one in said)
    else:
        wrong = any(not wanted.attributes.items() <= one.items() for one in said)
    seen = [len(hits(services, record, groups)) for groups in READERS]
    return wrong or seen != [len(said) * wanted.admits(groups) for groups in READERS]


def found_text(services: Services, record: Record) -> str:
    """Returns the text that a search in a document finds, chunk after chunk, with single blanks."""
    return " ".join(
        word for hit in hits(services, record, (EVERYTHING,)) for word in hit.chunk.text.split()
    )


def hits(services: Services, record: Record, groups: Sequence[str]) -> list[Hit]:
    """Returns the live version's chunks that members of these groups find, in order."""
    scope = Scope(
        tenant=record.revision.tenant,
        groups=groups,
        documents=(record.revision.path,),
        filters={"version": record.live_version},
    )
    query = LegsQuery(text=WORD, scope=scope, legs=("words",), size=MOST_CHUNKS)
    found = [one.chunk_id for one in services.index.search(query)["words"]]
    return sorted(services.index.read(found, scope).values(), key=lambda hit: hit.chunk.start)


def duplicates(world: TenantState):
    """Yields for each live version how many chunks the index has too many."""
    for record in world.records.values():
        if record.live_version and record.live_version == record.version:
            yield max(0, world.chunks[record.document_id, record.version] - record.chunks)


def orphans(world: TenantState) -> int:
    """Counts events with chunks, and nodes and documents' artifacts, that serve no version."""
    records = {record.document_id: record for record in world.records.values()}

    def serves(document_id, version, sequencer=""):
        record = records.get(document_id)
        if record is None or version == record.live_version:
            return record is not None
        is_newest = (sequencer == record.sequencer) if sequencer else (version == record.version)
        return record.status != "DELETED" and is_newest

    kept = {key.split("/")[1] for key in world.stored}
    left = {one.split("/")[1] for one in world.stored if "/pages/" in one}  # parts of long PDFs
    parts = sum(records[one].status == "READY" for one in left if one in records)
    deleted = sum(records[one].status == "DELETED" for one in kept if one in records)
    return (
        sum(not serves(*event) for event in world.events)
        + sum(not serves(*node) for node in world.nodes)
        + parts
        + deleted
        + len(kept - set(records))
    )


def own_artifacts(world: TenantState, record: Record) -> list[str]:
    """Returns the keys of what was stored for the record's event: `kind/document/event-version/…`.

    Zeros at the end of a sequencer mean nothing.
    """
    event = record.sequencer.upper().rstrip("0")
    return [
        one
        for one in world.stored
        if one.split("/")[1] == record.document_id
        and one.split("/")[2].partition("-")[0].rstrip("0") == event
    ]


def left_artifacts(world: TenantState, record: Record) -> int:
    """Counts what earlier events have left of a document whose last version is live.

    A step that finds a newer event may leave some; a sweep removes them.
    """
    if not record.live_version or record.live_version != record.version:
        return 0
    of_it = [one for one in world.stored if one.split("/")[1] == record.document_id]
    return len(of_it) - len(own_artifacts(world, record))


def is_resurrected(world: TenantState, key: str) -> bool:
    """Returns whether a deleted file still counts as there."""
    record = world.records[key]
    return key not in world.files and (record.status != "DELETED" or bool(record.live_version))


def is_stuck(record: Record) -> bool:
    """Returns whether the document has not ended, or ended only as `stuck`."""
    return record.status not in ENDED or (record.error is not None and record.error.code == "stuck")
