"""What rules read in a query: its language, its words, the pages and figures that it names.

A query is read once, and what was read is handed down to all that ranks, weighs or judges for it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from footnote.accounting.glossary import asked_statements, related_phrases
from footnote.accounting.statements import StatementKind
from footnote.ask.query.page_references import NamedPage, named_pages
from footnote.ask.query.sides import Side, compared_sides
from footnote.model import SearchQuery
from footnote.text.language import detect_language
from footnote.text.names import asked_names, called_words
from footnote.text.terms import code_words, joined_words, terms


@dataclass(frozen=True)
class QueryReading:
    """What rules read in a text that is searched for.

    Each part is read when it is first wanted, and then kept: most searches want a few of them.
    """

    text: str

    @cached_property
    def language(self) -> str:
        return detect_language(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.text))

    @cached_property
    def pages(self) -> tuple[NamedPage, ...]:
        """The pages that it names."""
        return named_pages(self.text)

    @cached_property
    def related_phrases(self) -> tuple[str, ...]:
        """The reports' own phrases for the figures that it names."""
        return related_phrases(self.text)

    @cached_property
    def statements(self) -> tuple[StatementKind, ...]:
        """The financial statements that have those figures."""
        return asked_statements(self.text)

    @property
    def asks_for_figure(self) -> bool:
        return bool(self.related_phrases or self.statements)

    @property
    def expanded(self) -> str:
        """The text that is embedded: the query's, and the related phrases."""
        return " ".join(filter(None, (self.text, ", ".join(self.related_phrases))))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names by which it may call a document (`text/names.py`)."""
        return asked_names(self.text)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """What it compares."""
        return compared_sides(self.text, self.names)

    @cached_property
    def called_words(self) -> frozenset[str]:
        """The words of its proper names."""
        return called_words(self.text)

    @cached_property
    def joined_words(self) -> tuple[str, ...]:
        return tuple(joined_words(self.text))

    @cached_property
    def code_words(self) -> tuple[str, ...]:
        return tuple(code_words(self.text))


class Query(NamedTuple):
    """A query of a search, with what rules read in its text."""

    search: SearchQuery
    reading: QueryReading

    def change(self, **update: object) -> "Query":
        """Returns the query with other conditions. The text stays, and so does its reading."""
        return self._replace(search=self.search.model_copy(update=update))


def read_query(search: SearchQuery) -> Query:
    return Query(search, QueryReading(search.text))
