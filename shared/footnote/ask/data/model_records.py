"""Checks the objects that a model reads for an array: each value must stand in its quote."""

from footnote.ask.data.fields import FieldSpec, RecordSpec
from footnote.ask.data.quoted import QuotedWords, ValueChecker
from footnote.ask.data.table_records import Record
from footnote.ask.data.values import MAX_VALUE, parse_value, states
from footnote.model import RemovedSentence, Scalar
from footnote.prompts.shapes import QuotedRecord


def check_record(
    record: RecordSpec, quoted: QuotedRecord, checker: ValueChecker
) -> tuple[Record | None, list[RemovedSentence]]:
    """Returns an object with the values that its quote states, and why others do not hold.

    Returns None where no value holds, or where the quote does not stand in the stored text.
    """
    quote = checker.locate(quoted.passage, quoted.quote)
    if isinstance(quote, str):
        return None, [_removed(record.name, quoted.quote, quote)]
    given = {each.field: each.value for each in quoted.values}
    values: dict[str, Scalar] = {}
    removed: list[RemovedSentence] = []
    for field in record.fields:
        text = given.get(field.name, "").strip()
        value = _stated(field, text, quote) if text else None
        if value is not None:
            values[field.name] = value
        elif text:
            reason = "its quote does not state it for this field"
            removed.append(_removed(f"{record.name}.{field.name}", text, reason))
    if not values:
        return None, removed
    cited = checker.cite_quotes([quote])
    if isinstance(cited, str):
        return None, [*removed, _removed(record.name, quoted.quote, cited)]
    return Record(values, cited), removed


def _stated(field: FieldSpec, text: str, quote: QuotedWords) -> Scalar | None:
    """Returns a model's text as a value that the quote states, or None."""
    for each in field.alternatives():
        value = parse_value(each, text)
        if value is None or not each.allows(value):
            continue
        if states(each, value, quote.text, quote.units):
            return value
    return None


def _removed(name: str, text: str, reason: str) -> RemovedSentence:
    return RemovedSentence(text=text[:MAX_VALUE], reason=reason, field=name)
