"""Changing footnote is as small as CONTRIBUTING says, and no place is forgotten unnoticed.

Each trial makes a newcomer's change in a copy of the repository and runs suites there.
"""

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.trials.changes import TRIALS

pytestmark = pytest.mark.timeout(1800)

# Compiled files go along: they count for sources of the same moment and size, which a copy keeps.
# What tests beside these are about to write does not: it may be gone before it is copied.
LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv", ".footnote", ".aws-sam", "node_modules"),
    *(".*_cache", ".hypothesis", ".coverage*", "*.pyc.*"),
)


@pytest.fixture(params=TRIALS)
def trial(request):
    return TRIALS[request.param]


@pytest.fixture
def copy(tmp_path):
    """Copies the repository. The tools that set-up has made for this one are linked."""
    copied = tmp_path / "footnote"
    shutil.copytree(ROOT, copied, ignore=LEFT_OUT, symlinks=True)
    (copied / ".footnote").symlink_to(ROOT / ".footnote")
    return copied


def run(copy, *command):
    """Runs Python in the copy. Returns its exit status and the end of what it printed."""
    folders = os.pathsep.join([str(copy / "shared"), str(copy)])
    environ = {**os.environ, "PYTHONPATH": folders, "FOOTNOTE_BACKEND": "memory"}
    done = subprocess.run(
        [sys.executable, *command], cwd=copy, env=environ, capture_output=True, text=True
    )
    return done.returncode, (done.stdout + done.stderr)[-3000:]


def suites(copy, trial, *options):
    unused = ("xdist", "randomly", "cacheprovider", "anyio")
    plain = (*(f"-pno:{each}" for each in unused), "-q")
    return run(copy, "-m", "pytest", *plain, *options, *trial.suites)


def test_a_change_is_in_few_files_and_works(copy, trial):
    assert len({edit.path for edit in trial.code}) <= trial.most
    for edit in trial.edits:
        edit.make(copy)
    _, printed = run(copy, "-c", "import footnote; print(footnote.__file__)")
    assert printed.strip() == str(copy / "shared" / "footnote" / "__init__.py")
    for status, printed in (suites(copy, trial), run(copy, "-c", trial.proof)):
        assert status == 0, printed


FORGOTTEN = [
    pytest.param(trial, path, id=f"{name}, {path}")
    for name, trial in TRIALS.items()
    for path in sorted({edit.path for edit in trial.edits})
    if len({edit.path for edit in trial.edits}) > 1
]


@pytest.mark.parametrize(("trial", "path"), FORGOTTEN)
def test_a_file_that_is_forgotten_fails_a_suite(copy, trial, path):
    for edit in trial.edits:
        if edit.path != path:
            edit.make(copy)
    status, printed = suites(copy, trial, "--exitfirst")
    assert status == 1, printed  # 1 means that tests failed, another number that they could not run
