"""Large files stay within each function's memory; prints seconds beside the function's timeout."""

import json
import subprocess
import sys

import pytest

from tests.bench import large
from tests.stack import ROOT
from tests.template import function_limits

MADE = {
    "1,000 pages": ("a.pdf", lambda path: large.text_pdf(path, 1_000), ("part", "store", "join")),
    "5,000 pages": ("b.pdf", lambda path: large.text_pdf(path, 5_000), ("part", "store", "join")),
    "200 MB of pictures": (
        "c.pdf",
        lambda path: large.picture_pdf(path, 300, 200),
        ("part", "store", "join"),
    ),
    "20 MB of text": ("d.txt", lambda path: large.text(path, 20), ("parse",)),
    "20 MB of cells": ("e.csv", lambda path: large.table(path, 20), ("parse",)),
    "200 MB of cells": ("f.csv", lambda path: large.table(path, 200), ("parse",)),
}
REFUSED = {"200 MB of cells"}


def run(step, path):
    command = [sys.executable, "-m", "tests.bench.large", step, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", MADE)
def test_a_large_file_is_worked_within_the_memory_of_its_functions(name, tmp_path, capsys):
    file, make, steps = MADE[name]
    path = tmp_path / file
    make(path)
    for step in steps if name in REFUSED else (*steps, "chunk"):
        found = run(step, path)
        if step == "store":
            continue  # here one process does the work of many invocations
        memory, seconds = function_limits("chunk" if step == "chunk" else "parse")
        with capsys.disabled():
            print(
                f"\n{name:<19}{step:<6} {found['seconds']:6.1f} of {seconds} s, "
                f"{found['peak_mb']:5} of {memory} MB   {found['note']}",
                end="",
            )
        assert found["peak_mb"] < memory
