"""Writes a catalogue question out in whole words, so that a later one can follow it.

`read.py` reads these words as the same question.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from footnote.ask.catalogue.terms import LANGUAGES
from footnote.model.catalogue import Between, CatalogueQuery, Days

_BEGINNINGS = {
    "documents": "How many",
    "pages": "How many pages do the",
    "bytes": "Total size of the",
}
_ADJECTIVES = {
    ("added", True): "newest",
    ("added", False): "oldest",
    ("size", True): "largest",
    ("size", False): "smallest",
    ("pages", True): "longest",
    ("pages", False): "shortest",
}


def say_question(query: CatalogueQuery) -> str:
    """Returns the question in English, with all that its history has supplied."""
    words = [_beginning(query)]
    if query.limit:
        words.append(str(query.limit))
    if adjective := _ADJECTIVES.get((query.order, query.descending)):
        words.append(adjective)
    words.append("documents")
    words += _conditions(query)
    if query.order == "changed":
        words.append("changed last")
    if query.shows == "groups" and query.by:
        words.append(f"by {query.by}")
    if query.with_reasons:
        words.append("and why")
    return f"{' '.join(words)}?"


def _beginning(query: CatalogueQuery) -> str:
    return "Which" if query.shows == "list" else _BEGINNINGS[query.measure]


def _conditions(query: CatalogueQuery) -> Iterator[str]:
    yield from (f"with status {status}" for status in query.statuses)
    yield from (f"of type {name}" for name in query.formats)
    yield from (f"in the collection {_quoted(name)}" for name in query.collections)
    yield from (f"in the folder {_quoted(name)}" for name in query.folders)
    yield from (f"in {LANGUAGES[code][0].capitalize()}" for code in query.languages)
    yield from (f"from {year}" for year in query.years)
    yield from (f"with {_quoted(name)} in the name" for name in query.names)
    yield from (f"named {_quoted(name)}" for name in query.files)
    match query.readers:
        case "":
            pass
        case "*":
            yield "open to everyone"
        case "-":
            yield "restricted"
        case group:
            yield f"readable by the group {_quoted(group)}"
    if query.warned:
        yield "with warnings"
    yield from _days("added", query.added)
    yield from _days("changed", query.changed)
    yield from _amounts("bytes", query.size)
    yield from _amounts("pages", query.pages)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _days(verb: str, days: Days) -> Iterator[str]:
    if days.first and days.end:
        last = date.fromisoformat(days.end) - timedelta(days=1)
        yield f"{verb} between {days.first} and {last.isoformat()}"
    elif days.first:
        yield f"{verb} since {days.first}"
    elif days.end:
        yield f"{verb} before {days.end}"


def _amounts(unit: str, bounds: Between) -> Iterator[str]:
    if bounds.least is not None:
        yield f"with at least {bounds.least} {unit}"
    if bounds.most is not None:
        yield f"with at most {bounds.most} {unit}"
