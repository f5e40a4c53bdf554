"""Says how many of the documents a question was asked of, where it was not asked of all."""

from collections.abc import Sequence

from footnote.model import Scope
from footnote.ports import Catalog

MOST_COUNTED = 500
FILTERED = "Only documents that fit the filters were asked."
SHARES = {
    (True, False): "{} of {} documents was asked.",
    (False, False): "{} of {} documents were asked.",
    (True, True): "{} of more than {} documents was asked.",
    (False, True): "{} of more than {} documents were asked.",
}
"""Whether it is one document, whether there are more than were counted → what is said."""


def describe_share(scope: Scope, catalog: Catalog) -> str:
    """Returns "1 of 18 documents was asked." or the like; "" where all were asked.

    Counts the documents that this caller may read, MOST_COUNTED at most.
    """
    if scope.names:
        share = _counted(len(set(scope.names)), _count(scope, catalog))
    elif scope.collection:
        held, _ = _count(scope, catalog, scope.collection)
        share = _counted(held, _count(scope, catalog))
    else:
        share = ""
    if any((scope.filters, scope.all_of, scope.any_of, scope.none_of)):
        return " ".join(filter(None, (share, FILTERED)))
    return share


def _counted(chosen: int, there: tuple[int, bool]) -> str:
    total, is_more = there
    if chosen >= total and not is_more:
        return ""
    return SHARES[chosen == 1, is_more].format(chosen, total)


def _count(scope: Scope, catalog: Catalog, collection: str | None = None) -> tuple[int, bool]:
    """Returns how many documents there are to ask, and whether there are more."""
    groups: Sequence[str] = scope.groups
    records, after = catalog.documents(
        scope.tenant, "READY", "", MOST_COUNTED, groups, collection=collection
    )
    return len(records), bool(after)
