"""Set-up finds a Python 3.13 wherever people keep theirs, and fetches one by uv."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "local" / "find_python.sh"


def write_program(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + lines)
    path.chmod(0o755)


@pytest.fixture
def find(tmp_path):
    """Runs the script where there is no program but those of `bin`, and no Python elsewhere."""
    places = tmp_path / "bin"
    for name in ("sh", "id"):
        write_program(places / name, f'exec /bin/{name} "$@"\n')
    write_program(places / "apt-cache", "exit 100\n")
    script = tmp_path / "find_python.sh"
    outside = SCRIPT.read_text().replace("/usr/local/bin/", "/nowhere/").replace("/opt/", "/no/")
    script.write_text(outside)

    def run(**environ):
        known = {"PATH": str(places), "HOME": str(tmp_path / "home"), **environ}
        return subprocess.run(
            ["/bin/sh", str(script)], env=known, capture_output=True, text=True, check=False
        )

    return run


def place_python(path):
    write_program(path, f'exec {sys.executable} "$@"\n')


def test_a_python_of_uv_is_found(find, tmp_path):
    place_python(tmp_path / "home/.local/share/uv/python/cpython-3.13.9-linux/bin/python3.13")
    assert find().stdout.strip() == sys.executable


def test_a_python_in_uvs_own_folder_is_found(find, tmp_path):
    place_python(tmp_path / "mine/cpython-3.13.9-macos/bin/python3.13")
    assert find(UV_PYTHON_INSTALL_DIR=str(tmp_path / "mine")).stdout.strip() == sys.executable


def test_uv_is_asked_to_install_one(find, tmp_path):
    python = tmp_path / "home/.local/share/uv/python/cpython-3.13.9-linux/bin/python3.13"
    write_program(
        tmp_path / "bin/uv",
        f'[ "$*" = "python install 3.13" ] || exit 9\n/bin/mkdir -p {python.parent}\n'
        f"/bin/ln -s {sys.executable} {python}\n",
    )
    reply = find()
    assert reply.returncode == 0
    assert os.path.realpath(reply.stdout.strip()) == os.path.realpath(sys.executable)


def test_a_uv_that_may_not_fetch_is_named(find, tmp_path):
    write_program(tmp_path / "bin/uv", "exit 2\n")
    reply = find()
    assert reply.returncode == 1
    assert reply.stdout == ""
    assert "Get it with: uv python install 3.13" in reply.stderr


def test_without_uv_it_says_how_to_get_it(find):
    reply = find()
    assert reply.returncode == 1
    assert "uv/install.sh | sh && uv python install 3.13" in reply.stderr
