"""Fills the data that a caller's schema asks for: each value is checked like a sentence.

What does not hold is null, or missing in its array, and the answer says why. An array of objects is
read from a table by code where one has a column for each field, whoever fills the rest.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from footnote.ask.data.extract import ask_for_fields, ask_for_records
from footnote.ask.data.fields import DataSchema, RecordSpec, place
from footnote.ask.data.lookups import by_field
from footnote.ask.data.model_records import check_record
from footnote.ask.data.nested import nest
from footnote.ask.data.quoted import NOT_STATED, ValueChecker
from footnote.ask.data.table_records import LEAST_FIELDS, Record, TableReader
from footnote.ask.guard.screen import blank_out
from footnote.ask.write.checker import Checker
from footnote.ask.write.explain import statements
from footnote.model import (
    Evidence,
    FieldValue,
    ModelReply,
    Passage,
    RemovedSentence,
    Sentence,
)
from footnote.ports import LLM

MOST_RECORDS = 500  # objects of one array
MOST_REFUSED = 50  # values that do not hold, as they are told
TOO_MANY = f"there are more: an array has at most {MOST_RECORDS} objects"


class Filled(NamedTuple):
    """The data, its checked values, the values that do not hold, and the replies paid for."""

    data: Mapping[str, object]
    values: tuple[FieldValue, ...]
    removed: tuple[RemovedSentence, ...]
    replies: tuple[ModelReply, ...]

    @classmethod
    def nothing(cls, schema: DataSchema) -> Self:
        """Returns the data with each of its fields null and each of its arrays empty."""
        removed = tuple(
            RemovedSentence(text="", reason=NOT_STATED, field=name) for name in schema.labels
        )
        return cls(schema.empty(), (), removed, ())


def fill(  # noqa: PLR0917 - one of them is a port
    schema: DataSchema,
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
    checker: Checker,
    llm: LLM | None,
) -> Filled:
    """Returns the data of a schema. `evidence` is by the first field that it was looked up for."""
    filler = _Filler(schema, question, by_field(schema, evidence), passages, checker)
    filler.fill_records(llm)
    filler.fill_fields(llm)
    known_texts = [question, *schema.labels.values(), *statements(passages.values())]
    removed = [
        each.model_copy(update={"text": blank_out(each.text, known_texts)})
        for each in filler.removed
    ]
    return Filled(filler.data, tuple(filler.values), tuple(removed), tuple(filler.replies))


class _Filler:
    """Fills one schema from the passages of one answer."""

    def __init__(
        self,
        schema: DataSchema,
        question: str,
        evidence: Mapping[str, Evidence],
        passages: Mapping[int, Passage],
        checker: Checker,
    ) -> None:
        self._schema = schema
        self._question = question
        self._evidence = evidence
        self._passages = passages
        self._values = ValueChecker(passages, checker)
        self._tables = TableReader(passages, checker)
        self.data = schema.empty()
        self.values: list[FieldValue] = []
        self.removed: list[RemovedSentence] = []
        self.replies: list[ModelReply] = []

    def fill_fields(self, llm: LLM | None) -> None:
        """Fills the single values and the arrays of such."""
        fields = self._schema.fields
        if not fields:
            return
        reply, replies = ask_for_fields(fields, self._question, self._evidence, self._passages, llm)
        self.replies += replies
        for field in fields:
            quoted = [each for each in reply.values if each.field == field.name]
            held, refused = self._values.check_field(field, quoted)
            held_values = [each.value for each in held]
            value = held_values if field.many else next(iter(held_values), None)
            place(self.data, field.path, value)
            self.values += held
            self.removed += refused

    def fill_records(self, llm: LLM | None) -> None:
        """Fills the arrays of objects: from whole tables, then by the model, then by less of one.

        A table that lacks a field is second to a model, which may find it beside the table.
        """
        left = [
            record
            for record in self._schema.records
            if not self._fill_from_tables(record, least=1.0)
        ]
        if llm and left:
            left = self._fill_by_model(left, llm)
        for record in left:
            if not self._fill_from_tables(record, least=LEAST_FIELDS):
                reason = RemovedSentence(text="", reason=NOT_STATED, field=record.name)
                self.removed.append(reason)

    def _fill_from_tables(self, record: RecordSpec, *, least: float) -> bool:
        evidence = self._evidence.get(record.name)
        records = self._tables.read(record, evidence, least=least) if evidence else []
        self._add(record, records)
        return bool(records)

    def _fill_by_model(self, specs: Sequence[RecordSpec], llm: LLM) -> list[RecordSpec]:
        """Fills arrays by a model; returns those of which it has found nothing that holds."""
        reply, replies = ask_for_records(specs, self._question, self._evidence, self._passages, llm)
        self.replies += replies
        left: list[RecordSpec] = []
        for spec in specs:
            records: list[Record] = []
            refused: list[RemovedSentence] = []
            for quoted in (each for each in reply.records if each.array == spec.name):
                record, reasons = check_record(spec, quoted, self._values)
                records += [record] if record and record not in records else []
                refused += reasons
            self.removed += refused[:MOST_REFUSED]
            self._add(spec, records)
            if not records:
                left.append(spec)
        return left

    def _add(self, spec: RecordSpec, records: Sequence[Record]) -> None:
        most = MOST_RECORDS if spec.most_items is None else min(MOST_RECORDS, spec.most_items)
        if len(records) > most == MOST_RECORDS:
            self.removed.append(RemovedSentence(text="", reason=TOO_MANY, field=spec.name))
        nested = nest(spec, records[:MOST_RECORDS], most)
        place(self.data, spec.path, nested.objects)
        self.values += nested.values


def field_sentences(schema: DataSchema, filled: Filled) -> list[Sentence]:
    """Returns a line for each value or object, for an answer that has no other words."""
    labels = {name: label.rstrip(" .:?!") for name, label in schema.labels.items()}
    sentences: dict[str, Sentence] = {}
    for value in filled.values:
        name, in_array, _ = value.field.partition("[")
        key = value.field.partition("]")[0] if in_array else f"{name} {len(sentences)}"
        shown = json.dumps(value.value, ensure_ascii=False).strip('"')
        if key in sentences:
            known = sentences[key]
            cited = tuple(dict.fromkeys((*known.citations, *value.citations)))
            update = {"text": f"{known.text}, {shown}", "citations": cited}
            sentences[key] = known.model_copy(update=update)
            continue
        sentences[key] = Sentence(
            text=f"{labels[name]}: {shown}",
            citations=value.citations,
            checked="confirmed",
            judged_by=value.judged_by,
            computed=value.computed,
        )
    return list(sentences.values())
