"""The eval of retrieval runs in process, and a search that ranks badly lowers its figures."""

import json

import httpx
import pytest

from evals import ablation, retrieval
from evals.gateway import Gateway
from evals.intervals import Estimate
from evals.judge import HEADLINES
from evals.library import Deployed, fit
from evals.plain import PAGE, units
from evals.questions import File, Question, Shelf, Task, missing, shelves
from evals.report import compare, compare_rows, figures, uses_vectors
from evals.retrieval import time_some
from footnote.adapters.memory.small import MemoryVectors
from footnote.ask.find.rank import CHUNK_LEGS
from footnote.model import STRATEGIES as TABLE
from footnote.model import Document
from footnote.wiring import bootstrap
from tests.corpus import make_document
from tests.pack import GERMAN, THINGS, write_pack
from tests.unit.faces import connect, small

STRATEGIES = ("lexical", "semantic")


class Backwards(Gateway):
    """Ranks the wrong way round: the worst hit comes first."""

    def handle_request(self, request):
        reply = super().handle_request(request)
        body = reply.json()
        return httpx.Response(reply.status_code, json={**body, "hits": body["hits"][::-1]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_pack(tmp_path_factory.mktemp("pack"))


def measured(folder, gateway=Gateway, strategies=STRATEGIES, recipes=None):
    """Runs the eval on the memory backend, each part in services of its own."""

    def opened(_shelf):
        bootstrap.services.cache_clear()
        return fit(small(), MemoryVectors(), gateway()), None

    return retrieval.measure(shelves(folder), opened, strategies, recipes=recipes)


@pytest.fixture(scope="module")
def reports(folder):
    """Holds the report of the real search, and that of one which ranks the wrong way round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOOTNOTE_BACKEND", "memory")
        return {"right": measured(folder), "wrong": measured(folder, Backwards)}


def headlines(report):
    """Returns task and row → the mean of the task's headline figure."""
    return {
        (name, row): found[HEADLINES[task["judge"]]].mean
        for name, task in report["tasks"].items()
        for row, found in figures(task).items()
    }


def test_a_row_of_an_ablation_is_asked_by_its_own_recipe(folder, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_BACKEND", "memory")
    before = dict(TABLE)
    recipes = {"as it is": TABLE["hybrid"], "by words": TABLE["lexical"]}
    found = headlines(measured(folder, strategies=("hybrid", "lexical"), recipes=recipes))
    assert dict(TABLE) == before
    tasks = {task for task, _ in found}
    assert {found[task, "as it is"] - found[task, "hybrid"] for task in tasks} == {0.0}
    assert {found[task, "by words"] - found[task, "lexical"] for task in tasks} == {0.0}
    assert any(found[task, "lexical"] != found[task, "hybrid"] for task in tasks)


def test_the_rows_of_an_ablation_each_change_one_thing_and_can_be_asked():
    rows = ablation.rows()
    assert len(set(map(repr, rows.values()))) == len(rows)
    assert TABLE["hybrid"] not in rows.values()
    assert {f"without {leg}" for leg in TABLE["hybrid"].legs} <= rows.keys()
    assert all(recipe.legs.keys() & CHUNK_LEGS for recipe in rows.values())


def test_a_search_by_words_finds_what_is_asked_in_the_same_words(reports):
    report = reports["right"]
    same = {
        task: value
        for (task, row), value in headlines(report).items()
        if row == "lexical" and "English" not in task
    }
    assert same == dict.fromkeys(same, 1.0)
    assert {name: task["questions"] for name, task in report["tasks"].items()} == {
        "by name": len(THINGS),
        "pages, corpus": len(THINGS),
        "pages, document given": len(THINGS),
        "spans": 1,
        "things": len(THINGS),
        "xquad, same language": 2 * len(GERMAN),
        "xquad, from or to English": 2 * len(GERMAN),
        "bitcoin, same language": len(GERMAN),
        "bitcoin, asked in English": len(GERMAN),
    }
    assert report["added"]["docs"]["ended"] == {"READY": len(THINGS) + 2, "corrupt": 1}


def test_a_search_that_ranks_backwards_lowers_every_headline_figure(reports):
    right, wrong = reports["right"], reports["wrong"]
    best, worst = headlines(right), headlines(wrong)
    own = [one for one in best if "English" not in one[0]]
    assert [one for one in own if worst[one] >= best[one]] == []
    worse = {(one.task, one.row) for one in compare(wrong, right) if one.by.mark == "WORSE"}
    assert worse >= {one for one in own if one[0] != "spans"}  # one question has no interval
    assert [one for one in compare(right, right) if one.by.mark] == []


def test_a_report_says_which_rows_embed_the_question_and_what_a_search_costs(reports):
    report = reports["right"]
    rows = {row: uses_vectors(row, report) for row in STRATEGIES}
    assert rows == {"lexical": "no", "semantic": "yes"}
    cost = report["cost"]["things"]["semantic"]
    assert (cost["searches"], cost["embedded"]) == (len(THINGS), len(THINGS))  # the wide are aside
    assert 0 < cost["cpu_ms"][0] <= cost["cpu_ms"][1]


class Uncounted:
    """What an eval asks whose costs nobody knows, as of a deployed footnote."""

    def take_cost(self):
        return [], 0


def test_of_many_questions_some_are_timed_over_the_whole_part():
    questions = tuple(Question(str(n), str(n), "things") for n in range(450))
    shelf = Shelf("things", lambda: iter(()), (Task("things", "texts", questions),))
    asked = []

    def search(question, k):
        asked.append((question.text, k))
        return [], 2.5

    cost = time_some(shelf, search, Uncounted())
    assert asked == [(str(n), 10) for n in range(0, 450, 3)]
    assert cost == {"searches": 150, "took_ms": [2.5, 2.5], "cpu_ms": None}


def test_a_row_is_compared_with_another_question_by_question():
    names = [f"q{n}" for n in range(10)]
    task = {
        "judge": "pages",
        "groups": {},
        "scores": {
            "all": {name: {"hit@5": 1.0} for name in names},
            "half": {name: {"hit@5": float(n % 2)} for n, name in enumerate(names)},
        },
    }
    (change,) = compare_rows({"tasks": {"made": task}}, "all")
    expected = ("made", "half", "hit@5", -0.5, "WORSE")
    assert (change.task, change.row, change.figure, change.by.mean, change.by.mark) == expected


def test_what_a_folder_lacks_is_named_and_left_out(tmp_path, folder):
    assert missing(folder) == []
    (tmp_path / "docs").mkdir()
    lacks = ["qa.jsonl", "text_retrieval", "languages/xquad", "languages/bitcoin"]
    assert missing(tmp_path) == lacks
    assert list(shelves(tmp_path)) == []


def test_a_running_footnote_is_asked_through_its_client(folder):
    client = connect(small())
    (docs,) = [shelf for shelf in shelves(folder) if shelf.name == "docs"]
    report = retrieval.measure([docs], lambda _: (Deployed(client), None), ("lexical",))
    assert headlines(report)["pages, document given", "lexical"] == 1.0
    assert report["added"]["docs"]["ended"] == {"READY": len(THINGS) + 2, "corrupt": 1}
    assert uses_vectors("lexical", report) == "?"


def test_plain_bm25_gets_pages_and_pieces_of_what_has_none():
    file = File("docs", "a.pdf", b"")
    pages = make_document("a.pdf", ["one", "two"])
    assert [(unit.page, unit.text.strip()) for unit in units(file, pages)] == [
        (1, "one"),
        (2, "two"),
    ]
    flowing = Document(title="a", media_type="text/plain", text="x" * (2 * PAGE + 1))
    found = list(units(file, flowing))
    assert [(unit.page, len(unit.text)) for unit in found] == [(0, PAGE), (0, PAGE), (0, 1)]


def test_chunks_that_the_index_lost_are_no_worse_search_but_an_error():
    pipeline = small()
    library = fit(pipeline, MemoryVectors(), Gateway())
    files = [File("docs", f"{name}.txt", text.encode()) for name, text in THINGS.items()]
    assert library.add(files[:2], lambda *_: None) == {"READY": 2}
    pipeline.index.remove(pipeline.catalog.documents("eval")[0][0].revision)
    with pytest.raises(LookupError, match="holds 2 chunks of 3"):
        library.add(files[2:3], lambda *_: None)


# -- the command -----------------------------------------------------------------------------------


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["evals.retrieval", *map(str, arguments)])
    return retrieval.main()


def test_the_command_shows_a_report_and_fails_where_it_is_worse(
    reports, tmp_path, monkeypatch, capsys
):
    files = {name: tmp_path / f"{name}.json" for name in reports}
    for name, report in reports.items():
        files[name].write_text(json.dumps(report))
    assert run(monkeypatch, files["right"], "--against", files["right"]) == 0
    assert run(monkeypatch, files["right"], "--against", files["wrong"]) == 0
    assert run(monkeypatch, files["wrong"], "--than", "semantic") == 0
    assert "WORSE" not in capsys.readouterr().out
    assert run(monkeypatch, files["wrong"], "--against", files["right"]) == 1
    assert "WORSE" in capsys.readouterr().out


def test_the_command_says_that_there_is_nothing_to_ask(tmp_path, monkeypatch, capsys):
    assert run(monkeypatch, tmp_path) == 2
    assert "nothing to ask" in capsys.readouterr().out


def test_an_estimate_is_certain_when_its_interval_leaves_out_0():
    marks = [Estimate(0.1, low, high).is_certain for low, high in ((0.01, 0.2), (0.0, 0.2))]
    assert marks == [True, False]
