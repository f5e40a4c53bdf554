"""Which version of a document queries see: the catalog's word is final, the index only follows."""

from footnote.errors import SupersededError
from footnote.model import Revision, fence
from footnote.ports import Catalog


def is_live(catalog: Catalog, revision: Revision) -> bool:
    """Whether queries see exactly this revision's version."""
    live = catalog.live_versions([revision.document_id])
    return live.get(revision.document_id) == revision.version


def published(catalog: Catalog, revision: Revision) -> bool:
    """Whether this very event's work is done. Raises SupersededError when a newer one came."""
    record = catalog.get(revision.document_id)
    if fence(record.sequencer) > fence(revision.sequencer):
        raise SupersededError(f"a newer event of {revision.key} is stored: {record.status}")
    return record.status == "READY" and fence(record.sequencer) == fence(revision.sequencer)
