"""The retrieve step: finds evidence for a sub-question and scores it sentence by sentence.

A search that fails is an error, never an answer from nothing. Without an embedder the step goes on
by words alone and says so.
"""

from collections.abc import Sequence

from footnote.ask.evidence.line_judge import judge_of
from footnote.ask.evidence.scoring import nearness, score_sentences
from footnote.ask.evidence.unknown_words import (
    find_off_topic_words,
    find_unknown_words,
    find_unrelated_documents,
)
from footnote.ask.find.fallbacks import WORDS_ONLY
from footnote.ask.find.passages import FoundPassages, find_passages
from footnote.ask.find.ports import Ports
from footnote.ask.find.spelling import reword
from footnote.ask.query.reading import QueryReading
from footnote.model import Evidence, Passage, Scope, SubQuestion


def retrieve(
    sub: SubQuestion,
    scope: Scope,
    findings: Sequence[str],
    ports: Ports,
    recalled: Sequence[Passage] = (),
) -> Evidence:
    """Finds evidence for a sub-question; `findings` are the answers that it depends on.

    `recalled` are passages that earlier questions have led to: they are scored among the others.

    Where no text has a word of it, the search goes for the documents' own spelling.
    """
    reading = QueryReading(sub.text)
    found = find_passages(sub, reading, scope, findings, ports).with_recalled(recalled)
    unknown = find_unknown_words(reading, found.evidence.passages, scope, ports.index)
    text, notes = reword(reading, unknown, scope, ports)
    if text == sub.text:
        found = found._replace(evidence=found.evidence.after(notes))
        return judge_by_sentence(found, reading, scope, ports, unknown)
    sub, reading = sub.model_copy(update={"text": text}), QueryReading(text)
    found = find_passages(sub, reading, scope, findings, ports).with_recalled(recalled)
    found = found._replace(evidence=found.evidence.after(notes))
    return judge_by_sentence(found, reading, scope, ports)


def judge_by_sentence(
    found: FoundPassages,
    reading: QueryReading,
    scope: Scope,
    ports: Ports,
    unknown: tuple[str, ...] | None = None,
) -> Evidence:
    """Scores the evidence's sentences, and notes which words no text in the scope has.

    Rules grade and quote by these figures, also where a model fails that was to do so. Without
    `unknown` these words are looked up.
    """
    evidence, index, near = found.evidence, ports.index, None
    passages = evidence.passages
    if WORDS_ONLY not in evidence.degraded:
        vector = found.vector or ports.embedder.embed([reading.text], "query")[0]
        near = nearness(ports.embedder, vector)
    judge = judge_of(reading, ports.line_judge)
    if unknown is None:
        unknown = find_unknown_words(reading, passages, scope, index)
    update = {
        "passages": tuple(score_sentences(reading, passages, near, found.hits, judge)),
        "absent": unknown if passages else (),
        "foreign": find_off_topic_words(reading, unknown, passages, scope, index),
        "strange": find_unrelated_documents(reading, passages, scope, index),
    }
    return evidence.model_copy(update=update)
