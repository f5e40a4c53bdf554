"""The retrieve step: finds evidence for a sub-question and scores it sentence by sentence.

A search that fails is an error, never an answer from nothing. Without an embedder the step goes on
by words alone and says so.
"""

from collections.abc import Sequence

from footnote.ask.evidence.line_judge import judge_of
from footnote.ask.evidence.scoring import nearness, score_sentences
from footnote.ask.evidence.unknown_words import absent_words, foreign_words, strange_documents
from footnote.ask.find.fallbacks import WORDS_ONLY
from footnote.ask.find.passages import find_passages
from footnote.ask.find.ports import Ports
from footnote.model import Evidence, Hit, Scope, SubQuestion, Vector


def retrieve(sub: SubQuestion, scope: Scope, findings: Sequence[str], ports: Ports) -> Evidence:
    """Finds evidence for a sub-question; `findings`: the answers it depends on."""
    found = find_passages(sub, scope, findings, ports)
    return judge_by_sentence(found.evidence, scope, ports, found.hits, found.vector)


def judge_by_sentence(
    evidence: Evidence,
    scope: Scope,
    ports: Ports,
    hits: Sequence[Hit] = (),
    vector: Vector | None = None,
) -> Evidence:
    """Scores the evidence's sentences, and looks up which words nothing in the scope has.

    Rules grade and quote by these figures, also where a model fails that was to do so. `hits` are
    what the passages were made of, `vector` is the sub-question's, where they are known.
    """
    index, near = ports.index, None
    question, passages = evidence.question, evidence.passages
    if WORDS_ONLY not in evidence.degraded:
        vector = vector or ports.embedder.embed([question], "query")[0]
        near = nearness(ports.embedder, vector)
    judge = judge_of(question, ports.line_judge)
    absent = absent_words(question, passages, scope, index) if passages else ()
    update = {
        "passages": tuple(score_sentences(question, passages, near, hits, judge)),
        "absent": absent,
        "foreign": foreign_words(question, absent, passages, scope, index),
        "strange": strange_documents(question, passages, scope, index),
    }
    return evidence.model_copy(update=update)
