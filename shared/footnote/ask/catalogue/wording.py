"""Says in words what was counted, and what the documents table says."""

from collections.abc import Callable, Iterator, Sequence

from footnote.ask.catalogue.terms import LANGUAGES, WORKING
from footnote.model import Acl, Scope
from footnote.model.catalogue import Between, CatalogueQuery, Days

EVERYBODY = "everybody in the tenant"
NOBODY = "nobody but @all"
_UNITS = ((1000**3, "GB"), (1000**2, "MB"), (1000, "KB"))


def say_readers(acl: Acl) -> str:
    """Returns who may read a document, besides members of @all."""
    if acl is None:
        return EVERYBODY
    return ", ".join(acl) if acl else NOBODY


def say_bytes(number: int) -> str:
    """Returns a size as people write it: 12.3 MB."""
    for factor, unit in _UNITS:
        if number >= factor:
            return f"{number / factor:.1f} {unit}".replace(".0 ", " ")
    return f"{number} bytes"


def say_language(code: str) -> str:
    """Returns the English name of a language, or its code."""
    return LANGUAGES[code][0].capitalize() if code in LANGUAGES else code


def say_conditions(query: CatalogueQuery, scope: Scope) -> tuple[str, ...]:
    """Returns what the counted documents have in common: the question's words, and its scope."""
    return (*_of_query(query), *_of_scope(scope))


def _of_query(query: CatalogueQuery) -> Iterator[str]:
    listed: Sequence[tuple[str, Sequence[object]]] = (
        ("status", _statuses(query.statuses)),
        ("format", query.formats),
        ("collection", query.collections),
        ("folder", query.folders),
        ("language", list(map(say_language, query.languages))),
        ("year", _runs(query.years)),
        ("name has", query.names),
        ("name", query.files),
    )
    for label, values in listed:
        if values:
            yield f"{label} {' or '.join(map(str, values))}"
    for label, days in (("added", query.added), ("changed", query.changed)):
        if said := _days(days):
            yield f"{label} {said}"
    if said := _between(query.size, say_bytes):
        yield f"size {said}"
    if said := _between(query.pages, str):
        yield f"pages {said}"
    if query.readers:
        who = {"*": EVERYBODY, "-": "not everybody"}.get(query.readers, query.readers)
        yield f"may be read by {who}"
    if query.warned:
        yield "with warnings"


def _statuses(statuses: Sequence[str]) -> Sequence[str]:
    """Returns the statuses; those of work in progress in two words."""
    if set(WORKING) <= set(statuses):
        return ["in progress", *(each for each in statuses if each not in WORKING)]
    return statuses


def _runs(years: Sequence[int]) -> list[str]:
    """Returns the years; several in a row as the first and the last."""
    if len(years) > 2 and list(years) == list(range(years[0], years[0] + len(years))):
        return [f"{years[0]} to {years[-1]}"]
    return list(map(str, years))


def _days(days: Days) -> str:
    if days.first and days.end:
        return f"from {days.first} until before {days.end}"
    return f"since {days.first}" if days.first else f"before {days.end}" if days.end else ""


def _between(bounds: Between, say: Callable[[int], str]) -> str:
    if bounds.least is not None and bounds.least == bounds.most:
        return str(say(bounds.least))
    low = f"at least {say(bounds.least)}" if bounds.least is not None else ""
    high = f"at most {say(bounds.most)}" if bounds.most is not None else ""
    return " and ".join(filter(None, (low, high)))


def _of_scope(scope: Scope) -> Iterator[str]:
    if scope.collection is not None:
        yield f"the question was limited to the collection {scope.collection}"
    if scope.names:
        yield f"the question was limited to {len(set(scope.names))} named documents"
    if scope.filters or scope.all_of or scope.any_of or scope.none_of:
        yield "the question was limited by filters"
