"""Quotes for each field of a form the sentences that may state it; the value is read from them."""

from collections.abc import Iterator, Mapping

from footnote.ask.quote.confidence import FOUND, confidence
from footnote.ask.quote.features import candidates, has_kind, kind_of, sentence_text
from footnote.ask.quote.quotations import NEARLY_AS_GOOD
from footnote.model import Evidence, Passage
from footnote.prompts.shapes import QuotedValue
from footnote.text.terms import terms

KINDS = {"number": "number", "integer": "number", "date": "date"}
MOST_ITEMS = 5  # quotes for an array
MOST_TRIED = 1  # quotes for a single value: a worse one would answer in the best one's place


def quote_for(
    name: str,
    label: str,
    wanted: str,
    evidence: Evidence,
    passages: Mapping[int, Passage],
    *,
    many: bool,
) -> Iterator[QuotedValue]:
    """Yields values, each empty: the quote says it.

    Yields nothing where the evidence is unlikely to state the field.
    """
    if wanted == "boolean":
        yield from _quote_truth(name, label, evidence, passages)
        return
    if confidence(label, evidence) < FOUND:
        return
    numbered = {
        (one.document_id, one.version, one.start, one.end): n for n, one in passages.items()
    }
    kind = KINDS.get(wanted) or kind_of(label)
    found = [one for one in candidates(label, evidence) if has_kind(kind, one.text)]
    least = NEARLY_AS_GOOD * found[0].score if found else 0.0
    for one in found[: MOST_ITEMS if many else MOST_TRIED]:
        passage = one.passage
        place = (passage.document_id, passage.version, passage.start, passage.end)
        if one.score >= least and place in numbered:
            yield QuotedValue(field=name, passage=numbered[place], quote=one.text)


def _quote_truth(
    name: str, label: str, evidence: Evidence, passages: Mapping[int, Passage]
) -> Iterator[QuotedValue]:
    """Yields the first sentence that has all words of a statement: it affirms or denies it."""
    wanted = set(terms(label))
    found = {(one.document_id, one.version, one.start) for one in evidence.passages}
    for n, passage in passages.items():
        if (passage.document_id, passage.version, passage.start) not in found:
            continue
        for sentence in passage.sentences:
            text = sentence_text(passage, sentence)
            if wanted and wanted <= set(terms(text)) and not text.endswith("?"):
                yield QuotedValue(field=name, passage=n, quote=text)
                return
