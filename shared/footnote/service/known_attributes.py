"""Tells a filter on an attribute that no document has: a typo should not look like "nothing found".

Only what must hold is looked at. A document without an attribute also meets a `not` about it, and
one entry of an `or` may well be about what is not there yet.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from footnote.errors import NotFoundError
from footnote.metadata.filters import FIELDS
from footnote.model import Condition, Exists, Record, Scope
from footnote.ports import Catalog, SearchIndex

LOOKED_AT = 100  # documents whose attributes an error may name
MOST_NAMED = 10


def must_have_attributes(scope: Scope, index: SearchIndex, catalog: Catalog) -> None:
    """Raises NotFoundError for an attribute that a scope asks for and none of its documents has.

    One request of the index for each attribute. The error names some that are there, those that
    are spelled alike first.
    """
    everything = scope.model_copy(update={"filters": {}, "all_of": (), "any_of": (), "none_of": ()})
    for name in dict.fromkeys(_needed(scope)):
        having = everything.model_copy(update={"filters": {name: Exists(exists=True)}})
        if not index.languages(having):
            raise unknown_attribute(name, _names(scope, catalog))


def unknown_attribute(name: str, names: Sequence[str]) -> NotFoundError:
    """Returns the error for an attribute that no document has, `names` being those that some do."""
    alike = get_close_matches(name, names, n=MOST_NAMED)
    listed = [*alike, *(other for other in names if other not in alike)]
    shown = ", ".join(repr(other[:100]) for other in listed[:MOST_NAMED])
    return NotFoundError(
        f"no document that is asked has the attribute {name[:100]!r}",
        code="unknown_attribute",
        action=f"There are: {shown}{', …' * (len(listed) > MOST_NAMED)}."
        if listed
        else "None of them has attributes: leave the filter out, or add some.",
    )


def _needed(condition: Condition) -> Iterator[str]:
    for name, wanted in condition.filters.items():
        if name not in FIELDS and wanted != Exists(exists=False):
            yield name
    for part in condition.all_of:
        yield from _needed(part)


def _names(scope: Scope, catalog: Catalog) -> list[str]:
    """Returns the attributes of the first documents that a caller may read, sorted."""
    records, _ = catalog.documents(
        scope.tenant, None, "", LOOKED_AT, scope.groups, collection=scope.collection
    )
    return sorted({name for record in records for name in _attributes(record)})


def _attributes(record: Record) -> Iterator[str]:
    yield from record.metadata
    yield from record.sidecar.attributes
