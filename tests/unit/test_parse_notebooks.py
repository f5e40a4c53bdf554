"""Notebooks are read by cells: prose, code, what was printed; the rest is counted."""

import json

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse


def read(notebook):
    return parse(json.dumps(notebook).encode(), "tides.ipynb").document


def code(*outputs, source="print(depth)"):
    return {"cell_type": "code", "source": [source], "outputs": list(outputs)}


def test_prose_code_and_printed_text_stand_in_the_order_of_the_cells():
    found = read({
        "cells": [
            {"cell_type": "markdown", "source": ["# Tides\n", "\n", "High water **4.2 m**"]},
            code({"output_type": "stream", "name": "stdout", "text": ["12 ", "fathoms\n"]}),
            {"cell_type": "markdown", "source": "## Ebb\n\nLow at noon."},
        ],
        "nbformat": 4,
    })  # fmt: skip
    assert found.text == (
        "# Tides\n\nHigh water **4.2 m**\n\nprint(depth)\n\n12 fathoms\n\n## Ebb\n\nLow at noon."
    )
    assert [section.title for section in found.sections] == ["Tides", "Ebb"]
    assert found.title == "Tides"
    assert found.warnings == ()


def test_a_result_is_written_once_and_a_table_as_a_table():
    table = "<table><tr><th>port</th><th>m</th></tr><tr><td>Brest</td><td>7</td></tr></table>"
    data = {"text/html": [table], "text/plain": ["  port m\n0 Brest 7"]}
    found = read({"cells": [code({"output_type": "execute_result", "data": data})]})
    assert found.text == "print(depth)\n\nport | m\nBrest | 7"
    assert found.tables[0].rows == (("port", "m"), ("Brest", "7"))


def test_an_error_that_was_shown_is_read():
    found = read({"cells": [code({"output_type": "error", "ename": "KeyError", "evalue": "'m'"})]})
    assert found.text.endswith("KeyError: 'm'")


def test_pictures_and_unknown_cells_are_counted():
    data = {"image/png": "AAAA", "text/plain": ["<Figure size 640x480>"]}
    found = read({
        "cells": [
            code({"output_type": "display_data", "data": data}),
            code({"output_type": "hologram", "text": ["lost"]}),
            {"cell_type": "poem", "source": ["Roll on"]},
        ]
    })  # fmt: skip
    assert "Figure" not in found.text
    assert "Roll on" in found.text
    assert found.warnings == (
        "1 picture is not read: cell 1. [picture]",
        "2 unknown elements are not read: cell 2, cell 3. [unknown_element]",
    )


def test_a_notebook_of_the_third_version_is_read():
    cells = [
        {"cell_type": "heading", "level": 1, "source": ["Ports"]},
        {"cell_type": "code", "input": ["count()"], "outputs": [
            {"output_type": "pyout", "text": ["31"]},
        ]},
    ]  # fmt: skip
    found = read({"worksheets": [{"cells": cells}], "nbformat": 3})
    assert found.text == "Ports\n\ncount()\n\n31"


def test_a_notebook_that_is_no_json_is_damaged():
    with pytest.raises(BadDocumentError) as refused:
        parse(b"{cells: oops", "a.ipynb")
    assert refused.value.code == "corrupt"
