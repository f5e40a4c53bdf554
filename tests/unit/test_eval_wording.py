"""The eval of wordings runs the deployed step, and its judge can fail: false labels show in it."""

import json
import sys
from types import SimpleNamespace

import pytest

from evals import wording
from evals.real_model import connect
from evals.wording_cases import Shelf, form_cases, sentence_cases
from evals.wording_fates import fates_of, form_of
from evals.wording_report import compare, show
from evals.wording_writer import ROWS, judge_that_says, reply
from footnote.errors import UnavailableError
from footnote.model import Answer, ModelRequest, Sentence, user_says
from footnote.prompts.tasks import request_for
from local.state import StackError
from tests.pack import write_lines
from tests.unit.faces import small

FERRY = (
    "The ferry weighs 900 tonnes.",
    "It was built by Anna Holm in 1931.",
    "A ticket costs 4 euros on Sundays.",
)
SHORT = "The captain keeps two dogs."
DOCUMENTS = {
    "ferry.txt": f"{' '.join(FERRY)} {SHORT}",
    "mill.txt": "The mill on the hill grinds rye on Fridays, and the miller plays the organ.",
}
ANSWERS = [
    {"id": "true-1", "question": "What does the ferry weigh?", "anchors": ["nowhere|900 tonnes"]}
    | {"answer": f"{FERRY[0]} {{0}} {FERRY[1]} {{0}}", "true": True, "kind": "true"},
    # both are as right as their passages, so what lets them pass is the label alone
    {"id": "false-1", "question": None, "anchors": ["4 euros on Sundays"]}
    | {"answer": f"{FERRY[2]} {{0}}", "true": False, "kind": "mislabelled"},
    {"id": "false-2", "question": "Who built it?", "anchors": ["Anna Holm"]}
    | {"answer": "Its builder was Anna Holm, back in 1931. {0}", "true": False, "kind": "free"},
]
FORMS = [
    {"form": "plain", "reply": " ".join(f"{one} [N]" for one in FERRY)},
    {"form": "half", "reply": f"{FERRY[0]} [N] {FERRY[1]} [N] {SHORT} [N]"},
    {"form": "twice", "reply": " ".join(f"{one} [N]" for one in (*FERRY, FERRY[0]))},
]


def write_folder(folder, answers=ANSWERS, forms=FORMS):
    (folder / "documents").mkdir()
    for name, text in DOCUMENTS.items():
        (folder / "documents" / name).write_text(text)
    write_lines(folder / "sentences.jsonl", answers)
    write_lines(folder / "forms.jsonl", forms)
    return folder


def report_of(folder, *rows):
    chosen = {name: ROWS[name] for name in rows}
    return wording.measured(folder, folder / "documents", chosen, small())


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path)


def test_a_false_sentence_that_passes_is_counted_as_passed(folder, capsys):
    report = report_of(folder, "no", "yes")
    assert report["rows"]["no"]["fates"]["false-1/0"] == "exact"
    show(report, None, why=True)
    printed = capsys.readouterr().out
    [line] = [one for one in printed.splitlines() if "false: passed by rules alone" in one][:1]
    assert "1 of 2" in line
    assert line.endswith("at most 0.00, missed")
    assert f"FALSE, exact: {FERRY[2]}" in printed


def test_only_a_judge_that_says_yes_confirms_what_rules_leave_open(folder):
    report = report_of(folder, "none", "no", "yes")
    fates = {name: row["fates"]["false-2/0"] for name, row in report["rows"].items()}
    confirmed = {name for name, fate in fates.items() if fate.endswith("by model")}
    assert confirmed == {"yes"}


def test_true_sentences_are_followed_one_by_one(folder):
    row = report_of(folder, "no")["rows"]["no"]
    assert (row["fates"]["true-1/0"], row["fates"]["true-1/1"]) == ("exact", "exact")
    assert row["says_nothing"] == {"true-1": False}
    assert row["pace"] > 0


def test_a_form_must_show_each_of_its_sentences_once_and_nothing_else(folder):
    forms = report_of(folder, "none")["rows"]["none"]["forms"]
    assert forms["plain"] == {"kept": 3, "of": 3, "scraps": []}
    assert forms["half"] == {"kept": 2, "of": 3, "scraps": [SHORT]}


@pytest.mark.parametrize(("cite", "named"), [("passages", "1 1 1"), ("sentences", "1.1 1.2 1.3")])
def test_answers_cite_what_is_wanted(folder, cite, named):
    shelf = Shelf(small(), wording.files(folder / "documents"))
    one, two, three = named.split()
    first, *_ = form_cases(folder / "forms.jsonl", shelf, cite)
    assert first.answer == f"{FERRY[0]} [{one}] {FERRY[1]} [{two}] {FERRY[2]} [{three}]"
    *_, last = sentence_cases(folder / "sentences.jsonl", shelf, cite)
    assert (last.answer[-5:].split()[-1], last.marker) == (f"[{two}]", f"[{two}]")


def test_an_anchor_that_no_document_has_is_an_error(folder):
    shelf = Shelf(small(), wording.files(folder / "documents"))
    write_lines(folder / "sentences.jsonl", [ANSWERS[0] | {"anchors": ["never written"]}])
    with pytest.raises(LookupError, match="never written"):
        list(sentence_cases(folder / "sentences.jsonl", shelf, "passages"))


# -- fates ---------------------------------------------------------------------------------------


def case(*claims, true=True):
    return SimpleNamespace(id="c", claims=claims, true=true, sources=(" ".join(FERRY),))


def answer(*sentences):
    shown = tuple(
        one if isinstance(one, Sentence) else Sentence(text=one, citations=(1,), checked="exact")
        for one in sentences
    )
    return Answer(id="a", kind="answer", found=True, answer="", sentences=shown)


@pytest.mark.parametrize(
    ("shown", "fate"),
    [
        ([Sentence(text="The ferry has 900 t.", citations=(1,))], "None by rules"),
        ([FERRY[0]], "own words"),
        ([FERRY[1]], "lost"),
        (["Its weight is 900 tonnes."], "lost"),  # in words that nobody has written
        ([Sentence(text="The ferry has 900 t.")], "lost"),  # it cites nothing
        ([], "lost"),
    ],
)
def test_a_true_sentence_is_shown_or_told_in_the_words_of_its_passage(shown, fate):
    assert fates_of(case("The ferry has 900 t."), answer(*shown)) == {"c/0": fate}


@pytest.mark.parametrize(
    ("shown", "fate"),
    [
        (["Anna Holm built it with her own hands"], "exact"),  # all but its last word
        ([FERRY[1]], "replaced"),
        ([], "removed"),
    ],
)
def test_a_false_sentence_is_shown_or_replaced_or_removed(shown, fate):
    claim = "Anna Holm built it with her own hands alone."
    assert fates_of(case(claim, true=False), answer(*shown)) == {"c/0": fate}


@pytest.mark.parametrize(
    "scrap",
    ["According to", f"**{FERRY[1]}**", f"{FERRY[1]} {' '.join(['and so on'] * 3)}", FERRY[0]],
)
def test_what_is_none_of_the_sentences_is_a_scrap(scrap):
    found = form_of(case(*FERRY), answer(FERRY[0], scrap))
    assert found["scraps"] == [scrap]


# -- judges --------------------------------------------------------------------------------------


def test_a_judge_fills_whatever_shape_it_is_asked_for():
    meant = SimpleNamespace(own_words=FERRY[0])
    fields = {
        "supported": {"type": "boolean"},
        "part": {"type": "string"},
        "quote": {"type": "string"},
        "words": {"type": "array"},
    }
    asked = ModelRequest(
        task="judge", system="", messages=user_says(""), shape={"properties": fields}
    )
    said = json.loads(judge_that_says(supported=True)(meant)(asked).text)
    assert said == {"supported": True, "part": "", "quote": FERRY[0], "words": [FERRY[0]]}


def test_nobody_judges_in_the_row_none():
    request = request_for("judge", sentence="", passages="")
    with pytest.raises(UnavailableError):
        ROWS["none"].judge(SimpleNamespace())(request)
    assert reply("a").text == "a"


def test_a_model_is_asked_only_where_one_is_named():
    assert connect({}) is None
    assert connect({"ANTHROPIC_API_KEY": "key"}) is None
    assert connect({"MODEL": "extractive"}) is None
    assert connect({"MODEL": "openai:small", "OPENAI_BASE_URL": "http://localhost:1/v1"})
    with pytest.raises(StackError, match="ANTHROPIC_API_KEY is not set"):
        connect({"MODEL": "anthropic:name"})


# -- reports -------------------------------------------------------------------------------------


def report(*fates):
    """Returns a report of one row with these fates of false sentences."""
    names = {f"false-{n}/0": fate for n, fate in enumerate(fates)}
    row = {"fates": names, "says_nothing": {}, "forms": {}, "shown": {}, "pace": 1.0}
    sentences = {name: {"text": "", "true": False} for name in names}
    return {"about": {"made": "then"}, "rows": {"no": row}, "sentences": sentences}


def test_more_false_sentences_that_pass_are_worse_and_fewer_are_better():
    few, many = report(*["removed"] * 20), report(*["supported by rules"] * 20)
    marks = {one.figure.name: one.mark for one in compare(many, few)}
    assert marks["false: passed by rules alone"] == "WORSE"
    assert marks["false: confirmed by a judge"] == ""
    assert {one.mark for one in compare(few, many)} == {"better", ""}
    assert [one.figure.name for one in show(many, few, why=False)] == [
        "false: passed by rules alone",
        "false: shown at all",
    ]


def test_unconfirmed_is_shown_but_nobody_vouches_for_it(capsys):
    show(report("unconfirmed", "confirmed by model", "ocr by rules", "removed"), None, why=False)
    printed = capsys.readouterr().out
    counts = {
        one.split("  ")[1].strip(): one.split(" of ")[0].split()[-1]
        for one in printed.splitlines()
        if one.startswith("  false: ")
    }
    assert counts == {
        "false: passed by rules alone": "1",
        "false: confirmed by a judge": "1",
        "false: shown at all": "3",
    }


@pytest.mark.parametrize(("earlier", "status"), [("removed", 1), ("supported by rules", 0)])
def test_the_status_says_whether_a_figure_is_worse(tmp_path, monkeypatch, earlier, status):
    now, then = tmp_path / "now.json", tmp_path / "then.json"
    now.write_text(json.dumps(report(*["supported by rules"] * 20)))
    then.write_text(json.dumps(report(*[earlier] * 20)))
    monkeypatch.setattr(sys, "argv", ["wording", str(now), "--against", str(then)])
    assert wording.main() == status


def test_a_folder_without_sentences_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MODEL", raising=False)
    monkeypatch.setattr(sys, "argv", ["wording", str(tmp_path)])
    assert wording.main() == 2
    assert "nothing to write" in capsys.readouterr().out
