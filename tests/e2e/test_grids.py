"""Grids on the deployed stack: the machine fills them, files open, later documents get rows."""

import csv
import io
import uuid

import openpyxl
import pytest

from footnote.errors import NotFoundError

BIKES = "How many cargo bikes did Ottermoss deliver in 2025?"
FLOOD = "Which insurer covers the Ottermoss warehouse against flooding?"
GOODS = ("annual-report-2025.pdf", "battery-supply-agreement.docx", "travel-and-expenses.html")
FERRY = b"# Ferry\n\nThe ferry to Wexmoor costs 3 crowns.\n"
FARE = "What does the ferry to Wexmoor cost?"


def filled(client, grid_id):
    """Waits until a grid runs no more, and returns it with its rows."""
    *_, last = client.follow_grid(grid_id)
    assert last["status"] == "DONE"
    return client.grid(grid_id)


def shown(grid):
    return {row["document"]: [cell["shown"] for cell in row["cells"]] for row in grid["rows"]}


def test_the_machine_fills_a_grid_and_its_files_open(samples):
    client, _ = samples
    begun = client.start_grid([BIKES, FLOOD], documents=GOODS, name="bikes")
    assert (begun["documents"], begun["status"]) == (3, "RUNNING")
    grid = filled(client, begun["id"])
    table = shown(grid)
    assert list(table) == sorted(GOODS)
    assert "10,840 cargo bikes" in table[GOODS[0]][0]
    assert sum(grid["counts"][name] for name in ("answered", "nearest", "none")) == 6
    [cell] = [row["cells"][0] for row in grid["rows"] if row["document"] == GOODS[0]]
    asked = client.question(cell["question_id"])
    assert {one["document"] for one in asked["citations"]} == {GOODS[0]}
    assert cell["citation"]["pages"] == asked["citations"][0]["pages"]

    book = openpyxl.load_workbook(io.BytesIO(client.export_grid(begun["id"])))
    lines = [[one.value or "" for one in line] for line in book["grid"].iter_rows()]
    assert lines[0] == ["document", "collection", BIKES, FLOOD]
    assert {line[0]: line[2:] for line in lines[1:]} == table
    text = client.export_grid(begun["id"], "csv").decode()
    assert list(csv.reader(io.StringIO(text))) == lines

    assert client.delete_grid(begun["id"]) == 6
    for look in (lambda: client.grid(begun["id"]), lambda: client.question(cell["question_id"])):
        with pytest.raises(NotFoundError):
            look()


def test_later_documents_get_rows_and_replaced_ones_are_asked_again(new_tenant, tmp_path):
    client, _ = new_tenant()
    file = tmp_path / "ferry.md"

    def add(name, body):
        file.write_bytes(body)
        client.wait([client.add(file, name)], lambda _: None)

    add("a.md", FERRY)
    grid = client.start_grid([FARE])["id"]
    assert shown(filled(client, grid)) == {"a.md": ["The ferry to Wexmoor costs 3 crowns."]}
    add("a.md", FERRY.replace(b"3 crowns", b"4 crowns"))
    add("b.md", FERRY.replace(b"3 crowns", b"5 crowns"))
    assert client.grid(grid)["counts"]["stale"] == 1
    client.fill_grid(grid)
    assert shown(filled(client, grid)) == {
        "a.md": ["The ferry to Wexmoor costs 4 crowns."],
        "b.md": ["The ferry to Wexmoor costs 5 crowns."],
    }


def test_another_tenant_has_no_grid(samples, new_tenant):
    client, _ = samples
    grid = client.start_grid([BIKES], documents=GOODS[:1], name=uuid.uuid4().hex)
    stranger, _ = new_tenant()
    with pytest.raises(NotFoundError):
        stranger.grid(grid["id"])
    assert list(stranger.grids()) == []
    assert grid["name"] in {entry["name"] for entry in client.grids()}
