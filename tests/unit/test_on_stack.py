"""What tests that share a stack may do to it, and what a phase that failed prints of its logs."""

import re
from types import SimpleNamespace

import pytest

from tests.conftest import InTurn
from tests.on_stack import ALONE, PAGES, REINDEXING, main, warnings_in, without_stack
from tests.stack import ROOT

BESIDE_OTHERS = sorted(
    file for folder in ("tests/e2e", REINDEXING) for file in (ROOT / folder).glob("*.py")
)
BEGINS = re.compile(r"\breindex\(|\.findings_of\(")  # a re-index
FOR_EVERYBODY = re.compile(
    r"\.(?:(?:update|delete|put)_(?:bucket|function|event_source|rule|table|queue)\w*"
    r"|(?:enable|disable)_rule|set_queue_attributes|purge_queue)\("
)


@pytest.mark.parametrize("file", BESIDE_OTHERS, ids=lambda file: file.name)
def test_nothing_changes_the_deployment_while_others_use_it(file):
    assert FOR_EVERYBODY.findall(file.read_text()) == [], f"belongs in {ALONE}"


@pytest.mark.parametrize("file", BESIDE_OTHERS, ids=lambda file: file.name)
def test_one_worker_begins_all_reindexes(file):
    begun = BEGINS.findall(file.read_text())
    assert not begun or file.is_relative_to(ROOT / REINDEXING), f"belongs in {REINDEXING}"


def test_what_begins_a_reindex_is_recognized():
    files = [file for file in BESIDE_OTHERS if BEGINS.search(file.read_text())]
    assert {file.name for file in files} == {"test_reindex.py", "test_reindex_killed.py"}


def test_changes_of_the_deployment_are_recognized():
    alone = "".join(file.read_text() for file in (ROOT / ALONE).glob("*.py"))
    found = set(FOR_EVERYBODY.findall(alone))
    assert {".put_bucket_notification_configuration(", ".enable_rule("} <= found


def test_of_a_log_the_warnings_since_a_place_are_shown(tmp_path):
    log = tmp_path / "ParseFunction.log"
    before = '{"level":"WARNING","message":"old"}\n'
    log.write_text(
        before
        + '{"level":"INFO","message":"step done"}\n'
        + '{"level":"ERROR","message":"delivery failed"}\n'
        + "2026-11-24T06:33:49.846  WARN --- [  MainThread] SQS batch failed\n"
        + "REPORT RequestId: 1 Duration: 2.00 ms\n"
    )
    assert list(warnings_in(log, len(before))) == [
        '{"level":"ERROR","message":"delivery failed"}',
        "2026-11-24T06:33:49.846  WARN --- [  MainThread] SQS batch failed",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "told"), [("pass", "passed"), ("0 / 0", "failed")])
def test_trials_run_beside_the_phases_and_one_that_fails_counts(
    line, told, tmp_path, monkeypatch, capsys
):
    (tmp_path / "test_trial.py").write_text(f"def test_trial():\n    {line}\n")
    monkeypatch.setattr("tests.on_stack.PHASES", ())
    monkeypatch.setattr("tests.on_stack.TRIALS", str(tmp_path))
    assert main() == (told == "failed")
    assert f"1 {told}" in capsys.readouterr().out


def test_trials_know_nothing_of_the_stack():
    given = {"PATH": "/bin", "FOOTNOTE_STACK": "test", "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
    assert without_stack(given) == {"PATH": "/bin"}


# -- two workers ---------------------------------------------------------------------------------


class Worker:
    """A worker of xdist that notes the numbers of the tests which it is given."""

    shutting_down = False
    gateway = SimpleNamespace(id="gw")

    def __init__(self):
        self.given = []

    def send_runtest_some(self, numbers):
        self.given += numbers

    def shutdown(self):
        self.shutting_down = True


class Config:
    option = SimpleNamespace(loadscopereorder=True)

    def getoption(self, name):
        assert name == "--in-turn"
        return ["alone", "last.py"]

    def getvalue(self, name):
        assert name == "tx"
        return ["popen", "popen"]


TESTS = ["big.py::a", "big.py::b", "alone/x.py::a", "alone/y.py::b", "a.py::a", "last.py::a"]


def test_folders_stay_with_one_worker_each_and_whoever_is_free_takes_the_other_files():
    scheduler, first, second = InTurn(Config()), Worker(), Worker()
    for worker in (first, second):
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, TESTS)
    scheduler.schedule()
    given = [[TESTS[number] for number in worker.given] for worker in (first, second)]
    # first what was named, in that order; then a file for who has little left
    assert given == [[*TESTS[2:4], *TESTS[:2]], [TESTS[5], TESTS[4]]]


@pytest.mark.parametrize("page", PAGES)
def test_pages_that_are_tested_beside_changes_of_the_functions_use_no_stack(page):
    text = (ROOT / page).read_text()
    assert re.findall(r"\b(?:stack|aws|new_tenant|samples)\b(?=[,)])", text) == []
