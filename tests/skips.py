"""`pytest --no-skips`: a test that is skipped without being named here fails the run.

Continuous integration runs so. What a fresh clone sets up (the model, OCR's languages, a build, a
stack) is there; a test that skips for want of it would say nothing for ever.
"""

import os
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
NEED_SHARED_DATA = (
    "tests/unit/test_shared_documents.py",
    "tests/unit/test_page_references.py::test_no_question_that_names_no_page",
    "tests/unit/test_clarify.py::test_hardly_any_question",
    "tests/unit/test_injection.py::test_the_fact_of_a_marked_file",
    "tests/unit/test_injection.py::test_fishing_for_the_marker",
    "tests/unit/test_injection.py::test_a_writer_that_obeys_a_marked_file",
)
"""Tests on documents that are not part of the project; they may skip where those are absent."""


NEED_JUDGED_ROLES = ("tests/e2e/alone/test_iam.py",)
"""Tests of a stack that was started with ENFORCE_IAM=1."""


class SkipJudge:
    """Watches all reports of a run; at its end names the skips that nobody allowed."""

    def __init__(self) -> None:
        self.unexpected: dict[str, str] = {}

    def pytest_runtest_logreport(self, report):
        self._note(report)

    def pytest_collectreport(self, report):
        self._note(report)

    def _note(self, report):
        expected_to_fail = hasattr(report, "wasxfail")
        if report.skipped and not expected_to_fail and not is_allowed(report.nodeid):
            self.unexpected[report.nodeid] = str(report.longrepr[-1])

    def pytest_sessionfinish(self, session):
        if self.unexpected and session.exitstatus == 0:
            session.exitstatus = 1

    def pytest_terminal_summary(self, terminalreporter):
        for nodeid, reason in sorted(self.unexpected.items()):
            terminalreporter.write_line(f"SKIPPED, which is not allowed: {nodeid}: {reason}")
        if self.unexpected:
            terminalreporter.write_line("Set up what they need, or name them in tests/skips.py.")


def is_allowed(nodeid: str) -> bool:
    if os.environ.get("ENFORCE_IAM") != "1" and nodeid.startswith(NEED_JUDGED_ROLES):
        return True
    return nodeid.startswith(NEED_SHARED_DATA) and not DATA.is_dir()
