"""The unit of a table's figures, where a caption, heading or title says it and no label does.

A row alone does not show it: "4,200" below "in thousands of pounds" is no 4,200 pounds.
"""

from collections.abc import Sequence

from footnote.ask.check.segments import scale_words
from footnote.ask.check.table_labels import tables_in
from footnote.ask.write.quoted_places import section_at
from footnote.model import Document

LONGEST_CAPTION = 240  # characters before a table; a longer paragraph is no caption


def with_unit(labels: Sequence[str], document: Document, start: int, end: int) -> tuple[str, ...]:
    """Returns the labels of a row's columns, with the table's unit in the first of them.

    Nothing is added where a label says a unit itself.
    """
    if not labels or scale_words(" ".join(labels)):
        return tuple(labels)
    first, *others = labels
    unit = _unit_of(document, start, end)
    return (f"{first} ({unit})".strip() if unit else first, *others)


def _unit_of(document: Document, start: int, end: int) -> str:
    """Returns what caption, heading or title say of a table's unit, the nearest first; or ""."""
    tables = tables_in(document, start, end)
    if not tables:
        return ""
    before = document.text[max(0, tables[0].start - LONGEST_CAPTION) : tables[0].start].rstrip()
    caption = before.rpartition("\n\n")[2]
    heading = " ".join(section_at(document, start)[-1:])
    return next(filter(None, map(scale_words, (caption, heading, document.title))), "")
