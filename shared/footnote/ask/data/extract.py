"""Asks a model, else rules, for the values of fields and the words that they are quoted from."""

import json
from collections.abc import Mapping, Sequence
from itertools import batched, zip_longest

from footnote.ask.data.fields import FieldSpec, RecordSpec
from footnote.ask.evidence.merge import show
from footnote.ask.question.structured_output import ask_for
from footnote.ask.quote.field_quotes import quote_for
from footnote.model import Evidence, ModelReply, ModelRequest, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import ExtractReply
from footnote.prompts.tasks import request_for

MAX_SHOWN = 30  # passages that a model reads, for all fields together
PASSAGES_AT_ONCE = 3  # that a model reads for arrays of objects: a longer reply would be cut


def ask_for_fields(
    fields: Sequence[FieldSpec],
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
    llm: LLM | None,
) -> tuple[ExtractReply, list[ModelReply]]:
    """Returns the quoted values of fields, and the replies paid for."""
    shown = _shown([evidence[f.name] for f in fields if f.name in evidence], passages)
    lines = [_describe(field) for field in fields]
    request = _request(question, lines, shown, passages)
    return ask_for(ExtractReply, request, llm, lambda: _by_rule(fields, evidence, passages))


def ask_for_records(
    specs: Sequence[RecordSpec],
    question: str,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
    llm: LLM,
) -> tuple[ExtractReply, list[ModelReply]]:
    """Returns the quoted objects of arrays, read from some passages at a time.

    It stops at the first reply of no use: what was read before stays.
    """
    shown = _shown([evidence[s.name] for s in specs if s.name in evidence], passages)
    lines = [
        {"array": spec.name, "label": spec.label, "fields": [_describe(f) for f in spec.fields]}
        for spec in specs
    ]
    together, replies = ExtractReply(), list[ModelReply]()
    for numbers in batched(shown, PASSAGES_AT_ONCE, strict=False):
        request = _request(question, lines, numbers, passages)
        reply, paid = ask_for(ExtractReply, request, llm, ExtractReply)
        replies += paid
        together.records += reply.records
        if paid[-1].mode == "extractive":
            break
    return together, replies


def _describe(field: FieldSpec) -> dict[str, object]:
    types = [field.format or field.type, *field.other_types]
    described: dict[str, object] = {"pattern": field.pattern} if field.pattern else {}
    return described | {
        "field": field.name,
        "label": field.label,
        "type": " or ".join(types),
        "options": list(field.options),
        "many": field.many,
    }


def _by_rule(
    fields: Sequence[FieldSpec], evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]
) -> ExtractReply:
    return ExtractReply(
        values=[
            value
            for f in fields
            if f.name in evidence
            for value in quote_for(
                f.name,
                f.label,
                "date" if f.is_date else f.type,
                evidence[f.name],
                passages,
                many=f.many,
            )
        ]
    )


def _request(
    question: str,
    lines: Sequence[Mapping[str, object]],
    numbers: Sequence[int],
    passages: Mapping[int, Passage],
) -> ModelRequest:
    return request_for(
        "extract",
        question=fence_texts({"question": question}),
        fields=fence_texts({"fields": "\n".join(map(json.dumps, lines))}),
        passages=fence_texts({str(n): show(passages[n]) for n in numbers}),
    )


def _shown(evidence: Sequence[Evidence], passages: Mapping[int, Passage]) -> list[int]:
    """Returns the numbers of the passages that a model reads: each look-up's best, its second …"""
    numbers = {passage.key: n for n, passage in passages.items()}
    ranks = zip_longest(*(piece.passages for piece in evidence))
    in_turns = [passage for rank in ranks for passage in rank if passage]
    shown = dict.fromkeys(numbers[p.key] for p in in_turns if p.key in numbers)
    return sorted(list(shown)[:MAX_SHOWN])
