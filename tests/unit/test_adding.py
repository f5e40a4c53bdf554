"""The judge of `make bench-adding`: it fails where footnote is slower, larger or reads less."""

import json
import math
import subprocess
import sys
import time

import pymupdf
import pytest

from tests.bench.adding import Memory, merge, ratio, shortcomings, show, thin_out
from tests.bench.peers.retrievers import Added, count

OURS = {
    "start": 2.0,
    "cpu": 100.0,
    "seconds": 60.0,
    "peak_mb": 500.0,
    "documents": 26,
    "pages": 1300,
    "chunks": 7000,
    "given": 1000,
    "read": 1000,
}
PEERS = {
    "langchain": OURS | {"cpu": 450.0, "peak_mb": 900.0},
    "llamaindex": OURS | {"cpu": 120.0, "peak_mb": 800.0, "read": 250},
    "haystack": OURS | {"cpu": 480.0, "peak_mb": 700.0},
}


def a_round(**changed):
    found = {"footnote": OURS, **PEERS}
    return found | {tool: found[tool] | more for tool, more in changed.items()}


def test_a_footnote_that_is_ahead_has_no_shortcomings():
    assert shortcomings([a_round()]) == []


@pytest.mark.parametrize(
    ("tool", "more", "said"),
    [
        ("langchain", {"cpu": 399.0}, ["3.99 times as fast as LangChain, 4 should be"]),
        ("llamaindex", {"cpu": 99.0}, ["0.99 times as fast as LlamaIndex, 1 should be"]),
        ("haystack", {"peak_mb": 499.0}, ["500 MB, and Haystack takes 499"]),
        ("footnote", {"read": 990}, ["footnote's model reads 990 of 1,000 tokens"]),
    ],
)
def test_each_bound_is_told_when_it_is_missed(tool, more, said):
    assert shortcomings([a_round(**{tool: more})]) == said


def test_a_peer_that_reads_a_part_of_its_text_is_no_shortcoming_of_ours():
    assert shortcomings([a_round(haystack={"read": 1})]) == []


def test_a_tool_that_failed_is_a_shortcoming_and_so_is_no_footnote():
    assert shortcomings([a_round()], ["haystack"]) == ["haystack could not be measured"]
    assert shortcomings([{"langchain": OURS}]) == ["footnote was not measured"]


def test_ratios_are_within_rounds_so_that_a_slow_hour_counts_for_both():
    pairs = [(300.0, 1500.0), (100.0, 500.0), (200.0, 400.0)]  # their medians have 2.5
    rounds = [a_round(footnote={"cpu": ours}, langchain={"cpu": theirs}) for ours, theirs in pairs]
    assert ratio(rounds, "langchain") == 5.0
    assert math.isnan(ratio([{"footnote": OURS}], "langchain"))


def test_figures_are_medians_of_what_was_measured():
    rounds = [a_round(footnote={"cpu": cpu}) for cpu in (90.0, 110.0, 400.0)]
    del rounds[0]["haystack"]
    merged = merge(rounds)
    assert (merged["footnote"]["cpu"], merged["haystack"]["cpu"]) == (110.0, 480.0)
    assert "footnote-ocr" not in merged


def test_the_table_has_a_row_for_each_tool(capsys):
    of = {"documents": 26, "pages": 1316, "tokens": 2000}
    show({"of": of, "machine": "2 processors", "rounds": [a_round()], "failed": []})
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows[1:]] == [
        *("| **footnote**, OCR off", "| LangChain", "| LlamaIndex", "| Haystack")
    ]
    assert rows[3].split(" | ")[8:11] == ["250", "25%", "12%"]


def test_the_memory_of_children_counts():
    """A child that holds 60 MB is started by a process that holds none."""
    child = "import sys; held = bytes(range(256)) * 250_000; sys.stdin.read()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {json.dumps(child)}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE) as process:
        memory = Memory(process.pid)
        memory.start()
        while memory.peak_mb <= 60:
            time.sleep(0.01)
        process.stdin.close()
        process.wait()
        assert memory.stop() < 200


def test_documents_and_pages_count_where_a_chunk_stands():
    notes = [
        {"document": "a.pdf", "pages": [1, 2]},
        {"document": "a.pdf", "pages": [2]},
        {"document": "b.pdf", "pages": [1]},
    ]
    assert count(notes) == Added(documents=2, pages=3, chunks=3)


def test_every_third_page_is_taken_from_the_first_on(tmp_path):
    whole = tmp_path / "whole" / "seven.pdf"
    whole.parent.mkdir()
    with pymupdf.open() as made:
        for number in range(7):
            made.new_page().insert_text((72, 72), f"page {number}")
        made.save(whole)
    (thin,) = thin_out([whole], 3, tmp_path)
    with pymupdf.open(thin) as kept:
        assert [page.get_text().strip() for page in kept] == ["page 0", "page 3", "page 6"]
