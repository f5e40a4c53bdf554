"""The keys of artifacts: `<kind>/<document id>/<sequencer>-<version>/<name>`.

The sequencer is part of the key, so "everything older than this event" is a comparison of keys. A
late worker can never delete what a newer upload wrote.
"""

from footnote.errors import NotFoundError
from footnote.model import Revision, digest, pad_sequencer
from footnote.ports import BlobStore

NODES = "4"
"""The version of the nodes that `ingest/chunk/nodes.py` makes. Raise it when nodes change: a
re-index then makes them anew, as none are stored under this name (tests/unit/test_nodes.py).
"""
READER = "reader.json"
"""The name of the artifact that says what has read a document."""
_CHUNKS = ".jsonl.gz"
_CARRIED = "carried-"  # sorts after every sequencer


def document_key(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/document.json.gz"


def words_key(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/words.bin"


def metadata_key(revision: Revision) -> str:
    """Returns the key of a version's own attributes. The record holds those of its sidecar."""
    return f"{_folder('parsed', revision)}/metadata.json.gz"


def reader_key(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/{READER}"


def carried_folder(document_id: str, content: str) -> str:
    """Returns the prefix of what is laid beside a file that is going to be uploaded.

    `content` is the file's SHA-256 in hex.
    """
    return f"parsed/{document_id}/{_CARRIED}{content}/"


def is_carried(folder: str) -> bool:
    """Tells whether a folder of a document's artifacts is one that `carried_folder` names."""
    return folder.startswith(_CARRIED)


def part_key(revision: Revision, first: int, last: int) -> str:
    """Returns the key of a part of a long PDF. It is stored until all parts are joined."""
    return f"{_parts_folder(revision)}{first:06d}-{last:06d}.json.gz"


def stored_parts(artifacts: BlobStore, revision: Revision) -> list[tuple[int, int]]:
    """Returns the first and the last page of each part that is stored."""
    names = (key.rpartition("/")[2] for key in artifacts.keys(_parts_folder(revision)))
    pairs = (name.partition(".")[0].split("-") for name in names)
    return [(int(first), int(last)) for first, last in pairs]


def chunks_key(revision: Revision, part: int) -> str:
    return f"{chunks_folder(revision)}{part:05d}{_CHUNKS}"


def vectors_key(chunks: str) -> str:
    """Returns the key of the vectors of a part of chunks."""
    return f"{chunks.removesuffix(_CHUNKS)}.vectors"


def nodes_key(chunks: str) -> str:
    """Returns the key of the nodes that are indexed with a part of chunks."""
    return f"{chunks.removesuffix(_CHUNKS)}.nodes{NODES}"


def chunks_keys(artifacts: BlobStore, revision: Revision) -> list[str]:
    """Lists the keys of a revision's parts of chunks, in order."""
    return [key for key in artifacts.keys(chunks_folder(revision)) if key.endswith(_CHUNKS)]


def chunks_folder(revision: Revision) -> str:
    return f"{_folder('chunks', revision)}/"


def sequencer_of(artifacts: BlobStore, document_id: str, version: str) -> str:
    """Returns the (padded) sequencer of a stored version. Raises NotFoundError if there is none."""
    for key in artifacts.keys(f"parsed/{document_id}/"):
        sequencer, _, stored = key.split("/")[2].partition("-")
        if stored == digest(version):
            return sequencer
    raise NotFoundError(f"nothing is stored of document {document_id}, version {version}")


def remove_older(artifacts: BlobStore, revision: Revision) -> int:
    """Deletes the artifacts of the document's earlier events. Returns their number."""
    older = [
        key
        for kind in ("parsed", "chunks")
        for key in artifacts.keys(f"{kind}/{revision.document_id}/")
        if key.split("/")[2] < pad_sequencer(revision.sequencer)
    ]
    artifacts.delete(older)
    return len(older)


def remove_pictures(artifacts: BlobStore, document_id: str) -> None:
    """Deletes the page pictures of all versions of a document."""
    artifacts.delete(artifacts.keys(pictures_folder(document_id)))


def remove_own(artifacts: BlobStore, revision: Revision) -> None:
    """Deletes the artifacts of exactly this event."""
    for kind in ("parsed", "chunks"):
        artifacts.delete(artifacts.keys(f"{_folder(kind, revision)}/"))


def pictures_folder(document_id: str) -> str:
    """Returns the prefix of the keys of all of a document's page pictures."""
    return f"pictures/{document_id}/"


def picture_key(document_id: str, version: str, page: int, look: str) -> str:
    """Returns the key of a picture. `look` is a digest of what is drawn into it, and how."""
    return f"{pictures_folder(document_id)}{digest(version)}/{page}-{look}.webp"


def export_key(question_id: str, content: str, ending: str) -> str:
    """Returns the key of an answer as a file. `content` is a digest of its content."""
    return f"{question_folder(question_id)}export/{content}.{ending}"


def event_folder(revision: Revision) -> str:
    """Returns the part of a key that names event and version."""
    return f"{pad_sequencer(revision.sequencer)}-{digest(revision.version)}"


def _parts_folder(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/pages/"


def _folder(kind: str, revision: Revision) -> str:
    return f"{kind}/{revision.document_id}/{event_folder(revision)}"


def question_folder(question_id: str) -> str:
    """Returns the prefix of the keys of a question's artifacts."""
    return f"questions/{question_id}/"


def plan_key(question_id: str, round_: int) -> str:
    return f"questions/{question_id}/plan-{round_}.json"


def evidence_key(question_id: str, round_: int, sub_question: str) -> str:
    return f"questions/{question_id}/evidence/{round_}/{sub_question}.json"


def scratchpad_key(question_id: str, round_: int, sub_question: str, turn: int, state: str) -> str:
    """Returns the key of a scratchpad. Its `state` is "asked" before a turn's calls, "done" after
    them, and "left" after the last turn of a wave.
    """
    return f"questions/{question_id}/work/{round_}/{sub_question}/{turn}-{state}.json"


def errand_key(question_id: str, n: int) -> str:
    """Returns the key by which the `n`-th look outside of a question is claimed."""
    return f"questions/{question_id}/errands/{n}"


def findings_key(question_id: str) -> str:
    return f"questions/{question_id}/findings.json"


def batch_key(question_id: str, batch: str) -> str:
    """Returns the key of the names of documents that are read together."""
    return f"questions/{question_id}/batches/{batch}.json"


def notes_key(question_id: str, batch: str) -> str:
    """Returns the key of what was noted in reading a batch of documents."""
    return f"questions/{question_id}/notes/{batch}.json"


def readings_key(tenant: str, digest: str) -> str:
    """Returns the key of what was read for a question, by a digest of what was asked."""
    return f"questions/readings/{tenant}/{digest}.json"


def replies_key(question_id: str) -> str:
    return f"questions/{question_id}/replies.json"


def answer_key(question_id: str) -> str:
    return f"questions/{question_id}/answer.json"
