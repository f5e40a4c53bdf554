"""Search and retrieve: live versions only, no duplicates, passages joined, trimmed and scored."""

from dataclasses import replace

import pytest

from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.ask.evidence.findings import best_score, finding
from footnote.ask.evidence.passages import TOKEN_BUDGET
from footnote.ask.evidence.scoring import MAX_SENTENCES
from footnote.ask.find.fallbacks import NOT_NARROWED, WORDS_ONLY, too_few
from footnote.ask.find.search import search
from footnote.ask.query.reading import read_query
from footnote.ask.retrieve import retrieve
from footnote.errors import BadRequestError, ForbiddenError, UnavailableError
from footnote.model import (
    STRATEGIES,
    Annotation,
    Condition,
    Evidence,
    IndexedChunk,
    PastSearch,
    Revision,
    Scope,
    SearchQuery,
    SubQuestion,
    Verdict,
)
from footnote.text.tokens import estimate_tokens
from tests.corpus import Corpus, chunks

SCOPE = Scope(tenant="acme")
PAGES = {
    "roost.pdf": ["Roost charges bikes.\n\nA Roost holds twelve bikes.", "The gateway has a fuse."],
    "travel.pdf": ["Trains are booked in second class.", "Hotels cost 140 euros at most."],
}


class DeafEmbedder:
    """Implements Embedder, and is never available."""

    model, dimensions = "deaf", 64

    def embed(self, _texts, _kind):
        raise UnavailableError("no embedder")


def ports_of(corpus, embedder):
    return replace(corpus.ports, embedder=embedder or corpus.embedder)


def found(corpus, text, embedder=None, **fields):
    query = SearchQuery(text=text, scope=SCOPE, **fields)
    return search(read_query(query), ports_of(corpus, embedder))


def evidence(corpus, sub, embedder=None, findings=()):
    return retrieve(sub, SCOPE, findings, ports_of(corpus, embedder))


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_every_strategy_finds_the_same_passage_first(strategy):
    hits = found(Corpus(PAGES), "how many bikes does a Roost hold", strategy=strategy)
    assert hits[0].document == "roost.pdf"
    if {"words", "meaning"} & set(STRATEGIES[strategy].legs):  # the legs that read the text
        assert hits[0].chunk.text == "A Roost holds twelve bikes."


@pytest.mark.parametrize(
    ("text", "k", "code"), [("x", 0, "bad_k"), ("x", 1001, "bad_k"), (" ", 5, "empty_query")]
)
def test_a_query_out_of_bounds_is_refused(text, k, code):
    with pytest.raises(BadRequestError) as refused:
        found(Corpus(PAGES), text, k=k)
    assert refused.value.code == code


def test_no_tenant_no_result():
    corpus = Corpus(PAGES)
    query = SearchQuery(text="bikes", scope=Scope(tenant=""))
    with pytest.raises(ForbiddenError):
        search(read_query(query), corpus.ports)


def test_a_removed_document_is_not_found_although_the_index_still_has_it():
    corpus = Corpus(PAGES)
    corpus.catalog.remove(Revision(key="acme/papers/roost.pdf", version="", sequencer="2"))
    assert {hit.document for hit in found(corpus, "Roost bikes")} == {"travel.pdf"}


def test_a_half_replaced_document_shows_its_live_version_only():
    corpus = Corpus(PAGES)
    corpus.add("roost.pdf", ["A Roost holds twenty bikes."], version="v2", sequencer="2")
    hits = found(corpus, "how many bikes does a Roost hold", k=4)
    assert {hit.version for hit in hits if hit.document == "roost.pdf"} == {"v2"}


def test_k_hits_come_back_although_most_of_the_best_are_not_live():
    corpus = Corpus({f"old{n}.pdf": [f"Bikes, bikes and bikes {n}."] for n in range(60)})
    for n in range(60):
        corpus.catalog.remove(Revision(key=f"acme/papers/old{n}.pdf", version="", sequencer="2"))
    for n in range(5):
        corpus.add(f"new{n}.pdf", [f"This long story number {n} is also about bikes and trains."])
    hits = found(corpus, "bikes", k=5, strategy="lexical")
    assert sorted(hit.document for hit in hits) == [f"new{n}.pdf" for n in range(5)]
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]


def test_a_sentence_that_a_document_repeats_is_found_once():
    corpus = Corpus(
        {"a.pdf": ["Page footer: Roost.", "Page footer: Roost.", "Page footer: Roost."]}
    )
    assert len(found(corpus, "footer Roost")) == 1


def test_the_same_words_in_two_documents_are_two_hits():
    corpus = Corpus({"a.pdf": ["Roost is green."], "b.pdf": ["Roost is green."]})
    assert {hit.document for hit in found(corpus, "Roost green")} == {"a.pdf", "b.pdf"}


def test_without_an_embedder_a_search_by_meaning_is_an_error():
    with pytest.raises(UnavailableError, match="no embedder"):
        found(Corpus(PAGES), "twelve bikes", embedder=DeafEmbedder())


def test_without_an_embedder_evidence_goes_by_words_and_says_so():
    told = evidence(Corpus(PAGES), SubQuestion(id="q1", text="twelve bikes"), DeafEmbedder())
    assert "A Roost holds twelve bikes." in told.passages[0].text
    assert told.degraded == (WORDS_ONLY,)


def test_an_index_that_is_down_is_an_error_and_not_empty_evidence():
    corpus = Corpus(PAGES)

    class Down:
        def search(self, _query):
            raise UnavailableError("index down")

        def languages(self, _scope):
            return {}

    ports = replace(corpus.ports, index=Down())
    with pytest.raises(UnavailableError, match="index down"):
        retrieve(SubQuestion(id="q1", text="bikes"), SCOPE, (), ports)


def test_a_passage_is_verbatim_text_of_its_document():
    corpus = Corpus(PAGES)
    for passage in evidence(corpus, SubQuestion(id="q1", text="how many bikes")).passages:
        stored = corpus.document(passage.document_id, passage.version).text
        assert passage.text == stored[passage.start : passage.end]


def test_sentences_lie_in_their_passage_and_the_nearest_one_answers():
    corpus = Corpus(PAGES)
    found_ = evidence(corpus, SubQuestion(id="q1", text="How many bikes does a Roost hold?"))
    sure = Verdict(decision="enough", confidence=0.9)
    assert finding(found_, sure) == "A Roost holds twelve bikes."
    assert 0 < best_score(found_) <= 1
    assert all(p.start <= s.start < s.end <= p.end for p in found_.passages for s in p.sentences)


def test_neighbours_are_joined_to_the_best_passages():
    corpus = Corpus(PAGES)
    (best, *_) = evidence(corpus, SubQuestion(id="q1", text="twelve bikes")).passages
    assert best.text.startswith("Roost charges bikes.\n\nA Roost holds twelve bikes.")
    assert best.pages == (1, 2)


def test_evidence_keeps_to_the_token_budget_once_its_passages_are_joined():
    paragraph = "bikes and trains " * 140  # 420 tokens: of three joined documents, two fit
    corpus = Corpus(
        {
            f"{n}.pdf": ["\n\n".join(f"{paragraph}of part {n}-{part}" for part in range(3))]
            for n in range(3)
        }
    )
    passages = evidence(corpus, SubQuestion(id="q1", text="bikes")).passages
    lengths = [estimate_tokens(passage.text) for passage in passages]
    assert min(lengths) > 3 * 420  # passages are joined whole before they are counted
    assert len({passage.document for passage in passages}) == len(passages) == 2
    assert sum(lengths) <= TOKEN_BUDGET < sum(lengths) + lengths[0]


def test_a_passage_that_exceeds_the_budget_is_read_around_its_best_part():
    parts = [f"{'bikes and trains ' * 200}of part {part}" for part in range(9)]
    parts[6] = f"{parts[6]}: the Roost"
    corpus = Corpus({"a.pdf": ["\n\n".join(parts)]})
    (only,) = evidence(corpus, SubQuestion(id="q1", text="Roost", strategy="lexical")).passages
    assert "the Roost" in only.text
    assert estimate_tokens(only.text) <= TOKEN_BUDGET


def test_other_wordings_find_what_the_question_does_not():
    corpus = Corpus({**PAGES, "fare.pdf": ["Rail tickets: the cheaper coach only."]})
    plain = evidence(corpus, SubQuestion(id="q1", text="bikes", strategy="lexical"))
    wider = evidence(
        corpus, SubQuestion(id="q1", text="bikes", strategy="lexical", variants=("rail tickets",))
    )
    assert {p.document for p in plain.passages} == {"roost.pdf"}
    assert {p.document for p in wider.passages} == {"roost.pdf", "fare.pdf"}


def test_the_answer_a_question_depends_on_is_searched_with():
    corpus = Corpus(PAGES)
    sub = SubQuestion(id="q2", text="What does it have?", strategy="lexical")
    assert evidence(corpus, sub).passages == ()
    told = evidence(corpus, sub, findings=["the gateway"])
    assert "The gateway has a fuse." in told.passages[0].text


FUSES = "gateway fuses sit inside copper boxes beside every northern transformer"


def test_the_answer_a_question_depends_on_leads_its_search():
    corpus = Corpus({"hut.pdf": ["The hut has a roof."], "fuse.pdf": [f"{FUSES}."]})
    sub = SubQuestion(id="q2", text="Which roof has the hut?", strategy="lexical")
    plain = evidence(corpus, sub)
    told = evidence(corpus, sub, findings=[FUSES])
    assert [p.document for p in plain.passages] == ["hut.pdf"]
    assert [p.document for p in told.passages] == ["fuse.pdf", "hut.pdf"]
    assert told.searched[0].text.endswith(FUSES)


def test_a_document_that_the_question_names_comes_first():
    corpus = Corpus({"a.pdf": ["Bikes are green."], "reports/b.pdf": ["Bikes are blue and fast."]})
    sub = SubQuestion(id="q1", text="Which colour are bikes?", documents=("b.pdf",))
    assert evidence(corpus, sub).passages[0].document == "reports/b.pdf"


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("q3.pdf", {"q3.pdf", "reports/q3.pdf"}),
        ("Q3.PDF", {"q3.pdf", "reports/q3.pdf"}),
        ("reports/q3.pdf", {"reports/q3.pdf"}),
        ("/reports/q3.pdf/", {"reports/q3.pdf"}),
        ("3.pdf", set()),
        ("orts/q3.pdf", set()),
        ("", set()),
    ],
)
def test_a_name_is_that_of_a_document_or_the_end_of_its_path(name, named):
    paths = ("q3.pdf", "reports/q3.pdf", "faq3.pdf", "reports/q3.pdf.txt")
    corpus = Corpus({path: [f"Bikes are green, says {path}."] for path in paths})
    plain = evidence(corpus, SubQuestion(id="q1", text="bikes", strategy="lexical"))
    told = evidence(
        corpus, SubQuestion(id="q1", text="bikes", strategy="lexical", documents=(name,))
    )
    assert len(plain.passages) == len(told.passages) == 4
    assert {p.document for p in told.passages[: len(named)]} == named
    if not named:
        assert [p.document for p in told.passages] == [p.document for p in plain.passages]


def test_nothing_indexed_is_empty_evidence():
    corpus = Corpus({"a.pdf": ["Bikes."]})
    corpus.catalog = MemoryCatalog()
    assert evidence(corpus, SubQuestion(id="q1", text="bikes")) == Evidence(
        sub_question="q1",
        question="bikes",
        strategy="hybrid",
        chosen="nothing speaks for another strategy",
        passages=(),
        searched=(PastSearch(strategy="hybrid", text="bikes"),),
    )


def test_evidence_says_what_auto_chose_and_why():
    found = evidence(Corpus(PAGES), SubQuestion(id="q1", text="OC-26-0015"))
    assert (found.strategy, "OC-26-0015" in found.chosen) == ("lexical", True)
    told = evidence(Corpus(PAGES), SubQuestion(id="q1", text="OC-26-0015", strategy="navigate"))
    assert (told.strategy, told.chosen) == ("navigate", "")


def test_where_words_find_too_little_the_search_goes_on_and_says_so():
    asked = SubQuestion(id="q1", text="zebra", strategy="lexical")
    assert evidence(Corpus(PAGES), asked).passages == ()
    found = evidence(Corpus(PAGES), asked.model_copy(update={"minimum_results": 2}))
    assert len(found.passages) > 0
    assert found.degraded == (too_few("lexical", 0, 2, "hybrid"),)


def test_where_nothing_finds_more_it_is_said():
    asked = SubQuestion(id="q1", text="bikes", strategy="hybrid", minimum_results=9)
    assert evidence(Corpus(PAGES), asked).degraded == (too_few("hybrid", 5, 9, None),)


def test_where_a_wider_search_finds_too_little_as_well_that_is_said_too():
    asked = SubQuestion(id="q1", text="zebra", strategy="lexical", minimum_results=9)
    told = (too_few("lexical", 0, 9, "hybrid"), too_few("hybrid", 5, 9, None))
    assert evidence(Corpus(PAGES), asked).degraded == told


YEAR = Condition(filters={"year": 2024})


def with_years():
    corpus = Corpus({})
    for name, year in (("old.pdf", 2023), ("new.pdf", 2024)):
        revision = corpus.add(name, [f"The Roost held {year - 2000} bikes."])
        corpus.index.annotate(revision, Annotation(number=1, metadata={"year": year}))
    return corpus


def test_a_plan_may_narrow_the_search():
    told = evidence(with_years(), SubQuestion(id="q1", text="Roost bikes", where=YEAR))
    assert {passage.document for passage in told.passages} == {"new.pdf"}
    assert told.degraded == ()


def test_a_plan_that_narrows_to_nothing_is_searched_without_and_says_so():
    wrong = Condition(filters={"yaer": 2024})
    told = evidence(with_years(), SubQuestion(id="q1", text="Roost bikes", where=wrong))
    assert {passage.document for passage in told.passages} == {"old.pdf", "new.pdf"}
    assert told.degraded == (NOT_NARROWED,)


def test_a_plan_never_widens_what_the_caller_narrowed():
    corpus = with_years()
    scope = SCOPE.within(YEAR)
    for where in (None, Condition(filters={"year": 2023})):
        sub = SubQuestion(id="q1", text="Roost bikes", where=where)
        told = retrieve(sub, scope, (), corpus.ports)
        assert {passage.document for passage in told.passages} == {"new.pdf"}


def test_no_more_sentences_are_embedded_than_are_allowed():
    class Counting:
        model, dimensions, texts = "counting", 64, 0

        def embed(self, texts, kind):
            self.texts += len(texts)
            return corpus.embedder.embed(texts, kind)

    paragraphs = "\n\n".join(f"Roost {n} holds {n + 5} bikes in spring." for n in range(60))
    corpus, counting = Corpus({"a.pdf": [paragraphs]}), Counting()
    sub = SubQuestion(id="q1", text="How many bikes does Roost 7 hold?")
    evidence = retrieve(sub, SCOPE, (), ports_of(corpus, counting))
    assert counting.texts == 1 + MAX_SENTENCES
    assert max(s.similarity for p in evidence.passages for s in p.sentences) > 0


def test_room_that_is_left_is_filled_with_the_section_of_the_best_hit():
    paragraph = "Trains are booked in second class, and so is the bus. " * 4
    parts = [f"{paragraph}Of part {n}." for n in range(9)]
    parts[4] = f"{paragraph}The Roost holds bikes."
    corpus = Corpus({})
    revision = corpus.add("a.pdf", ["\n\n".join(parts)])
    for n, one in enumerate(chunks(corpus.document(revision.document_id, "v1"), revision)):
        travel = one.model_copy(update={"section": ("Travel" if 2 <= n < 7 else "Else",)})
        vector = corpus.embedder.embed([one.text], "document")[0]
        corpus.index.write([IndexedChunk(revision=revision, chunk=travel, vector=vector)])
    sub = SubQuestion(id="q1", text="Roost", strategy="lexical")
    [only] = evidence(corpus, sub).passages
    assert [n for n in range(9) if f"Of part {n}." in only.text] == [2, 3, 5, 6]
    assert only.text == corpus.document(only.document_id, only.version).text[only.start : only.end]
