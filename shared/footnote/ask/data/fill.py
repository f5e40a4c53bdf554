"""Fills the data that a caller's schema asks for: each value is checked like a sentence.

A value holds if the sentence or row that it is quoted from stands in the stored text, and states
the value or the figures that it follows from. Else the field is null, and the answer says why.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, Self

from footnote.ask.check.segments import Unit, sentence_spans
from footnote.ask.data.schema import FieldSpec, empty_data, place
from footnote.ask.data.values import (
    MAX_VALUE,
    computed_from,
    parse_value,
    read_value,
    states,
)
from footnote.ask.evidence.merge import show
from footnote.ask.guard.screen import blank_out, is_instruction
from footnote.ask.question.structured_output import ask_for
from footnote.ask.quote.field_quotes import quote_for
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.explain import explain, statements
from footnote.model import (
    Evidence,
    FieldValue,
    ModelReply,
    ModelRequest,
    Passage,
    RemovedSentence,
    Scalar,
    Sentence,
)
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import ExtractReply, QuotedValue
from footnote.prompts.tasks import request_for
from footnote.text.quotes import locate

MAX_ITEMS = 20  # values of one array
MAX_SHOWN = 30  # passages that a model reads, for all fields together
MAX_SENTENCES = 3  # that one value is quoted from
LEAST_WORDS = 4  # of a value in a model's own words: a shorter one says too little to check
NOT_STATED = "no passage states it clearly"


class Filled(NamedTuple):
    """The data, its checked values, the values that do not hold, and the replies paid for."""

    data: Mapping[str, object]
    values: tuple[FieldValue, ...]
    removed: tuple[RemovedSentence, ...]
    replies: tuple[ModelReply, ...]

    @classmethod
    def nothing(cls, fields: Sequence[FieldSpec]) -> Self:
        """Returns the data with each of its fields null."""
        removed = (
            RemovedSentence(text="", reason=NOT_STATED, field=field.name) for field in fields
        )
        return cls(empty_data(tuple(fields)), (), tuple(removed), ())


class _Quote(NamedTuple):
    """The sentences of a passage around a quote, on one line and as units."""

    text: str
    units: Sequence[Unit]
    passage: int


def fill(  # noqa: PLR0917 - one of them is a port
    fields: Sequence[FieldSpec],
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
    checker: Checker,
    llm: LLM | None,
) -> Filled:
    """Returns the data of a schema. `evidence` is by field name."""
    request = _request(fields, question, evidence, passages)
    reply, replies = ask_for(
        ExtractReply, request, llm, lambda: _by_rule(fields, evidence, passages)
    )
    data = empty_data(tuple(fields))
    values: list[FieldValue] = []
    removed: list[RemovedSentence] = []
    value_checker = _ValueChecker(passages, checker)
    for field in fields:
        quoted = [each for each in reply.values if each.field == field.name]
        held, refused = value_checker.check_field(field, quoted)
        held_values = [each.value for each in held]
        place(data, field, held_values if field.many else next(iter(held_values), None))
        values += held
        known_texts = [question, field.label, *statements(passages.values())]
        removed += [
            each.model_copy(update={"text": blank_out(each.text, known_texts)}) for each in refused
        ]
    return Filled(data, tuple(values), tuple(removed), tuple(replies))


class _ValueChecker:
    """Checks the quoted values of fields against the passages of one answer."""

    def __init__(self, passages: Mapping[int, Passage], checker: Checker) -> None:
        self._passages = passages
        self._checker = checker

    def check_field(
        self, field: FieldSpec, quoted: Sequence[QuotedValue]
    ) -> tuple[list[FieldValue], list[RemovedSentence]]:
        """Returns the values of a field that hold, and why others do not.

        A field that is no array has at most one: the first that holds. If there is no value at all,
        the reason is that no passage states it.
        """
        held: list[FieldValue] = []
        refused: list[RemovedSentence] = []
        for each in quoted[:MAX_ITEMS]:
            result = self._check_value(field, each, quoted)
            if isinstance(result, FieldValue):
                if result.value not in [other.value for other in held]:
                    held.append(result)
                if not field.many:
                    return held, []
            else:
                text = each.value[:MAX_VALUE]
                refused.append(RemovedSentence(text=text, reason=result, field=field.name))
        if not held and not refused:
            refused = [RemovedSentence(text="", reason=NOT_STATED, field=field.name)]
        return held, refused

    def _check_value(
        self, field: FieldSpec, quoted: QuotedValue, all_quoted: Sequence[QuotedValue]
    ) -> FieldValue | str:
        """Returns a value if it holds, else why not. An empty one is read from its quote."""
        quote = self._locate(quoted)
        if isinstance(quote, str):
            return quote
        if quoted.value.strip():
            return self._check_given(field, quoted, quote, all_quoted)
        value, reason = read_value(field, quote.text, quote.units)
        return reason if value is None else self._cite(field, value, [quote])

    def _check_given(
        self,
        field: FieldSpec,
        quoted: QuotedValue,
        quote: _Quote,
        all_quoted: Sequence[QuotedValue],
    ) -> FieldValue | str:
        """Checks a given value: does its quote state it, or does it follow from all its quotes?"""
        value = parse_value(field, quoted.value)
        if value is None:
            return f"it is no {field.type} that the schema allows"
        if states(field, value, quote.text, quote.units):
            return self._cite(field, value, [quote])
        if isinstance(value, str) and not field.options and not field.is_date:
            return self._check_own_words(field, value, quoted.passage)
        located = [self._locate(each) for each in all_quoted if each.value == quoted.value]
        quotes = [each for each in located if isinstance(each, _Quote)]
        units = [unit for each in quotes for unit in each.units]
        if how := computed_from(field, value, units):
            return self._cite(field, value, quotes, how)
        return "its quote does not state it for this field"

    def _locate(self, quoted: QuotedValue) -> _Quote | str:
        """Returns the sentences around a quote if they stand in the passage, else why not."""
        passage = self._passages.get(quoted.passage)
        if passage is None:
            return f"there is no passage {quoted.passage}"
        span = locate(quoted.quote, passage.text) if quoted.quote.strip() else None
        if span is None:
            return "its quote is not in the passage"
        around = [each for each in sentence_spans(passage.text) if _overlap(each, span)]
        if not 0 < len(around) <= MAX_SENTENCES:
            return f"its quote is longer than {MAX_SENTENCES} sentences"
        start, end = around[0][0], around[-1][1]
        in_document = (passage.start + start, passage.start + end)
        text = " ".join(passage.text[start:end].split())
        return _Quote(text, self._checker.units_at(quoted.passage, in_document), quoted.passage)

    def _cite(
        self, field: FieldSpec, value: Scalar, quotes: Sequence[_Quote], computed: str = ""
    ) -> FieldValue | str:
        """Returns the value with its citations if each quote stands in the stored text, else why
        not.
        """
        numbers: dict[int, None] = {}
        for quote in quotes:
            checked = self._checker.check(Claim(quote.text, (quote.passage,)))
            if not isinstance(checked, Sentence):
                return explain(checked.differences) or checked.problem
            numbers |= dict.fromkeys(checked.citations)
        return FieldValue(
            field=field.name,
            value=value,
            citations=tuple(numbers),
            computed=(computed,) if computed else (),
        )

    def _check_own_words(self, field: FieldSpec, text: str, passage: int) -> FieldValue | str:
        """Checks a text that is no part of its quote, as a sentence of an answer is checked."""
        if len(text.split()) < LEAST_WORDS:
            return "its quote does not state it"
        if is_instruction(text):
            return "it is an instruction, not a statement"
        checked = self._checker.check(Claim(text, (passage,)))
        if not isinstance(checked, Sentence):
            return "its quote does not say so"
        return FieldValue(
            field=field.name,
            value=text,
            citations=checked.citations,
            judged_by=checked.judged_by,
            computed=checked.computed,
        )


def _overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def field_sentences(fields: Sequence[FieldSpec], filled: Filled) -> list[Sentence]:
    """Returns a line for each value, for an answer that has no other words."""
    labels = {field.name: field.label.rstrip(" .:?!") for field in fields}
    return [
        Sentence(
            text=f"{labels[value.field]}: {json.dumps(value.value, ensure_ascii=False).strip('"')}",
            citations=value.citations,
            checked="confirmed",
            judged_by=value.judged_by,
            computed=value.computed,
        )
        for value in filled.values
    ]


def _by_rule(
    fields: Sequence[FieldSpec], evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]
) -> ExtractReply:
    return ExtractReply(
        values=[
            value
            for f in fields
            if f.name in evidence
            for value in quote_for(
                f.name, f.label, _kind(f), evidence[f.name], passages, many=f.many
            )
        ]
    )


def _kind(field: FieldSpec) -> str:
    return "date" if field.is_date else field.type


def _request(
    fields: Sequence[FieldSpec],
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
) -> ModelRequest:
    lines = [
        json.dumps(
            {
                "field": field.name,
                "label": field.label,
                "type": _kind(field),
                "options": list(field.options),
                "many": field.many,
            }
        )
        for field in fields
    ]
    return request_for(
        "extract",
        question=fence_texts({"question": question}),
        fields=fence_texts({"fields": "\n".join(lines)}),
        passages=fence_texts({str(n): show(passages[n]) for n in _shown(evidence, passages)}),
    )


def _shown(evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]) -> list[int]:
    """Returns the numbers of the passages that a model reads: each field's best, its second …"""
    numbers = {passage.key: n for n, passage in passages.items()}
    ranks = zip_longest(*(piece.passages for piece in evidence.values()))
    in_turns = [passage for rank in ranks for passage in rank if passage]
    shown = dict.fromkeys(numbers[p.key] for p in in_turns if p.key in numbers)
    return sorted(list(shown)[:MAX_SHOWN])
