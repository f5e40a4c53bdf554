"""Checks the values of fields against the words that they are quoted from.

A value holds if the sentence or row that it is quoted from stands in the stored text, and states
the value or the figures that it follows from.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.check.segments import Unit, sentence_spans
from footnote.ask.data.fields import FieldSpec
from footnote.ask.data.values import MAX_VALUE, computed_from, parse_value, read_value, states
from footnote.ask.guard.screen import is_instruction
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.explain import explain
from footnote.model import FieldValue, Passage, RemovedSentence, Scalar, Sentence
from footnote.prompts.shapes import QuotedValue
from footnote.text.quotes import locate

MAX_ITEMS = 200  # values of one array
MAX_SENTENCES = 3  # that one value is quoted from
LEAST_WORDS = 4  # of a value in a model's own words: a shorter one says too little to check
NOT_STATED = "no passage states it clearly"
NOT_ALLOWED = "it is outside of the schema's limits"


class QuotedWords(NamedTuple):
    """The sentences of a passage around a quote, on one line and as units."""

    text: str
    units: Sequence[Unit]
    passage: int


class ValueChecker:
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
            if len(held) == field.most_items:
                break
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
        """Returns a value of one of the field's types if it holds, else why not."""
        result: FieldValue | str = NOT_STATED
        for each in field.alternatives():
            result = self._check_as(each, quoted, all_quoted)
            if isinstance(result, FieldValue):
                return result
        return result

    def _check_as(
        self, field: FieldSpec, quoted: QuotedValue, all_quoted: Sequence[QuotedValue]
    ) -> FieldValue | str:
        """Returns a value if it holds, else why not. An empty one is read from its quote."""
        quote = self.locate(quoted.passage, quoted.quote)
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
        quote: QuotedWords,
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
        same = [each for each in all_quoted if each.value == quoted.value]
        located = [self.locate(each.passage, each.quote) for each in same]
        quotes = [each for each in located if isinstance(each, QuotedWords)]
        units = [unit for each in quotes for unit in each.units]
        if how := computed_from(field, value, units):
            return self._cite(field, value, quotes, how)
        return "its quote does not state it for this field"

    def locate(self, number: int, quote: str) -> QuotedWords | str:
        """Returns the sentences around a quote if they stand in passage `number`, else why not."""
        passage = self._passages.get(number)
        if passage is None:
            return f"there is no passage {number}"
        span = locate(quote, passage.text) if quote.strip() else None
        if span is None:
            return "its quote is not in the passage"
        around = [each for each in sentence_spans(passage.text) if _overlap(each, span)]
        if not 0 < len(around) <= MAX_SENTENCES:
            return f"its quote is longer than {MAX_SENTENCES} sentences"
        start, end = around[0][0], around[-1][1]
        in_document = (passage.start + start, passage.start + end)
        text = " ".join(passage.text[start:end].split())
        return QuotedWords(text, self._checker.units_at(number, in_document), number)

    def cite_quotes(self, quotes: Sequence[QuotedWords]) -> tuple[int, ...] | str:
        """Returns the numbers of the citations if each quote stands in the stored text, else why
        not.
        """
        numbers: dict[int, None] = {}
        for quote in quotes:
            checked = self._checker.check(Claim(quote.text, (quote.passage,)))
            if not isinstance(checked, Sentence):
                return explain(checked.differences) or checked.problem
            numbers |= dict.fromkeys(checked.citations)
        return tuple(numbers)

    def _cite(
        self, field: FieldSpec, value: Scalar, quotes: Sequence[QuotedWords], computed: str = ""
    ) -> FieldValue | str:
        """Returns the value with its citations if the schema allows it and its quotes stand."""
        if not field.allows(value):
            return NOT_ALLOWED
        cited = self.cite_quotes(quotes)
        if isinstance(cited, str):
            return cited
        return FieldValue(
            field=field.name,
            value=value,
            citations=cited,
            computed=(computed,) if computed else (),
        )

    def _check_own_words(self, field: FieldSpec, text: str, passage: int) -> FieldValue | str:
        """Checks a text that is no part of its quote, as a sentence of an answer is checked."""
        if len(text.split()) < LEAST_WORDS:
            return "its quote does not state it"
        if not field.allows(text):
            return NOT_ALLOWED
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
