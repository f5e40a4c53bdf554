"""The ledger of what was not read."""

from pathlib import Path

import pytest

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.ledger import KINDS, Ledger
from footnote.model import NotRead


def test_a_line_for_each_kind_with_its_number_places_and_code():
    ledger = Ledger()
    ledger.count("chart", "slide 2")
    ledger.count("chart", "slide 5", 2)
    ledger.count("chart", "slide 2")
    ledger.count("hidden_row", "sheet Costs")
    assert list(ledger.warnings()) == [
        "4 charts are not read: slide 2, slide 5. [chart]",
        "1 hidden row is left out: sheet Costs. [hidden_row]",
    ]


def test_many_places_are_counted_and_long_ones_are_cut():
    ledger = Ledger()
    for n in range(7):
        ledger.count("picture", f"slide {n} {'x' * 99}")
    (line,) = ledger.warnings()
    assert line.endswith(" and 2 more places. [picture]")
    assert "x" * 60 not in line


def test_names_from_a_file_stay_on_their_line_and_are_bounded():
    ledger = Ledger()
    for n in range(2_000):
        ledger.count("shape", f"a\n\x1b[31m{n}")
    (line,) = ledger.warnings()
    assert line.startswith("2,000 shapes are not read: a 0, a 1,")
    assert line.endswith(" and 995 more places. [shape]")


def test_a_thing_without_a_place():
    ledger = Ledger()
    ledger.count("equation")
    assert list(ledger.warnings()) == ["1 equation is not read. [equation]"]


def test_a_code_that_is_none_is_refused():
    with pytest.raises(KeyError):
        Ledger().count("nothing")


def test_every_code_has_words_and_a_fate():
    assert all(all(words) for words in KINDS.values())


def test_a_document_warns_of_what_its_ledger_counts():
    builder = DocumentBuilder()
    builder.paragraph("Words.")
    builder.ledger.count("chart", "page 1")
    warnings = builder.to_parsed("text/plain", "a.txt").document.warnings
    assert warnings == ("1 chart is not read: page 1. [chart]",)


def test_a_document_lists_what_was_not_read_with_that_of_files_in_it():
    inner = DocumentBuilder()
    inner.paragraph("Words.")
    inner.ledger.count("chart", "slide 2, left", 2)
    inner.ledger.count("picture")
    outer = DocumentBuilder()
    outer.paragraph("Words.")
    outer.ledger.count("chart", "page 1")
    outer.embed(inner.to_parsed("text/plain", "b.txt").document, 1, "b.pptx")
    assert outer.to_parsed("text/plain", "a.txt").document.not_read == (
        NotRead(
            code="chart",
            count=3,
            places=("page 1", "b.pptx: slide 2, left"),
            message="3 charts are not read: page 1, b.pptx: slide 2, left.",
        ),
        NotRead(
            code="picture", count=1, places=("b.pptx",), message="1 picture is not read: b.pptx."
        ),
    )
    assert list(outer.ledger.warnings()) == ["1 chart is not read: page 1. [chart]"]


def test_an_entry_names_the_first_places():
    ledger = Ledger()
    for n in range(30):
        ledger.count("picture", f"slide {n}")
    (entry,) = ledger.entries()
    assert entry.count == 30
    assert entry.places == tuple(f"slide {n}" for n in range(20))


def test_the_documentation_lists_every_code_and_no_other():
    lines = Path("docs/formats.md").read_text().partition("| code | counts |")[2].splitlines()[2:]
    table = [line.split("|")[1] for line in lines[: lines.index("")]]
    assert set(" ".join(table).replace("`", "").split()) == set(KINDS)
