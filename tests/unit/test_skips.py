"""`--no-skips` tells a skip that somebody allowed from one that nobody did."""

from types import SimpleNamespace

import pytest

from tests import skips
from tests.skips import NEED_SHARED_DATA, SkipJudge


def judge(nodeid, **changes):
    report = SimpleNamespace(
        nodeid=nodeid, skipped=True, longrepr=("file", 1, "Skipped: no OCR"), **changes
    )
    judging, session = SkipJudge(), SimpleNamespace(exitstatus=0)
    judging.pytest_runtest_logreport(report)
    judging.pytest_sessionfinish(session)
    return session.exitstatus, judging.unexpected


def test_a_skip_that_nobody_allowed_fails_the_run():
    name = "tests/unit/test_parse_scans.py::test_a_scan"
    assert judge(name) == (1, {name: "Skipped: no OCR"})


def test_an_expected_failure_is_no_skip():
    assert judge("tests/unit/test_x.py::test_y", wasxfail="known")[0] == 0


@pytest.mark.parametrize("name", NEED_SHARED_DATA)
def test_tests_on_shared_data_may_skip_where_that_is_absent_and_only_there(
    name, monkeypatch, tmp_path
):
    monkeypatch.setattr(skips, "DATA", tmp_path)
    assert judge(f"{name}[1]")[0] == 1
    monkeypatch.setattr(skips, "DATA", tmp_path / "absent")
    assert judge(f"{name}[1]")[0] == 0


@pytest.mark.parametrize("name", NEED_SHARED_DATA)
def test_the_allowed_tests_exist(name, root):
    file, _, test = name.partition("::")
    assert f"def {test}" in (root / file).read_text()
