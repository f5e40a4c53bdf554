"""Collections that a plan may choose among: those of the question's scope that its asker may read.

A collection narrows a search inside the scope, as filters do, and never widens it.
"""

import re
from collections.abc import Sequence
from itertools import islice

from footnote.model import Scope
from footnote.ports import Catalog

MOST = 10  # that a planner is told of; each takes two requests of the catalog
_NAME = r"[\w-]+(?:\.[\w-]+)*"
_NAMED = re.compile(
    rf",? (?:in|from|of) (?:the |our |my )?(?:collection [\"'\u201c]?(?P<after>{_NAME})[\"'\u201d]?"
    rf"|[\"'\u201c]?(?P<before>{_NAME})[\"'\u201d]? collection)(?=\W|$)",
    re.IGNORECASE,
)


def find_collections(
    question: str, scope: Scope, catalog: Catalog, *, by_model: bool
) -> tuple[str, ...]:
    """Returns the names of collections that a search in this scope may be narrowed to.

    There are none where the request names a collection or documents. Rules need them only for a
    question that speaks of one.
    """
    if scope.collection is not None or scope.names or not (by_model or _NAMED.search(question)):
        return ()
    names = islice(catalog.collections(scope.tenant), MOST)
    readable = tuple(name for name in names if _has_readable(name, scope, catalog))
    return readable if len(readable) > 1 else ()


def _has_readable(name: str, scope: Scope, catalog: Catalog) -> bool:
    page = catalog.documents(scope.tenant, "READY", "", 1, scope.groups, collection=name)
    return bool(page[0])


def split_collection(question: str, collections: Sequence[str]) -> tuple[str, str]:
    """Returns the question without the words that name one of the collections, and its name.

    No document has these words, and a search would look for them. The name is "" for none.
    """
    by_name = {name.casefold(): name for name in collections}
    for named in _NAMED.finditer(question):
        name = by_name.get((named["after"] or named["before"]).casefold())
        if name:
            return f"{question[: named.start()]}{question[named.end() :]}", name
    return question, ""
