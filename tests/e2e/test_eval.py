"""The golden set, asked of the deployed stack by `footnote eval`: the gate of all changes."""

import json
import subprocess
import sys

from tests.e2e.conftest import SAMPLES
from tests.stack import ROOT

GOLDEN = ROOT / "samples" / "golden.yaml"
RUBRIC = ROOT / "samples" / "golden-rubric.yaml"


def test_the_golden_set_passes_its_gates(stack, new_tenant, monkeypatch, tmp_path):
    client, _ = new_tenant()  # nobody else adds to it
    client.wait([client.add(file) for file in SAMPLES], lambda _: None)
    monkeypatch.setenv("FOOTNOTE_URL", stack["api_url"])
    monkeypatch.setenv("FOOTNOTE_API_KEY", client._api.http.headers["x-api-key"])
    words = ("eval", GOLDEN, "--rubric", RUBRIC, "--report", tmp_path, "--json")
    command = [sys.executable, "-c", "from footnote.cli import main; main()", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout, done.stderr
    [run] = json.loads(done.stdout)["runs"]
    faults = {case["id"]: case["faults"] for case in run["cases"] if case["faults"]}
    assert (done.returncode, run["failures"]) == (0, []), faults
    assert len(run["cases"]) >= 40
    assert (tmp_path / "report.html").is_file()
