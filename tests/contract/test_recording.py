"""The recording in docs: the picture is drawn from the text beside it, and loads nothing.

tests/e2e/test_recording.py checks on a stack that the commands print this text.
"""

import re
from xml.etree import ElementTree as ET

from local.recording import COLUMNS, PICTURE, SESSION, TEXT, draw, normalise, plain

SHOWN = TEXT.read_text(encoding="utf-8")
SVG = PICTURE.read_text(encoding="utf-8")
NAMESPACE = "http://www.w3.org/2000/svg"
FIRST_SCREEN = 36


def test_the_picture_is_drawn_from_the_text():
    assert draw(SHOWN) == SVG


def test_the_text_is_the_session_and_fits_a_first_screen():
    lines = plain(SHOWN).splitlines()
    assert [line for line in lines if line.startswith("$ ")] == [f"$ {each}" for each in SESSION]
    assert max(map(len, lines)) <= COLUMNS
    assert len(lines) <= FIRST_SCREEN


def test_the_text_shows_a_checked_citation_and_a_refusal():
    assert "[1] ✓ annual-report-2025.pdf, page 2" in plain(SHOWN)
    assert "No passage with these words was found." in plain(SHOWN)


def test_the_picture_loads_nothing():
    elements = list(ET.fromstring(SVG).iter())  # noqa: S314  # our own
    tags = {element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in elements}
    assert tags == {"svg", "title", "style", "defs", "clipPath", "rect", "text", "g", "circle"}
    assert not any("href" in name for element in elements for name in element.attrib)
    assert set(re.findall(r"url\(.", SVG)) == {"url(#"}
    assert "@" not in SVG  # no @font-face, no @import
    assert SVG.count("://") == SVG.count(NAMESPACE) == 1


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
