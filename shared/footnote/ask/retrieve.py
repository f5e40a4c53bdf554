"""The retrieve step: finds evidence for a sub-question and scores it sentence by sentence.

A search that fails is an error, never an answer from nothing. Without an embedder the step goes on
by words alone and says so.
"""

from collections.abc import Sequence
from functools import partial

from footnote.ask.evidence.line_judge import judge_of
from footnote.ask.evidence.scoring import nearness, score_sentences
from footnote.ask.evidence.unknown_words import (
    find_off_topic_words,
    find_unknown_words,
    find_unrelated_documents,
)
from footnote.ask.find.choose import unread_language
from footnote.ask.find.fallbacks import WORDS_ONLY
from footnote.ask.find.passages import FoundPassages, find_passages
from footnote.ask.find.ports import Ports
from footnote.ask.find.spelling import respell
from footnote.model import Evidence, Scope, SubQuestion


def retrieve(
    sub: SubQuestion,
    scope: Scope,
    findings: Sequence[str],
    ports: Ports,
    *,
    by_sentence: bool = True,
) -> Evidence:
    """Finds evidence for a sub-question; `findings`: the answers it depends on.

    Without `by_sentence` no sentence is embedded and no word looked up: a model reads the passages
    and needs no scores. Else the judge of lines reads English questions together with the best
    sentences, and says which answer.
    """
    found = find_passages(sub, scope, findings, ports)
    absent = find_unknown_words(sub.text, found.evidence.passages, scope, ports.index)
    if absent:
        found = _in_their_words(found, sub, absent, scope, findings, ports)
    if by_sentence:
        return _by_sentence(found, scope, ports)
    evidence = found.evidence
    passages = score_sentences(evidence.question, evidence.passages, None, found.hits)
    return evidence.model_copy(update={"passages": tuple(passages)})


def _in_their_words(  # noqa: PLR0917 - those of `retrieve`, and what it found
    found: FoundPassages,
    sub: SubQuestion,
    absent: Sequence[str],
    scope: Scope,
    findings: Sequence[str],
    ports: Ports,
) -> FoundPassages:
    """Finds once more where the documents spell words otherwise, and notes another language."""
    languages = partial(ports.index.languages, scope)
    notes = unread_language(sub.text, ports.embedder.model, languages)
    if respelled := respell(sub.text, absent, scope, ports):
        sub = sub.model_copy(update={"text": respelled.text})
        found = find_passages(sub, scope, findings, ports)
        notes = (respelled.note, *notes)
    return found._replace(evidence=found.evidence.after(notes))


def _by_sentence(found: FoundPassages, scope: Scope, ports: Ports) -> Evidence:
    """Scores the sentences of what was found, and looks up which words nothing in the scope has."""
    evidence, index, near = found.evidence, ports.index, None
    question, passages = evidence.question, evidence.passages
    if WORDS_ONLY not in evidence.degraded:
        vector = found.vector or ports.embedder.embed([question], "query")[0]
        near = nearness(ports.embedder, vector)
    judge = judge_of(question, ports.line_judge)
    unknown = find_unknown_words(question, passages, scope, index) if passages else ()
    update = {
        "passages": tuple(score_sentences(question, passages, near, found.hits, judge)),
        "absent": unknown,
        "foreign": find_off_topic_words(question, unknown, passages, scope, index),
        "strange": find_unrelated_documents(question, passages, scope, index),
    }
    return evidence.model_copy(update=update)
