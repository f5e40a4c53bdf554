"""Asks a whole question in memory, as the state machine does: plan, retrieve, grade, synthesize."""

from footnote.ask.answer.material import Material
from footnote.ask.data.schema import read_schema
from footnote.ask.evidence.merge import gather
from footnote.ask.grade import grade
from footnote.ask.plan import NO_OPTIONS, plan
from footnote.ask.planning.waves import Limits, begin
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.model import Budget, Scope
from tests.corpus import Corpus

SCOPE = Scope(tenant="acme")


def ask(
    question,
    pages,
    options=NO_OPTIONS,
    llm=None,
    *,
    history=(),
    told=lambda *_: None,
    persona="default",
):
    """Returns the answer and the corpus of `pages`: path → pages, or a Corpus."""
    corpus = pages if isinstance(pages, Corpus) else Corpus(pages)
    progress = plan(question, history, SCOPE, llm, options, persona)
    wave, found = begin(progress, Budget()).wave, {}
    while wave:
        for sub in (q for q in progress.plan.sub_questions if q.id in wave):
            new = retrieve(sub, SCOPE, (), corpus.ports)
            found[sub.id] = gather([found[sub.id], new] if sub.id in found else [new])
        progress, _, wave = grade(progress, found, Limits(Budget()), llm)
    fields = read_schema(options.data_schema)
    ports = (corpus.document, corpus.words, llm)
    answer = synthesize(Material("id-1", progress, found, *ports, told, fields))
    return answer, corpus


def worked_out(answer):
    """Returns the sentence that code computed, without its beginning, and its quotes; else None."""
    assert answer.found  # else nothing is added whatever is asked
    quotes = {citation.n: citation.quote for citation in answer.citations}
    assert all(one.verified for one in answer.citations)
    for one in answer.sentences:
        if one.text.startswith("Computed from these figures "):
            assert one.computed
            return one.text.partition("figures ")[2], [quotes[n] for n in one.citations]
    return None
