"""Where artifacts lie: `<kind>/<document id>/<sequencer>-<version>/<name>`.

The sequencer is part of the key so that "everything older than this event" is a comparison of
keys, and a late worker can never delete what a newer upload wrote.
"""

from footnote.errors import NotFoundError
from footnote.model import Revision, digest, fence
from footnote.ports import BlobStore


def document_key(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/document.json.gz"


def words_key(revision: Revision) -> str:
    return f"{_folder('parsed', revision)}/words.bin"


def metadata_key(revision: Revision) -> str:
    """Where a version's own attributes are: what its sidecar adds is in its record."""
    return f"{_folder('parsed', revision)}/metadata.json.gz"


def chunks_key(revision: Revision, part: int) -> str:
    return f"{chunks_folder(revision)}{part:05d}.jsonl.gz"


def chunks_folder(revision: Revision) -> str:
    return f"{_folder('chunks', revision)}/"


def sequencer_of(artifacts: BlobStore, document_id: str, version: str) -> str:
    """The (padded) sequencer of a stored version. Raises NotFoundError when it is not stored."""
    for key in artifacts.keys(f"parsed/{document_id}/"):
        sequencer, _, stored = key.split("/")[2].partition("-")
        if stored == digest(version):
            return sequencer
    raise NotFoundError(f"nothing is stored of document {document_id}, version {version}")


def remove_older(artifacts: BlobStore, revision: Revision) -> int:
    """Delete the artifacts of the document's earlier events; how many blobs that were."""
    older = [
        key
        for kind in ("parsed", "chunks")
        for key in artifacts.keys(f"{kind}/{revision.document_id}/")
        if key.split("/")[2] < fence(revision.sequencer)
    ]
    artifacts.delete(older)
    return len(older)


def event_folder(revision: Revision) -> str:
    """The part of the key that names event and version."""
    return f"{fence(revision.sequencer)}-{digest(revision.version)}"


def _folder(kind: str, revision: Revision) -> str:
    return f"{kind}/{revision.document_id}/{event_folder(revision)}"
