"""Asks a whole question in memory, as the state machine does: plan, retrieve, grade, synthesize."""

from footnote.adapters.extractive import Extractive
from footnote.ask.evidence import gather
from footnote.ask.fields import read_schema
from footnote.ask.grade import grade
from footnote.ask.plan import NO_WISHES, first_wave, plan
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.model import Scope
from tests.corpus import Corpus

SCOPE = Scope(tenant="acme")


def ask(question, pages, wishes=NO_WISHES, llm=None, *, told=lambda *_: None, persona="default"):
    """Returns the answer and the corpus of `pages`: path → pages, or a Corpus."""
    corpus = pages if isinstance(pages, Corpus) else Corpus(pages)
    llm = llm or Extractive()
    progress = plan(question, (), SCOPE, llm, wishes, persona)
    wave, found = first_wave(progress.plan), {}
    while wave:
        for sub in (q for q in progress.plan.sub_questions if q.id in wave):
            new = retrieve(sub, SCOPE, (), corpus.index, corpus.embedder, corpus.catalog)
            found[sub.id] = gather([found[sub.id], new] if sub.id in found else [new])
        progress, _, wave = grade(progress, found, 2, llm)
    answer = synthesize(
        "id-1",
        progress,
        found,
        corpus.document,
        corpus.words,
        llm,
        told,
        read_schema(wishes.data_schema),
    )
    return answer, corpus
