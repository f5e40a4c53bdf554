"""The recordings in docs: each picture is drawn from the text beside it, and loads nothing.

tests/e2e/test_recording.py checks on a stack that the user's commands print this text.
"""

import re
from xml.etree import ElementTree as ET

import pytest

from local.recording import (
    COLUMNS,
    LABELS,
    OPERATED,
    OPERATING,
    OPERATING_PICTURE,
    PICTURE,
    SESSION,
    TEXT,
    draw,
    normalise,
    plain,
)

SHOWN = TEXT.read_text(encoding="utf-8")
OPERATED_SHOWN = OPERATING.read_text(encoding="utf-8")
NAMESPACE = "http://www.w3.org/2000/svg"
FIRST_SCREEN = 36


@pytest.fixture(params=[(TEXT, PICTURE), (OPERATING, OPERATING_PICTURE)], ids=["user", "operator"])
def recorded(request):
    text, picture = request.param
    return text, picture.read_text(encoding="utf-8")


def test_the_picture_is_drawn_from_the_text(recorded):
    text, svg = recorded
    assert draw(text.read_text(encoding="utf-8"), LABELS[text]) == svg


def test_the_operator_asks_what_the_recording_says_and_all_of_it_fits():
    lines = plain(OPERATED_SHOWN).splitlines()
    asked = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    assert len(asked) == len(OPERATED)
    for command, line in zip(OPERATED, asked, strict=True):
        assert re.fullmatch(re.escape(command).replace(r"\{question\}", "[0-9A-Za-z]+"), line)
    assert max(map(len, lines)) <= COLUMNS


def test_the_operator_sees_queues_steps_and_what_a_question_rests_on():
    shown = plain(OPERATED_SHOWN)
    for word in ("parse", "retrieve", "synthesize", "annual-report-2025.pdf", "READY"):
        assert word in shown


def test_the_text_is_the_session_and_fits_a_first_screen():
    lines = plain(SHOWN).splitlines()
    assert [line for line in lines if line.startswith("$ ")] == [f"$ {each}" for each in SESSION]
    assert max(map(len, lines)) <= COLUMNS
    assert len(lines) <= FIRST_SCREEN


def test_the_text_shows_a_checked_citation_and_a_refusal():
    assert "[1] ✓ annual-report-2025.pdf, page 2" in plain(SHOWN)
    assert "No passage with these words was found." in plain(SHOWN)


def test_the_picture_loads_nothing(recorded):
    _, svg = recorded
    elements = list(ET.fromstring(svg).iter())  # noqa: S314  # our own
    tags = {element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in elements}
    assert tags == {"svg", "title", "style", "defs", "clipPath", "rect", "text", "g", "circle"}
    assert not any("href" in name for element in elements for name in element.attrib)
    assert set(re.findall(r"url\(.", svg)) == {"url(#"}
    assert "@" not in svg  # no @font-face, no @import
    assert svg.count("://") == svg.count(NAMESPACE) == 1


def test_what_differs_from_run_to_run_is_not_in_the_text():
    assert normalise(SHOWN) == SHOWN.rstrip("\n")
    assert not re.search(r"\d m?s\b", plain(SHOWN))


def test_two_runs_are_alike():
    one = (
        "\x1b[?25l\x1b[32mREADY       b.md\x1b[0m\n            warning: 1 menu\n"
        "READY       a.md  \n\r\x1b[2K\x1b[?25h\n"
        "  found, 9 ms: in 2 s\n"
    )
    other = "READY       a.md\n\x1b[32mREADY       b.md\x1b[0m\n            warning: 1 menu\n"
    other += "\n  found, 1470.5 ms: in 2 s"
    assert normalise(one) == normalise(other)
    assert plain(normalise(one)).splitlines() == [
        "READY       a.md", "READY       b.md", "            warning: 1 menu", "",
        "  found, … ms: in 2 s",
    ]  # fmt: skip


def test_the_answer_in_the_readme_is_the_recorded_one():
    readme = TEXT.parents[1].joinpath("README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"<!-- answer:begin -->\n```text\n(.*?)```", readme, re.DOTALL)
    assert normalise(block).replace(".venv/bin/", "") in plain(SHOWN)
