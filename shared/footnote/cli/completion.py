"""What shells offer while a command is typed: fixed words, and names that footnote is asked for.

A shell shows nothing of what goes wrong: without an answer nothing is offered.
"""

from collections.abc import Callable, Iterable
from itertools import islice

import typer

from footnote.cli.connect import connect
from footnote.errors import FootnoteError

LOOKED_AT = 1000  # documents: two requests
FORMATS = ("md", "docx", "pdf", "json", "svg")
KINDS = ("fact", "comparison", "exploratory", "list", "count", "document")
PERSONAS = ("default", "analyst", "terse")
VERDICTS = ("up", "down", "gap")


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Returns what offers those of some words that begin as typed."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def complete_documents(context: typer.Context, incomplete: str) -> list[str]:
    """Returns the first documents, of the collection that is named if any, that begin as typed."""
    collection = context.params.get("collection") or ""
    return one_of(record["document"] for record in _documents(collection))(incomplete)


def complete_collections(incomplete: str) -> list[str]:
    """Returns the collections of the first documents that begin as typed."""
    return one_of(sorted({record["collection"] for record in _documents()}))(incomplete)


def _documents(collection: str = "") -> list[dict[str, str]]:
    try:
        with connect() as client:
            return list(islice(client.documents(collection=collection), LOOKED_AT))
    except FootnoteError:
        return []
