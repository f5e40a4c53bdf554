"""A re-index and a sweep take no more memory for more documents; prints what each step takes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.reindex import plan
from tests.stack import ROOT
from tests.template import function_limits

SMALL, LARGE, CHUNKS = 1_000, 4_000, 10  # documents, chunks of each
GROWTH_MB = 5.0  # for 10,000 chunks; measured: 0.3. Before chunks were read in parts it was 184
STEPS = {"rebuild": "rebuild", "promote": "promote", "unchanged": "prepare", "sweep": "sweep"}


def bench(*arguments: object) -> str:
    command = [sys.executable, "-m", "tests.bench.reindex", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return (done.stdout.splitlines() or [""])[-1]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("reindex")
    for documents in (SMALL, LARGE):
        bench("make", folder / str(documents), documents, CHUNKS)
    return {documents: folder / str(documents) for documents in (SMALL, LARGE)}


@pytest.mark.parametrize("step", STEPS)
def test_memory_does_not_grow_with_the_documents(step, files, capsys):
    few, many = (json.loads(bench(step, path)) for path in files.values())
    grown = (many["peak_mb"] - few["peak_mb"]) / (LARGE - SMALL) / CHUNKS * 10_000
    memory, _ = function_limits(STEPS[step])
    with capsys.disabled():
        print(
            f"\n{step:<10} {many['cpu']:5.1f} s of CPU, {many['peak_mb']:4} of {memory} MB, "
            f"{grown:+.1f} MB for 10,000 chunks more   {many['note']}",
            end="",
        )
    assert grown < GROWTH_MB
    assert many["peak_mb"] < memory


def test_the_table_of_what_a_reindex_takes(capsys):
    with capsys.disabled():
        for documents in (10_000, 100_000, 1_000_000):
            print(f"\n{documents:>9,} documents: {plan(documents, 10)}", end="")
    assert plan(1_000_000, 10)["states"] > 15_000
