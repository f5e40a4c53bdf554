"""Where an answer has lines of sentences, and where tables. The page is held to the same cases."""

import json
from pathlib import Path

import pytest

from footnote.text.answer_layout import Grid, lay_out

CASES = json.loads((Path(__file__).parents[1] / "data" / "layouts.json").read_text())


def laid_out(case):
    texts, labels = zip(*case["sentences"], strict=True)
    return [
        {"header": list(block.header), "rows": [[n, list(cells)] for cells, n in block.rows]}
        if isinstance(block, Grid)
        else list(block)
        for block in lay_out(case["answer"], texts, labels)
    ]


@pytest.mark.parametrize("case", CASES, ids=[case["told"] for case in CASES])
def test_an_answer_is_laid_out(case):
    assert laid_out(case) == case["blocks"]


@pytest.mark.parametrize("case", CASES, ids=[case["told"] for case in CASES])
def test_each_table_has_as_many_labels_as_cells_and_each_row_is_there(case):
    for block in laid_out(case):
        if isinstance(block, dict):
            widths = {len(cells) for _, cells in block["rows"]}
            assert len(widths) == 1
            assert len(block["header"]) in {0, *widths}


def test_an_answer_without_sentences_has_no_blocks():
    assert lay_out("Hello.", (), ()) == []
