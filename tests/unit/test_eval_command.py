"""The command `footnote eval`, on an API in this process, and which gate sees what is broken."""

import json
import re

import httpx
import pytest
import yaml
from typer.testing import CliRunner

from footnote import prompts
from footnote.adapters.memory import search
from footnote.adapters.memory.scope import is_in_scope
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.errors import BadRequestError, ConfigurationError, UnavailableError
from footnote.evaluation.cases import Label, read_cases
from footnote.evaluation.page import render
from footnote.model import ModelReply
from footnote.model.strategies import STRATEGIES
from footnote.prompts.shapes import PlannedQuestion, PlanReply
from footnote.wiring import own_model
from tests.unit.faces import URL, InProcess, small

FEES = """# Harbour fees

The harbour fee for a barge was 84 crowns in 2025.

The harbour fee for a barge was 79 crowns in 2024.

## Moorings

| Berth | Length in metres | Depth in metres |
|---|---|---|
| South quay | 260 | 11 |
| North quay | 120 | 9 |

The gate was painted green by the harbour master in 1998.

“Demurrage” means the sum that is owed for a berth kept too long.
"""
TUGS = """# Tugs

The tug Alma was built in Trondheim in 1931.

The length of the tug Alma is 31 metres.
"""
CASES = """cases:
- id: barge
  question: What was the harbour fee for a barge in 2025?
  gold: [{document: fees.md, sentence: was 84 crowns in 2025}]
  answer: 84 crowns
  session: fees
  tags: [number]
- id: before
  question: And in 2024?
  gold: [{document: fees.md, sentence: was 79 crowns in 2024}]
  answer: 79 crowns
  session: fees
- id: tug
  question: When was the tug Alma built in Trondheim?
  gold: [{document: tugs.md, sentence: The tug Alma was built in Trondheim in 1931.}]
  answer: "1931"
- id: hidden
  question: What was the harbour fee for a barge in 2025?
  documents: [tugs.md]
  must_refuse: true
- id: draft
  question: What is the length of the South quay?
  draft: true
"""
RUBRIC = """figures:
  faithfulness: {weight: .3, floor: .7}
  precision_at_k: {weight: .25, floor: .9}
  recall_at_k: {weight: .25}
  context_relevance: {weight: .2}
  refusal_accuracy: {floor: 1}
  answered: {floor: 1}
"""


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    made.upload("acme/default/fees.md", FEES.encode())
    made.upload("acme/default/tugs.md", TUGS.encode())
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cases.yaml").write_text(CASES)
    (tmp_path / "rubric.yaml").write_text(RUBRIC)
    return tmp_path


def evaluate(folder, *words):
    """Runs the command. Returns its exit code and its report."""
    given = ("eval", folder / "cases.yaml", "--rubric", folder / "rubric.yaml")
    given += ("--report", folder / "report", "--json", *words)
    result = CliRunner().invoke(commands.app, [str(word) for word in given])
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.exit_code, json.loads(result.stdout)


def faults(report):
    return {case["id"]: case["faults"] for run in report["runs"] for case in run["cases"]}


def failures(report):
    return {why.partition(":")[0] for run in report["runs"] for why in run["failures"]}


# -- a run -----------------------------------------------------------------------------------------


def test_what_is_right_passes_and_is_reported(pipeline, folder):
    code, report = evaluate(folder)
    assert (code, failures(report)) == (0, set())
    assert faults(report) == {"barge": [], "before": [], "tug": [], "hidden": []}
    [run] = report["runs"]
    assert (report["drafts"], run["name"], run["passed"]) == (1, "default", 1.0)
    assert run["figures"]["faithfulness"] == 1.0
    assert run["by_tag"] == {"number": {"cases": 1, "passed": 1}}
    assert run["prompts"].keys() == {"plan", "grade", "synthesize"}
    assert json.loads((folder / "report" / "report.json").read_text()) == report
    assert "barge" in (folder / "report" / "report.html").read_text()


def test_the_conversations_of_a_run_are_deleted(pipeline, folder):
    evaluate(folder)
    with commands.eval_commands.connect() as client:
        assert list(client.sessions()) == []


def test_the_figures_are_printed_for_people(pipeline, folder):
    words = ["eval", str(folder / "cases.yaml"), "--report", str(folder / "report")]
    printed = CliRunner().invoke(commands.app, words)
    assert printed.exit_code == 0
    assert "default: score" in printed.stdout and "4 of 4 cases" in printed.stdout
    assert "barge passed" in printed.stderr


# -- broken on purpose -----------------------------------------------------------------------------


def test_a_lost_filter_is_seen_by_what_must_be_refused(pipeline, folder, monkeypatch):
    def everywhere(indexed, scope):
        return is_in_scope(indexed, scope.model_copy(update={"documents": (), "document_ids": {}}))

    monkeypatch.setattr(search, "is_in_scope", everywhere)
    code, report = evaluate(folder)
    assert (code, failures(report)) == (1, {"refusal_accuracy"})
    assert "84 crowns" in faults(report)["hidden"][0]


def test_a_wrong_weight_is_seen_by_precision(pipeline, folder, monkeypatch):
    for n in range(6):
        text = f"# Dock {n}\n\nThe dock of number {n} was rebuilt for a barge in 20{n}5.\n"
        pipeline.upload(f"acme/default/dock{n}.md", text.encode())
    assert evaluate(folder)[0] == 0
    wrong = {"words": -0.5, "meaning": 0.0, "named": 1.0}
    for name, recipe in STRATEGIES.items():
        changed = {"legs": wrong, "figures": wrong, "alike": 0.0, "meaning_weight": 0.0}
        monkeypatch.setitem(STRATEGIES, name, recipe.model_copy(update=changed))
    code, report = evaluate(folder)
    assert code == 1
    assert "precision_at_k" in failures(report)


ELLIPTIC = "And the other?"


class Obedient:
    """A planner that does what its prompt says of references to the conversation, and no more."""

    def complete(self, request):
        if request.task != "plan":
            raise UnavailableError("rules do it")
        whole = "references to the history resolved" in " ".join(request.system.split())
        told = request.messages[-1].text
        question = re.findall(r"^(?:What|When|And) .*\?$", told, re.MULTILINE)[-1]
        if whole and question == ELLIPTIC:
            question = "What was the harbour fee for a barge in 2024?"
        plan = PlanReply(kind="retrieve", sub_questions=[PlannedQuestion(text=question)])
        return ModelReply(text=plan.model_dump_json(), mode="openai", model="obedient")

    def stream(self, request):
        yield self.complete(request)


def test_a_line_lost_from_a_prompt_is_seen_by_what_is_answered(pipeline, folder, monkeypatch):
    (folder / "cases.yaml").write_text(CASES.replace("And in 2024?", ELLIPTIC))
    vars(pipeline)["llm"] = Obedient()
    code, before = evaluate(folder)
    assert (code, failures(before)) == (0, set())
    read = prompts._text

    def broken(name):
        return read(name).replace("references to the history resolved", "as they were asked")

    monkeypatch.setattr(prompts, "_text", broken)
    prompts._split_file.cache_clear()
    code, report = evaluate(folder)
    prompts._split_file.cache_clear()
    assert code == 1
    assert failures(report) >= {"answered"}
    assert faults(report)["before"] and not faults(report)["tug"]


def test_quotes_that_their_document_does_not_have_are_seen_by_faithfulness(
    pipeline, folder, monkeypatch
):
    texts = InProcess.handle_request

    def other_text(self, request):
        answer = texts(self, request)
        if request.url.path.endswith("/text"):
            return type(answer)(200, text=answer.text.replace("crowns", "ducats"))
        return answer

    monkeypatch.setattr(InProcess, "handle_request", other_text)
    code, report = evaluate(folder)
    assert (code, failures(report)) == (1, {"faithfulness"})


# -- beside other runs -----------------------------------------------------------------------------


def test_a_figure_that_fell_below_the_baseline_fails_the_run(pipeline, folder):
    _, report = evaluate(folder)
    report["runs"][0]["figures"]["context_relevance"] += 0.1
    baseline = folder / "baseline.json"
    baseline.write_text(json.dumps(report))
    code, again = evaluate(folder, "--baseline", baseline)
    assert (code, failures(again)) == (1, {"context_relevance"})
    html = (folder / "report" / "report.html").read_text()
    assert "Beside the last run" in html and "Beside the baseline" in html


def test_two_settings_stand_side_by_side(pipeline, folder):
    (folder / "settings.yaml").write_text("settings:\n  words: {search: {strategy: lexical}}\n")
    code, report = evaluate(
        folder, "--settings", folder / "settings.yaml", "--compare", "default", "words"
    )
    assert (code, [run["name"] for run in report["runs"]]) == (0, ["default", "words"])
    assert report["runs"][1]["setting"] == {"search": {"strategy": "lexical"}}
    assert "Side by side" in (folder / "report" / "report.html").read_text()


def test_a_setting_of_another_footnote_needs_its_key(pipeline, folder, monkeypatch):
    there = f"settings:\n  other: {{url: '{URL}', key_variable: OTHER_KEY}}\n"
    (folder / "settings.yaml").write_text(there)
    words = ("--settings", folder / "settings.yaml", "--compare", "default", "other")
    with pytest.raises(ConfigurationError, match="OTHER_KEY"):
        evaluate(folder, *words)
    monkeypatch.setenv("OTHER_KEY", "other-key")
    code, report = evaluate(folder, *words)  # another tenant, which has no documents
    assert code == 1
    assert not any(why for why in report["runs"][0]["failures"])
    assert report["runs"][1]["figures"]["answered"] == 0.0


def test_a_wrong_key_ends_the_run_at_once(pipeline, folder, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_API_KEY", "no-such-key")
    with pytest.raises(Exception, match="Forbidden") as ended:
        evaluate(folder)
    assert type(ended.value).__name__ == "ForbiddenError"


def test_a_server_that_is_not_there_ends_the_run_at_once(pipeline, folder, monkeypatch):
    asked = []

    def refuse(self, request):
        asked.append(request.url)
        raise httpx.ConnectError("refused")

    monkeypatch.setattr("footnote.client.connection.time.sleep", lambda _: None)
    monkeypatch.setattr(InProcess, "handle_request", refuse)
    with pytest.raises(UnavailableError, match="does not answer"):
        evaluate(folder)
    assert not (folder / "report").exists()


def test_what_ends_a_run_names_its_case(pipeline, folder):
    wrong = CASES.replace("session: fees", "collection: '" + "x" * 3000 + "'", 1)
    (folder / "cases.yaml").write_text(wrong)
    with pytest.raises(BadRequestError, match="case 'barge'"):
        evaluate(folder)


def test_a_model_judges_where_one_is_named(pipeline, folder, monkeypatch):
    no = '{"words": [], "lacks": "crowns", "supported": false}'
    asked = []

    def named(*which):
        asked.append(which)
        return ScriptedLLM([], judge=[no] * 9)

    monkeypatch.setattr(own_model, "own_model", named)
    monkeypatch.setenv("FOOTNOTE_JUDGE_URL", "http://judge.test/v1")
    code, report = evaluate(folder, "--judge", "strict-one")
    assert asked == [("strict-one", "http://judge.test/v1", "")]
    assert (code, failures(report)) == (1, {"faithfulness"})
    assert (report["judge"]["model"], report["judge"]["judged"]) == ("scripted", 3)


def test_settings_that_nobody_chooses_are_a_mistake(pipeline, folder):
    with pytest.raises(BadRequestError, match="none is chosen"):
        evaluate(folder, "--settings", folder / "settings.yaml")


# -- drafts ----------------------------------------------------------------------------------------


def test_drafts_come_from_figures_tables_terms_headings_and_feedback(pipeline, folder):
    with commands.eval_commands.connect() as client:
        asked = client.ask("What does a tug pay?")
        client.say(asked["id"], "gap", reason="we have a tariff for tugs")
        wrong = client.ask("What is the fee for a barge?")
        client.say(wrong["id"], "down", reason="that was last year")
        right = client.ask("What was the harbour fee for a barge in 2025?")
        client.say(right["id"], "up", sentence=0)
    made = folder / "made.yaml"
    result = CliRunner().invoke(commands.app, ["eval", str(made), "--make"])
    assert result.exit_code == 0, result.output
    cases = {case.question: case for case in read_cases(made).cases}
    assert all(case.draft for case in cases.values())
    assert cases["What does a tug pay?"].must_refuse
    said = "The harbour fee for a barge was 84 crowns in 2025."
    assert read_cases(made).labels == (Label(sentence=said, quote=said, supported=True),)
    assert "last year" in cases["What is the fee for a barge?"].note
    fee = cases["What was the harbour fee for a barge?"]
    assert fee.gold[0].document == "fees.md" and "crowns" in fee.answer
    assert cases["What is the Length in metres of South quay?"].answer == "260"
    assert cases["What is the Depth in metres of North quay?"].answer == "9"
    assert "What does “Demurrage” mean?" in cases
    assert not any("gate" in question for question in cases)
    assert "What does fees.md say about “Harbour fees”?" in cases
    assert yaml.safe_load(made.read_text())["cases"][0]["draft"] is True


def test_drafts_that_were_reviewed_can_be_asked(pipeline, folder):
    made = folder / "cases.yaml"
    made.unlink()
    CliRunner().invoke(commands.app, ["eval", str(made), "--make", "--document", "tugs.md"])
    made.write_text(made.read_text().replace("  draft: true\n", ""))
    code, report = evaluate(folder)
    assert report["runs"][0]["passed"] == 1.0, faults(report)
    assert (code, failures(report)) == (1, {"refusal_accuracy"})  # nothing that must be refused


def test_a_model_drafts_what_its_passage_says_and_nothing_else(pipeline, folder, monkeypatch):
    long = "The pilot station at Grimsey answers on channel 12. " + "It stands on a rock. " * 8
    for name in "abcd":
        pipeline.upload(f"acme/default/{name}.md", f"# Pilots {name}\n\n{long}\n".encode())
    sentence = "The pilot station at Grimsey answers on channel 12."
    good = {"question": "On which channel?", "answer": "12", "sentence": sentence}
    elsewhere = good | {"sentence": "The pilot answers on channel 12 at night."}
    unsaid = good | {"answer": "channel 16"}
    replies = [json.dumps(one) for one in (good, elsewhere, unsaid, {})]
    monkeypatch.setattr(own_model, "own_model", lambda *_: ScriptedLLM(replies))
    made = folder / "made.yaml"
    words = ["eval", str(made), "--make", "--by-model", "small", "--json"]
    words += [f"--document={name}.md" for name in "abcd"]
    result = CliRunner().invoke(commands.app, words)
    assert json.loads(result.stdout) == {"file": str(made), "drafts": 1, "labels": 0}
    [case] = read_cases(made).cases
    assert (case.question, case.answer, case.gold[0].sentence) == (
        *list(good.values())[:2],
        sentence,
    )


def test_a_file_that_is_there_is_not_overwritten(pipeline, folder):
    with pytest.raises(BadRequestError, match=r"cases\.yaml cannot be written"):
        evaluate(folder, "--make")
    assert (folder / "cases.yaml").read_text() == CASES


# -- the page --------------------------------------------------------------------------------------

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


def test_the_report_shows_hostile_words_as_words_and_runs_nothing(pipeline, folder):
    _, report = evaluate(folder)
    [run] = report["runs"]
    run["name"] = run["failures"] = report["file"] = EVIL
    run["failures"] = [EVIL]
    run["by_tag"] = {EVIL: {"cases": 1, "passed": 0}}
    run["models"], run["prompts"] = [EVIL], {EVIL: EVIL}
    report["judge"] = {"model": EVIL, "prompt": EVIL, "labels": 1, "agreed": 1, "kappa": 1.0}
    case = run["cases"][0]
    case |= dict.fromkeys(("id", "question", "wanted", "outcome", "answer"), EVIL)
    case["faults"] = case["notes"] = [EVIL]
    case["gold"] = [{"document": EVIL, "sentence": EVIL}]
    case["trace"] = [{"kind": EVIL, "data": EVIL}]
    case["cited"] = [{"document": EVIL, "pages": [1], "quote": EVIL, "stands": False}]
    case["found"] = [
        {"rank": 1, "document": EVIL, "pages": [], "text": EVIL, "score": 1.0, "gold": True}
    ]
    page = render(report, report, report)
    assert "<script" not in page and "<img" not in page
    assert page.count("&lt;script&gt;") > 15
    assert not re.search(r"(?:src|href)\s*=", page.replace("src=x", ""))
    assert "default-src 'none'" in page
