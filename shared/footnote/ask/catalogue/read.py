"""Tells whether a question is about the documents themselves, and what it asks of their table."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from footnote.ask.catalogue.english import ENGLISH
from footnote.ask.catalogue.german import GERMAN
from footnote.ask.catalogue.grammar import Ground, follow, read
from footnote.model import Scope
from footnote.model.catalogue import CatalogueQuery
from footnote.ports import Catalog

GRAMMARS = (ENGLISH, GERMAN)
LONGEST = 300  # characters; a longer question has more than conditions

type Reader = Callable[[str, Sequence[tuple[str, str]]], CatalogueQuery | None]
"""Reads a question after the earlier exchanges of its session."""


def reads_nothing(_question: str, _history: Sequence[tuple[str, str]]) -> CatalogueQuery | None:
    """Finds no question of the catalogue: for who plans without a table of documents."""
    return None


def catalogue_reader(scope: Scope, catalog: Catalog, now: float) -> Reader:
    """Returns the reader for a caller's questions. It knows collections that this one may read."""

    def has_collection(name: str) -> bool:
        if not name or "/" in name or scope.collection not in {None, name}:
            return False
        records, after = catalog.documents(scope.tenant, None, "", 1, scope.groups, collection=name)
        return bool(records or after)

    ground = Ground(datetime.fromtimestamp(now, UTC).date(), has_collection)
    return lambda question, history: read_catalogue(question, history, ground)


def read_catalogue(
    question: str, history: Sequence[tuple[str, str]], ground: Ground
) -> CatalogueQuery | None:
    """Returns what a question asks of the catalogue, by itself or after the one before it.

    It is None where a single word asks for more than the table of documents tells.
    """
    last = _read(history[-1][0], None, ground) if history else None
    return _read(question, last, ground)


def _read(text: str, last: CatalogueQuery | None, ground: Ground) -> CatalogueQuery | None:
    plain = " ".join(text.replace("\u2019", "'").split()).strip(" ?!.")
    if not plain or len(plain) > LONGEST:
        return None
    for grammar in GRAMMARS:
        if query := read(plain, grammar, ground):
            return query
    if last is None:
        return None
    return next(filter(None, (follow(plain, last, grammar, ground) for grammar in GRAMMARS)), None)
