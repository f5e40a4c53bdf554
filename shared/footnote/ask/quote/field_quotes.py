"""Quotes the sentence that states a field of the caller's data.

A field's value is read from its quote later (`ask/data/values.py`).
"""

from collections.abc import Iterator, Mapping

from footnote.ask.quote.confidence import FOUND, confidence
from footnote.ask.quote.lines import has_kind, kind_of, rank_lines, sentence_text
from footnote.ask.quote.quotations import NEARLY_AS_GOOD
from footnote.model import Evidence, Passage
from footnote.prompts.shapes import QuotedValue
from footnote.text.terms import terms

KIND_BY_TYPE = {"number": "number", "integer": "number", "date": "date"}
MOST_ITEMS = 5  # quotes for an array
MOST_TRIED = 1  # quotes for a single value: a worse one would answer in the best one's place


def quote_for(
    name: str,
    label: str,
    type_: str,
    evidence: Evidence,
    passages: Mapping[int, Passage],
    *,
    many: bool,
) -> Iterator[QuotedValue]:
    """Yields quotes for a field, each without a value: that is read from the quote.

    Yields nothing where the evidence is unlikely to state the field.
    """
    if type_ == "boolean":
        yield from _quote_truth(name, label, evidence, passages)
        return
    if confidence(label, evidence) < FOUND:
        return
    numbered = {passage.key: n for n, passage in passages.items()}
    kind = KIND_BY_TYPE.get(type_) or kind_of(label)
    ranked = [line for line in rank_lines(label, evidence) if has_kind(kind, line.text)]
    least = NEARLY_AS_GOOD * ranked[0].score if ranked else 0.0
    for line in ranked[: MOST_ITEMS if many else MOST_TRIED]:
        if line.score >= least and line.passage.key in numbered:
            yield QuotedValue(field=name, passage=numbered[line.passage.key], quote=line.text)


def _quote_truth(
    name: str, label: str, evidence: Evidence, passages: Mapping[int, Passage]
) -> Iterator[QuotedValue]:
    """Yields the first sentence with all words of a statement: it affirms or denies it."""
    wanted = set(terms(label))
    starts = {(p.document_id, p.version, p.start) for p in evidence.passages}
    for n, passage in passages.items():
        if (passage.document_id, passage.version, passage.start) not in starts:
            continue
        for sentence in passage.sentences:
            text = sentence_text(passage, sentence)
            if wanted and wanted <= set(terms(text)) and not text.endswith("?"):
                yield QuotedValue(field=name, passage=n, quote=text)
                return
