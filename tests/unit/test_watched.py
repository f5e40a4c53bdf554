"""The watch over the parsing of untrusted files notices the harm that it is there to notice."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.watched import Watch

HEAD = """
import json, sys
from pathlib import Path
import tests.watched as watched
"""
RUN = """
watched.parse = harm
print(json.dumps(watched.run_watched(Path(sys.argv[1]))))
"""


def outcome(tmp_path, body):
    """Runs a parser with this body in a watched process. Returns what was noticed."""
    file = tmp_path / "a.txt"
    file.write_text("a")
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    program = f"{HEAD}\ndef harm(body, name):\n{lines}\n{RUN}"
    run = subprocess.run(
        [sys.executable, "-c", program, file],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}"},
    )  # fmt: skip
    return json.loads(run.stdout)


def test_reading_a_file_of_the_machine_is_seen(tmp_path):
    found = outcome(tmp_path, "open('/etc/hostname').read()")
    assert found["seen"] == [f"read {os.path.realpath('/etc/hostname')}"]


def test_writing_a_file_is_seen_and_fails(tmp_path):
    target = tmp_path / "made"
    found = outcome(tmp_path, f"with open({str(target)!r}, 'w') as file: file.write('x')")
    assert found["seen"] == [f"write {target}"]
    assert target.read_text() == ""
    assert "File too large" in found.get("crash", "") or found["signal"]


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ("import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", "socket.connect"),
        ("import subprocess\nsubprocess.run(['true'])", "subprocess.Popen"),
        ("import os\nos.system('true')", "os.system"),
        (
            "import os\nos.mkdir('/tmp/nobody-makes-this')\nos.rmdir('/tmp/nobody-makes-this')",
            "os.mkdir",
        ),
    ],
)
def test_calling_and_starting_is_seen(tmp_path, body, event):
    assert any(seen.startswith(event) for seen in outcome(tmp_path, body)["seen"])


def test_taking_more_memory_than_there_is_fails(tmp_path):
    assert outcome(tmp_path, "bytearray(4 << 30)")["crash"].startswith("MemoryError")


def test_a_crash_in_a_library_is_told(tmp_path):
    assert outcome(tmp_path, "import os\nos.abort()")["signal"] == 6


def test_what_python_itself_needs_is_not_seen():
    watch = Watch()
    watch("open", (f"{sys.prefix}/lib/x.py", "r", os.O_RDONLY))
    watch("open", (3, "r", os.O_RDONLY))
    assert watch.seen == []
