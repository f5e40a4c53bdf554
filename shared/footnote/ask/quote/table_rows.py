"""Which rows of a table go with a line that surely states an answer.

A row alone is hard to read, and a question "by zone" wants the rows of all zones.
"""

from collections.abc import Sequence

from footnote.ask.quote.lines import RankedLine, label_terms
from footnote.ask.quote.stated import states_surely
from footnote.model import CELL, Evidence
from footnote.text.terms import terms

MOST_ROWS = 12


def keep_sure(lines: Sequence[RankedLine], question: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the lines that surely state the answer, and rows of the same tables."""
    sure = [line for line in lines if states_surely(question, line, evidence)]
    tables = {_table_of(line) for line in sure if line.header}
    return [line for line in lines if line in sure or _table_of(line) in tables]


def add_siblings(
    chosen: Sequence[RankedLine], ranked: Sequence[RankedLine], question: str
) -> list[RankedLine]:
    """Adds the rows that the question asks for in one word with the best row, as the table goes.

    "By zone" asks for "Zone North" and for "Zone South". A question that has the whole label of a
    row asks for no other.
    """
    best = chosen[0] if chosen else None
    if best is None or CELL not in best.text or not best.header or best.is_named:
        return list(chosen)
    common = label_terms(best.text) & set(terms(question))
    siblings = [
        line
        for line in ranked
        if common
        and CELL in line.text
        and _table_of(line) == _table_of(best)
        and common <= label_terms(line.text)
    ]
    if len(siblings) < 2 or len(siblings) > MOST_ROWS:
        return list(chosen)
    others = [line for line in chosen if line not in siblings]
    return [*sorted(siblings, key=lambda line: line.sentence.start), *others]


def _table_of(line: RankedLine) -> tuple[str, str, str]:
    return line.passage.document_id, line.passage.version, line.header
