"""The eval of whole collections: answers that are wrong on purpose show in its figures."""

import json
from pathlib import Path

import pytest

from evals import grid
from evals.gold_model import GoldModel
from evals.made_leases import FACTS, make_leases
from evals.whole import Desk, measure, prices_of
from evals.whole_cases import KINDS, Case, documents_of, has, read_cases
from evals.whole_figures import Share, add_up, farthest, judge
from footnote.model import Answer, Cell, Citation, Coverage, QuestionRecord, Scope, Sentence
from footnote.settings import Settings
from tests.unit.faces import small

SAMPLES = Path(__file__).parents[2] / "samples"
LAMPS = Case("c", "list", "List all lamps.", items=(("north lamp",), ("south lamp", "old lamp")))


def record(*texts, head="2 items in 3 of 3 documents.", read=3, of=3, data=None, found=True):
    citations = tuple(
        Citation(
            n=n,
            document=f"{n}.md",
            document_id=str(n),
            collection="default",
            version="v1",
            pages=(),
            section=(),
            quote=text,
            start=0,
            end=len(text),
        )
        for n, text in enumerate(texts, start=1)
    )
    quoted = [Sentence(text=text, citations=(n,)) for n, text in enumerate(texts, start=1)]
    sentences = (Sentence(text=head), *quoted)
    answer = Answer(
        id="q",
        kind="answer",
        found=found,
        outcome="answer" if found else "nearest",
        answer=" ".join(one.text for one in sentences),
        sentences=sentences,
        citations=citations,
        coverage=Coverage(documents=read, of=of) if of else None,
        data=data,
    )
    return QuestionRecord(
        question_id="q",
        tenant="t",
        status="DONE",
        question="?",
        scope=Scope(tenant="t"),
        created="2026-01-01T00:00:00Z",
        answer=answer,
    )


def test_items_are_found_in_any_of_their_wordings_and_other_lines_are_false():
    figures = judge(LAMPS, record("The old lamp burns.", "A quay."), 3, 3)
    assert (figures["found"], figures["false"]) == (Share(1, 2), Share(1, 2))


def test_what_is_only_near_claims_nothing():
    figures = judge(LAMPS, record("The old lamp burns.", found=False), 3, 3)
    assert (figures["found"], figures["false"]) == (Share(0, 2), Share(0, 0))


@pytest.mark.parametrize(
    ("opened", "documents", "head", "right"),
    [
        (3, 3, "All 3 documents were read whole.", 1),
        (2, 3, "All 3 documents were read whole.", 0),  # it has not opened as many
        (3, 8, "All 3 documents were read whole.", 1),  # the question names them
        (8, 8, "All 3 documents were read whole.", 0),
        (3, 3, "All documents were read whole.", 0),
    ],
)
def test_how_far_was_read_is_held_against_the_documents_that_were_opened(
    opened, documents, head, right
):
    assert judge(LAMPS, record(head=head), opened, documents)["coverage"] == Share(right, 1)


def test_a_number_is_that_at_the_head_of_a_count_and_no_other():
    case = Case("c", "count", "How many lamps?", number=2)
    assert judge(case, record(head="2 items in 3 of 3 documents."), 3, 3)["number"] == Share(1, 1)
    assert judge(case, record(head="3 items in 2 of 3 documents."), 3, 3)["number"] == Share(0, 1)


@pytest.mark.parametrize(
    ("words", "text", "is_there"),
    [("1.5", "It was 1.5 million.", True), ("1.5", "21.5", False), ("4", "4,200", False)],
)
def test_figures_are_compared_whole(words, text, is_there):
    assert has(words, text) is is_there


def test_values_are_compared_by_the_first_field_of_their_object():
    gold = {"lamps": [{"name": "north", "height": 9}, {"name": "south", "height": 7}]}
    given = {"lamps": [{"name": "south", "height": 7}, {"name": "north", "height": 8}]}
    case = Case("c", "data", "Give the lamps.", schema={}, data=gold)
    figures = judge(case, record(data=given), 3, 3)
    assert (figures["values"], figures["values false"]) == (Share(3, 4), Share(1, 4))


def test_figures_add_up_by_kind_and_estimates_are_compared_where_something_was_paid():
    rows = [
        {"kind": "list", "figures": {"found": [1, 2]}, "estimated": 90, "charged": 100},
        {"kind": "list", "figures": {"found": [2, 2]}, "estimated": 50, "charged": 100},
        {"kind": "count", "figures": {"found": [1, 1]}, "estimated": 0, "charged": 0},
    ]
    sums = add_up(rows)
    assert sums["list"]["found"] == Share(3, 4)
    assert sums["all"]["found"] == Share(4, 5)
    assert farthest(rows) == {"list": (140, 200, 0.5, 0.9)}


# -- the samples -----------------------------------------------------------------------------------


def test_the_questions_are_of_every_kind_and_their_answers_are_stated_in_the_files_named():
    cases = list(read_cases(SAMPLES / "kinds.jsonl"))
    names = {one.name for one in documents_of(SAMPLES)}
    assert {case.kind for case in cases} == set(KINDS)
    assert len({case.id for case in cases}) == len(cases)
    assert {name for case in cases for name in (*case.stated_in, *case.scope)} <= names


def test_a_row_without_a_kind_is_told_by_what_it_lists():
    cases = {case.id: case for case in read_cases(SAMPLES / "whole.jsonl")}
    assert [cases[name].kind for name in ("w01", "w07", "w27")] == ["list", "count", "document"]
    assert cases["w07"].number == 4


def test_a_model_that_knows_the_answers_finds_more_than_rules_and_says_nothing_false():
    wanted = {"k01", "k04", "k10", "k27", "k29"}
    cases = [one for one in read_cases(SAMPLES / "kinds.jsonl") if one.id in wanted]
    report = measure(Desk(small(), documents_of(SAMPLES)), cases, ("keyless", "scripted"))
    sums = {row: add_up(report[row])["all"] for row in report}
    assert sums["scripted"]["found"] == Share(13, 13)
    assert sums["keyless"]["found"].part < 13
    assert sums["scripted"]["false"].part == 0
    assert sums["scripted"]["values"] == Share(9, 9)
    assert sums["scripted"]["coverage"] == Share(3, 3)
    assert all(row["charged"] for row in report["scripted"])
    assert not any(row["charged"] for row in report["keyless"])


def test_what_a_model_does_not_choose_is_missed():
    class Careless(GoldModel):
        def _read(self, request):
            return {"items": super()._read(request)["items"][:1]}

    desk = Desk(small(), documents_of(SAMPLES))
    desk._model = Careless(prices_of(Settings(model_provider="anthropic")))
    [case] = [one for one in read_cases(SAMPLES / "kinds.jsonl") if one.id == "k01"]
    [row] = desk.ask_all("scripted", [case])
    assert row["figures"]["found"] == Share(1, 6)


# -- grids -----------------------------------------------------------------------------------------


def test_leases_are_made_by_a_seed_and_state_what_is_said_of_them():
    leases = make_leases(20)
    assert leases == make_leases(20)
    for lease in leases:
        text = lease.file.body.decode()
        assert all(sentence in text for sentence in lease.stated.values())
        for name in set(FACTS) - set(lease.stated):
            sentence = FACTS[name].sentence
            assert not any(sentence.format(value) in text for value in FACTS[name].values)


@pytest.mark.parametrize(
    ("status", "outcome", "text", "stated", "fate"),
    [
        ("DONE", "answer", "The tenant is Otis Sails.", "The tenant is Otis Sails.", "right"),
        ("DONE", "answer", "The tenant is Marten.", "The tenant is Otis Sails.", "wrong"),
        ("DONE", "answer", "The tenant is Marten.", "", "wrong: not in it"),
        ("DONE", "none", "", "The tenant is Otis Sails.", "not answered"),
        ("DONE", "nearest", "The tenant pays.", "", "right: not in it"),
        ("FAILED", None, "", "The tenant is Otis Sails.", "failed"),
    ],
)
def test_a_cell_is_right_that_says_what_its_lease_states(status, outcome, text, stated, fate):
    cell = Cell(column=0, document_id="d", status=status, outcome=outcome, text=text)
    assert grid.fate_of(cell, stated) == fate


def test_every_question_of_a_grid_knows_all_that_leases_state():
    leases = make_leases(3)
    cases = grid.cases_of(leases)
    assert set(cases) == {fact.question for fact in FACTS.values()}
    stated = [sentence for lease in leases for sentence in lease.stated.values()]
    assert sorted(item for case in cases.values() for (item,) in case.items) == sorted(stated)


def test_a_folder_without_documents_is_named(tmp_path):
    (tmp_path / "kinds.jsonl").write_text(json.dumps({}))
    with pytest.raises(LookupError, match="has no folder documents/ or docs/"):
        documents_of(tmp_path)
