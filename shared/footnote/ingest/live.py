"""Which version of a document queries see: the catalog's word is final, the index only follows."""

from footnote.model import Revision
from footnote.ports import Catalog


def is_live(catalog: Catalog, revision: Revision) -> bool:
    """Whether queries see exactly this revision's version."""
    live = catalog.live_versions([revision.document_id])
    return live.get(revision.document_id) == revision.version
