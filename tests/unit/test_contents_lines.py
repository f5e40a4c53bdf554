"""Entries of a table of contents say where something stands: they are no answer to what."""

import pytest

from footnote.ask.quote.lines import rank_lines
from footnote.ask.retrieve import retrieve
from footnote.model import CELL, Scope, SubQuestion
from footnote.text.sentences import sentences
from footnote.text.table_lines import contents_lines, read_lines
from tests.asking import ask
from tests.corpus import Corpus

ENTRIES = (
    "Before you ride | 1",
    "Charging the battery | 4",
    "Restarting the display | 4",
    "Item 1A | Care and storage | 12",
    "3.2 Warranty | 107",
)


def entries_of(*lines, header=""):
    text = "\n".join(lines)
    return sorted(contents_lines(read_lines(text, sentences(text), CELL, header)))


def test_titles_with_pages_that_rise_are_contents():
    assert entries_of(*ENTRIES) == [0, 1, 2, 3, 4]
    assert entries_of("Getting started", *ENTRIES, "All of it is online.") == [1, 2, 3, 4, 5]


def test_titles_with_a_date_and_rests_of_long_titles_are_contents_beside_others():
    dated = (
        "Rides from May to October 2022 | 1",
        "Rides of all depots from May to",
        "July 2023 | 1",
    )
    assert entries_of(*dated, *ENTRIES) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert entries_of(*dated) == []
    after = ("Rides in 2023 | 2", "Rides in 2022 | 1")  # figures that fall are not of the contents
    assert entries_of(*ENTRIES, "", *after) == [0, 1, 2, 3, 4]
    apart = ("First line.", "Second line.", "Third line.", "Fourth line.", "Fifth line.")
    assert entries_of(*ENTRIES[:3], *apart, *ENTRIES[3:]) == [0, 1, 2, 8, 9]


@pytest.mark.parametrize(
    "lines",
    [
        ENTRIES[:4],  # too few to tell
        (*ENTRIES[:4], "Warranty | 3"),  # a number falls
        ("Depot | Bikes", "Kiel | 3", "Bonn | 4", "Trier | 9", "Ulm | 12", "Jena | 20"),
        ("Kiel | 3 | 2", "Bonn | 4 | 3", "Trier | 9 | 4", "Ulm | 12 | 5", "Jena | 20 | 6"),
        ("Kiel | 3 %", "Bonn | 4 %", "Trier | 9 %", "Ulm | 12 %", "Jena | 20 %"),
        ("2019 | 3", "2020 | 4", "2021 | 9", "2022 | 12", "2023 | 20"),
    ],
)
def test_rows_of_figures_are_no_contents(lines):
    assert entries_of(*lines) == []


def test_a_header_of_pages_is_one_of_contents_and_another_is_not():
    assert entries_of(*ENTRIES, header="Title | Page") == [0, 1, 2, 3, 4]
    assert entries_of(*ENTRIES, header="Step | Minutes") == []


PAGES = {
    "guide.pdf": [
        "Contents\n\n" + "\n".join(ENTRIES),
        "Restarting the display\n\nHold the lower button for ten seconds to restart the display.",
    ]
}


def found(question):
    corpus = Corpus(PAGES)
    evidence = retrieve(SubQuestion(id="q1", text=question), Scope(tenant="acme"), (), corpus.ports)
    return [one.text for one in rank_lines(question, evidence)]


def test_an_answer_quotes_what_is_said_and_not_where():
    assert "Restarting the display | 4" not in found("How do I restart the display?")
    answer, _ = ask("How do I restart the display?", PAGES)
    assert [one.quote for one in answer.citations] == [
        "Hold the lower button for ten seconds to restart the display."
    ]


def test_a_question_for_a_page_is_answered_from_the_contents():
    assert "Restarting the display | 4" in found("On which page is restarting the display?")
