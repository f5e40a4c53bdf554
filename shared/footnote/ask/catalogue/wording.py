"""Says in words what was counted, and what the documents table says."""

from collections.abc import Callable, Iterator, Sequence

from footnote.ask.catalogue.terms import LANGUAGES, WORKING
from footnote.model import Acl, Scope
from footnote.model.catalogue import Between, CatalogueQuery, Days
from footnote.text.own_language import OwnLanguage, say

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


def say_conditions(query: CatalogueQuery, scope: Scope, own: OwnLanguage = "en") -> tuple[str, ...]:
    """Returns what the counted documents have in common: the question's words, and its scope."""
    return (*_of_query(query, own), *_of_scope(scope, own))


def _of_query(query: CatalogueQuery, own: OwnLanguage) -> Iterator[str]:
    listed: Sequence[tuple[str, Sequence[object]]] = (
        ("status", _statuses(query.statuses, own)),
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
            yield f"{say(own, label)} {f' {say(own, "or")} '.join(map(str, values))}"
    for label, days in (("added", query.added), ("changed", query.changed)):
        if said := _days(days, own):
            yield f"{say(own, label)} {said}"
    if said := _between(query.size, say_bytes, own):
        yield f"{say(own, 'size')} {said}"
    if said := _between(query.pages, str, own):
        yield f"{say(own, 'pages')} {said}"
    if query.readers:
        known = {"*": EVERYBODY, "-": "not everybody"}
        who = say(own, known[query.readers]) if query.readers in known else query.readers
        yield say(own, "may be read by {who}", who=who)
    if query.warned:
        yield say(own, "with warnings")


def _statuses(statuses: Sequence[str], own: OwnLanguage) -> Sequence[str]:
    """Returns the statuses; those of work in progress in two words."""
    if set(WORKING) <= set(statuses):
        return [say(own, "in progress"), *(each for each in statuses if each not in WORKING)]
    return statuses


def _runs(years: Sequence[int]) -> list[str]:
    """Returns the years; several in a row as the first and the last."""
    if len(years) > 2 and list(years) == list(range(years[0], years[0] + len(years))):
        return [f"{years[0]} to {years[-1]}"]
    return list(map(str, years))


def _days(days: Days, own: OwnLanguage) -> str:
    if days.first and days.end:
        saying = "from {first} until before {end}"
        return say(own, saying, first=days.first, end=days.end)
    if days.first:
        return say(own, "since {day}", day=days.first)
    return say(own, "before {day}", day=days.end) if days.end else ""


def _between(bounds: Between, tell: Callable[[int], str], own: OwnLanguage) -> str:
    if bounds.least is not None and bounds.least == bounds.most:
        return str(tell(bounds.least))
    low = say(own, "at least {value}", value=tell(bounds.least)) if bounds.least is not None else ""
    high = say(own, "at most {value}", value=tell(bounds.most)) if bounds.most is not None else ""
    return f" {say(own, 'and')} ".join(filter(None, (low, high)))


def _of_scope(scope: Scope, own: OwnLanguage) -> Iterator[str]:
    if scope.collection is not None:
        saying = "the question was limited to the collection {name}"
        yield say(own, saying, name=scope.collection)
    if scope.names:
        saying = "the question was limited to {number} named documents"
        yield say(own, saying, number=len(set(scope.names)))
    if scope.filters or scope.all_of or scope.any_of or scope.none_of:
        yield say(own, "the question was limited by filters")
