"""A new generation that finds less than the serving one is not promoted, and the run says why."""

import pytest

from footnote.contracts import PromoteRequest
from footnote.errors import ReindexRefusedError
from footnote.ingest.upkeep.quality import (
    FIRST,
    QUESTIONS,
    Examination,
    Finding,
    is_among_first,
    make_question,
    must_be_as_good,
)
from footnote.model import Candidate, Problem, ReindexRun
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import small

TOPICS = ("anvil", "barge", "candle", "dovecote", "easel", "ferry", "granary", "harness")


@pytest.fixture
def pipeline():
    made = small()
    for name in TOPICS:
        body = f"# The {name}\n\nA {name} is kept behind the mill. It is old.\n"
        made.upload(f"acme/default/{name}.md", body.encode())
    return made


class Damaging:
    """Wraps an index. `damage` changes each chunk that is written into one generation."""

    def __init__(self, index, damage):
        self._index, self._damage = index, damage

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, entries, generation=None):
        if generation is not None:
            entries = [self._damage(one) if hasattr(one, "chunk") else one for one in entries]
        self._index.write(entries, generation)


def without_words(indexed):
    chunk = indexed.chunk.model_copy(update={"text": "-", "context": "", "title": ""})
    return indexed.model_copy(update={"chunk": chunk})


def without_vector(indexed):
    return indexed.model_copy(update={"vector": [0.0] * len(indexed.vector)})


def reindexed(pipeline):
    workflow = pipeline.workflow
    return workflow.reindex_status(workflow.reindex("cli", force=True))


@pytest.mark.parametrize(("damage", "leg"), [(without_words, "words"), (without_vector, "meaning")])
def test_a_generation_that_finds_less_by_a_leg_is_dropped_and_the_run_has_both_figures(
    pipeline, damage, leg
):
    serving = pipeline.index.ensure()
    pipeline.index = Damaging(pipeline.index, damage)
    assert reindexed(pipeline) == ReindexRun(
        status="FAILED",
        error=Problem(
            code="reindex_refused",
            message=f"the new index finds less than the old one: by {leg} 0 of 8 were found, "
            "before 8. At most 5% of the questions may be lost (ReindexMayLose)",
            action="Queries go on with the old index. Mend the cause and start it again.",
        ),
    )
    assert pipeline.index.ensure() == serving
    assert [one.name for one in pipeline.index.generations()] == [serving]


def test_a_margin_of_one_promotes_whatever_is_whole(pipeline):
    serving = pipeline.index.ensure()
    pipeline.settings = pipeline.settings.model_copy(update={"reindex_may_lose": 1.0})
    pipeline.index = Damaging(pipeline.index, without_words)
    assert reindexed(pipeline).status == "DONE"
    assert pipeline.index.ensure() != serving


def test_a_promotion_that_is_repeated_is_one(pipeline):
    reindexed(pipeline)
    serving = pipeline.index.ensure()
    step = step_of("promote")
    again = step.run(PromoteRequest(run="one", generation=serving, attempt=1), pipeline)
    assert (again.promoted, pipeline.index.ensure()) == (True, serving)


def examine(pipeline, generation=None):
    serving = pipeline.index.ensure()
    return Examination(pipeline.artifacts, pipeline.index, serving, generation or serving)


def test_documents_that_only_some_groups_may_read_and_all_tenants_are_asked_for(pipeline):
    pipeline.upload("other/default/kiln.md", b"# The kiln\n\nA kiln is kept in a yard.\n")
    pipeline.uploads.put("acme/default/lathe.md.metadata.json", b'{"acl": ["board"]}')
    pipeline.upload("acme/default/lathe.md", b"# The lathe\n\nA lathe is kept in a shed.\n")
    assert examine(pipeline).run() == [Finding("words", 10, 10, 10), Finding("meaning", 10, 10, 10)]


def test_one_long_document_gives_questions_from_all_over_its_first_part():
    made = small()
    text = "\n\n".join(f"# Lot {n}\n\n" + f"Lot {n} is of oak. " * 90 for n in range(90))
    made.upload("acme/default/lots.md", text.encode())
    questions = list(examine(made)._questions())
    assert len({one.chunk_id for one in questions}) == len(questions)
    assert QUESTIONS / 2 <= len(questions) <= QUESTIONS


def test_vectors_of_another_model_leave_the_words_to_be_asked(pipeline):
    pipeline.index.marks |= {"embedding": "another"}
    generation = pipeline.index.create_generation("one")
    entries = pipeline.index._generations[pipeline.index.ensure()].values()
    pipeline.index.write([one.indexed for one in entries], generation)
    assert examine(pipeline, generation).run() == [Finding("words", 8, 8, 8)]


def test_what_the_new_generation_rightly_lacks_is_not_asked_for(pipeline):
    generation = pipeline.index.create_generation("one")
    entries = list(pipeline.index._generations[pipeline.index.ensure()].values())
    pipeline.index.write([entries[0].indexed], generation)
    [words, _] = examine(pipeline, generation).run()
    assert words == Finding("words", 1, 1, 1)


def test_passages_without_artifacts_are_left_out(pipeline):
    artifacts = pipeline.artifacts
    artifacts.delete(artifacts.keys("chunks/"))
    assert examine(pipeline).run() == []


def test_passages_that_score_alike_do_not_push_each_other_out():
    alike = [Candidate(f"c{n}", 7.0) for n in range(30)]
    assert is_among_first("c29", alike)
    assert is_among_first("c29", [*(Candidate(f"n{n}", 7.001) for n in range(30)), *alike])
    better = [Candidate(f"b{n}", 8.0) for n in range(FIRST)]
    assert is_among_first("c29", [*better[1:], *alike])
    assert not is_among_first("c29", [*better, *alike])
    assert not is_among_first("gone", alike)


def test_a_question_is_the_heading_and_the_first_sentence():
    text = "# Fees\n\nBoats pay by their length. Rafts do not pay at all."
    assert make_question("Fees", text) == "Fees Boats pay by their length."
    assert make_question("Fees", "Boats pay.") == "Fees Boats pay."
    assert make_question("Fees", "") == "Fees"
    assert len(make_question("Fees", "word " * 500)) <= 300


@pytest.mark.parametrize(("after", "is_refused"), [(50, False), (47, False), (46, True)])
def test_the_margin_is_a_share_of_the_questions(after, is_refused):
    findings = [Finding("words", 50, 49, 49), Finding("meaning", 50, 49, after)]
    if not is_refused:
        must_be_as_good(findings, 0.05)
        return
    with pytest.raises(ReindexRefusedError, match="by meaning 46 of 50 were found, before 49"):
        must_be_as_good(findings, 0.05)


def test_a_chunk_that_a_full_list_of_equals_lacks_counts_as_found():
    equals = [Candidate(f"c{n}", 7.0) for n in range(100)]
    better = [Candidate(f"b{n}", 9.0) for n in range(FIRST)]
    assert is_among_first("c100", equals)
    assert is_among_first("c100", [*better[1:], *equals[: 101 - FIRST]])
    assert not is_among_first("c100", [*better, *equals[: 100 - FIRST]])
    assert not is_among_first("c100", equals[1:])  # a list that is not full has all there are
