"""The wheel holds all that the command line and the client need, and nothing of the checkout."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "shared")
IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which the wheel was unpacked. It is built of a copy: pip leaves files."""
    copy, target = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("installed")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=IGNORED)
        else:
            shutil.copy(source, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", copy, copy]
    subprocess.run(command, check=True, capture_output=True)
    [wheel] = copy.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def test_every_file_of_the_package_is_in_it(installed):
    def held(folder):
        return {
            path.relative_to(folder).as_posix()
            for path in (folder / "footnote").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    assert held(installed) == held(ROOT / "shared")


def test_it_runs_where_no_checkout_is(installed, tmp_path):
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); from footnote.cli import main; main()"
    )
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, "endpoint"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "FOOTNOTE_URL" in done.stderr
    assert "Traceback" not in done.stderr
