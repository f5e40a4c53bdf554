"""Fills the data that a caller's schema asks for: each value is checked like a sentence.

A value stays when the sentence or row that it is quoted from stands in the stored text and states
it, or gives the figures that it follows from. Else the field is null, and the answer says why.
"""

import json
from collections.abc import Mapping, Sequence
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
from footnote.ask.quote.fields import quote_for
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
MAX_SHOWN = 30  # passages that a model reads: those of all fields in turn
MAX_SENTENCES = 3  # that one value is quoted from
LEAST_WORDS = 4  # of a text in a model's own words: a shorter one says too little to be checked
NOT_STATED = "no passage states it clearly"


class Filled(NamedTuple):
    """The data, how its values were checked, what was left out, and the replies paid for."""

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
    """Returns the data of a schema. `evidence` is by the name of the field it was found for."""
    request = _request(fields, question, evidence, passages)
    reply, replies = ask_for(
        ExtractReply, request, llm, lambda: _by_rule(fields, evidence, passages)
    )
    data = empty_data(tuple(fields))
    values: list[FieldValue] = []
    removed: list[RemovedSentence] = []
    filler = _Filler(passages, checker)
    for field in fields:
        mine = [one for one in reply.values if one.field == field.name]
        held, wrong = filler.settle(field, mine)
        found = [one.value for one in held]
        place(data, field, found if field.many else next(iter(found), None))
        values += held
        known = [question, field.label, *statements(passages.values())]
        removed += [one.model_copy(update={"text": blank_out(one.text, known)}) for one in wrong]
    return Filled(data, tuple(values), tuple(removed), tuple(replies))


class _Filler:
    """Settles fields one after another, against the passages of one answer."""

    def __init__(self, passages: Mapping[int, Passage], checker: Checker) -> None:
        self._passages = passages
        self._checker = checker

    def settle(
        self, field: FieldSpec, told: Sequence[QuotedValue]
    ) -> tuple[list[FieldValue], list[RemovedSentence]]:
        """Returns the values of a field that hold, an array's all, and why others do not.

        A field for which nothing is told, or nothing holds, is among the others with its reason.
        """
        held: list[FieldValue] = []
        wrong: list[RemovedSentence] = []
        for one in told[:MAX_ITEMS]:
            result = self._settle(field, one, told)
            if isinstance(result, FieldValue):
                if result.value not in [other.value for other in held]:
                    held.append(result)
                if not field.many:
                    return held, []
            else:
                wrong.append(
                    RemovedSentence(text=one.value[:MAX_VALUE], reason=result, field=field.name)
                )
        if not held and not wrong:
            wrong = [RemovedSentence(text="", reason=NOT_STATED, field=field.name)]
        return held, wrong

    def _settle(
        self, field: FieldSpec, told: QuotedValue, all_told: Sequence[QuotedValue]
    ) -> FieldValue | str:
        """Returns the value that is told, if it holds, else why not."""
        quote = self._quote(told)
        if isinstance(quote, str):
            return quote
        if told.value.strip():
            return self._settle_given(field, told, quote, all_told)
        value, why = read_value(field, quote.text, quote.units)
        return why if value is None else self._cited(field, value, [quote])

    def _settle_given(
        self,
        field: FieldSpec,
        told: QuotedValue,
        quote: _Quote,
        all_told: Sequence[QuotedValue],
    ) -> FieldValue | str:
        given = parse_value(field, told.value)
        if given is None:
            return f"it is no {field.type} that the schema allows"
        if states(field, given, quote.text, quote.units):
            return self._cited(field, given, [quote])
        if isinstance(given, str) and not field.options and not field.is_date:
            return self._in_own_words(field, given, told.passage)
        others = [self._quote(one) for one in all_told if one.value == told.value]
        quotes = [one for one in others if isinstance(one, _Quote)]
        units = [unit for one in quotes for unit in one.units]
        if how := computed_from(field, given, units):
            return self._cited(field, given, quotes, how)
        return "its quote does not state it for this field"

    def _quote(self, told: QuotedValue) -> _Quote | str:
        """Returns the sentences around a quote if they stand in the passage, else why not."""
        passage = self._passages.get(told.passage)
        if passage is None:
            return f"there is no passage {told.passage}"
        span = locate(told.quote, passage.text) if told.quote.strip() else None
        if span is None:
            return "its quote is not in the passage"
        around = [one for one in sentence_spans(passage.text) if _overlap(one, span)]
        if not 0 < len(around) <= MAX_SENTENCES:
            return f"its quote is longer than {MAX_SENTENCES} sentences"
        start, end = around[0][0], around[-1][1]
        place_ = (passage.start + start, passage.start + end)
        text = " ".join(passage.text[start:end].split())
        return _Quote(text, self._checker.units_at(told.passage, place_), told.passage)

    def _cited(
        self, field: FieldSpec, value: Scalar, quotes: Sequence[_Quote], computed: str = ""
    ) -> FieldValue | str:
        """Returns the value with its citations if each quote stands in the stored text."""
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

    def _in_own_words(self, field: FieldSpec, text: str, passage: int) -> FieldValue | str:
        """Checks a text that is no part of its quote as a sentence of an answer is checked."""
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


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def field_sentences(fields: Sequence[FieldSpec], filled: Filled) -> list[Sentence]:
    """Returns a line for each value, for an answer that has no other words."""
    labels = {field.name: field.label.rstrip(" .:?!") for field in fields}
    return [
        Sentence(
            text=f"{labels[one.field]}: {json.dumps(one.value, ensure_ascii=False).strip('"')}",
            citations=one.citations,
            checked="confirmed",
            judged_by=one.judged_by,
            computed=one.computed,
        )
        for one in filled.values
    ]


def _by_rule(
    fields: Sequence[FieldSpec], evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]
) -> ExtractReply:
    quoted = (
        quote_for(one.name, one.label, _kind(one), evidence[one.name], passages, many=one.many)
        for one in fields
        if one.name in evidence
    )
    return ExtractReply(values=[value for values in quoted for value in values])


def _kind(field: FieldSpec) -> str:
    return "date" if field.is_date else field.type


def _request(
    fields: Sequence[FieldSpec],
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
) -> ModelRequest:
    wanted = {
        field.name: {
            "label": field.label,
            "type": _kind(field),
            "options": list(field.options),
            "many": field.many,
        }
        for field in fields
    }
    lines = [json.dumps({"field": name, **told}) for name, told in wanted.items()]
    return request_for(
        "extract",
        question=fence_texts({"question": question}),
        fields=fence_texts({"fields": "\n".join(lines)}),
        passages=fence_texts({str(n): show(passages[n]) for n in _shown(evidence, passages)}),
    )


def _shown(evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]) -> list[int]:
    """Returns the numbers of the passages that a model reads: the best of each field in turn."""
    numbers = {_span(passage): n for n, passage in passages.items()}
    ranks = max((len(piece.passages) for piece in evidence.values()), default=0)
    turns = (
        numbers[_span(piece.passages[rank])]
        for rank in range(ranks)
        for piece in evidence.values()
        if rank < len(piece.passages) and _span(piece.passages[rank]) in numbers
    )
    return sorted(list(dict.fromkeys(turns))[:MAX_SHOWN])


def _span(passage: Passage) -> tuple[str, str, int, int]:
    return passage.document_id, passage.version, passage.start, passage.end
