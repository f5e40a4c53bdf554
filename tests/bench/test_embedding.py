"""Measures embedding: cold start, memory, chunks per second, time of a query. `-s` prints it.

Floors and ceilings leave about twice what a busy four-core machine without VNNI needs.
"""

import json
import statistics
import subprocess
import sys
import time

import pytest

from footnote.adapters.embedding.minilm import MiniLM
from local.paths import TOOLS

FOLDER = TOOLS / "model"
SENTENCE = "The operating margin of the northern region fell to 7.4 % because freight cost more. "
CHUNKS = [f"Section {number}. " + SENTENCE * 10 for number in range(40)]  # 190 tokens each
QUERY = "Why did the operating margin of the northern region fall?"

COLD_START = f"""
import json, pathlib, time
started = time.perf_counter()
from footnote.adapters.embedding.minilm import MiniLM
imported = time.perf_counter()
minilm = MiniLM(pathlib.Path({str(FOLDER)!r}), threads=2)
loaded = time.perf_counter()
for chunk in {CHUNKS!r}:
    minilm.embed([chunk], "document")
status = pathlib.Path("/proc/self/status").read_text()
peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
print(json.dumps([imported - started, loaded - imported, peak]))
"""


def chunks_a_second(minilm: MiniLM) -> float:
    minilm.embed(CHUNKS[:5], "document")
    started = time.perf_counter()
    minilm.embed(CHUNKS, "document")
    return len(CHUNKS) / (time.perf_counter() - started)


def query_p50(minilm: MiniLM) -> float:
    seconds = []
    for _ in range(100):
        started = time.perf_counter()
        minilm.embed([QUERY], "query")
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


@pytest.fixture(scope="module")
def cold_start():
    run = subprocess.run(
        [sys.executable, "-c", COLD_START], capture_output=True, text=True, check=True
    )
    imported, loaded, peak = json.loads(run.stdout)
    print(f"\nimport {imported:.2f} s, load {loaded:.2f} s, peak memory {peak:.0f} MB")
    return imported, loaded, peak


def test_importing_and_loading_the_model_stays_within_a_second(cold_start):
    imported, loaded, _ = cold_start
    assert imported + loaded < 1.0


def test_peak_memory_stays_below_200_mb(cold_start):
    assert cold_start[2] < 200


def test_a_second_thread_makes_chunks_faster():
    rates = {threads: chunks_a_second(MiniLM(FOLDER, threads=threads)) for threads in (1, 2)}
    print("\nchunks/s " + ", ".join(f"{n} threads {rate:.1f}" for n, rate in rates.items()))
    assert rates[2] > rates[1] * 1.15
    assert rates[1] > 8


def test_a_query_takes_less_than_10_ms_and_a_third_of_a_chunks_time():
    minilm = MiniLM(FOLDER, threads=2)
    query, chunk = query_p50(minilm), 1 / chunks_a_second(minilm)
    print(f"\nquery p50 {query * 1000:.2f} ms, chunk {chunk * 1000:.1f} ms")
    assert query < 0.010
    assert query < chunk / 3
