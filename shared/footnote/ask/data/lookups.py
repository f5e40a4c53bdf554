"""What is looked up for the data of a schema: a sub-question for each field or array of objects.

Where there are more fields than look-ups, neighbours in the schema share one.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from footnote.ask.data.fields import DataSchema
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.model import Evidence, SubQuestion

MAX_LOOKUPS = 12  # each costs a search


class Lookup(NamedTuple):
    """One search for the data: what is searched for, and the names of the fields it is for."""

    text: str
    names: tuple[str, ...]
    is_wide: bool = False


def lookups_of(schema: DataSchema) -> list[Lookup]:
    """Returns the searches of a schema, at most MAX_LOOKUPS."""
    of_records = [
        Lookup(
            "; ".join((record.label, *(field.label for field in record.fields)))[:MAX_QUESTION],
            (record.name,),
            is_wide=True,
        )
        for record in schema.records
    ]
    return [*_of_fields(schema, MAX_LOOKUPS - len(of_records)), *of_records]


def _of_fields(schema: DataSchema, most: int) -> Iterator[Lookup]:
    each = max(1, -(-len(schema.fields) // most))
    for n in range(0, len(schema.fields), each):
        fields = schema.fields[n : n + each]
        text = "; ".join(field.label for field in fields)[:MAX_QUESTION]
        yield Lookup(text, tuple(field.name for field in fields))


def field_questions(schema: DataSchema, question: str) -> tuple[SubQuestion, ...]:
    """Returns the sub-questions: the label, and both label and question as a variant.

    No grader sees them, as each value is checked by itself.
    """
    return tuple(
        SubQuestion(
            id=f"f{n}",
            text=lookup.text,
            variants=(f"{lookup.text} {question}"[:MAX_QUESTION],),
            field=lookup.names[0],
            wide=lookup.is_wide,
        )
        for n, lookup in enumerate(lookups_of(schema), start=1)
    )


def by_field(schema: DataSchema, evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Returns the evidence for each name of a schema; `evidence` is by the first name it is for."""
    return {
        name: evidence[lookup.names[0]]
        for lookup in lookups_of(schema)
        if lookup.names[0] in evidence
        for name in lookup.names
    }
