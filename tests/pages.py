"""The documentation as tests read it: its pages, their code, tables and headings."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = {file.relative_to(ROOT).as_posix(): file.read_text() for file in FILES}
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def page(name):
    """Returns the text of a page: `page("errors")` is that of docs/errors.md."""
    return PAGES[f"docs/{name}.md"]


def blocks(text, *languages):
    """Returns the fenced blocks in these languages, or all blocks if none is given."""
    return [
        body for language, body in _FENCED.findall(text) if language in languages or not languages
    ]


def spans(text):
    """Returns what stands in backticks outside of fenced blocks."""
    return re.findall(r"`([^`\n]+)`", _FENCED.sub("", text))


def code(text):
    """Returns all code that may hold commands: spans, and lines of shell and text blocks."""
    lines = [line for block in blocks(text, "sh", "text") for line in block.splitlines()]
    return [*spans(text), *lines]


def all_code():
    return [(name, piece) for name, text in PAGES.items() for piece in code(text)]


def tables(text):
    """Returns every table as a list of rows, the heading first. A row is a list of cells."""
    found = []
    for lines in re.findall(r"(?:^\|.*\|\n)+", _FENCED.sub("", text) + "\n", re.MULTILINE):
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines.splitlines()]
        found.append([[cell.strip() for cell in row] for n, row in enumerate(rows) if n != 1])
    return found


def table(text, *heading):
    """Returns the rows of the tables whose heading begins with these cells."""
    return [
        row
        for found in tables(text)
        if tuple(found[0][: len(heading)]) == heading
        for row in found[1:]
    ]


def section(text, heading):
    """Returns the text under a heading, up to the next heading of its level or above."""
    marks = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    assert marks, heading
    rest = text[marks.end() :]
    end = re.search(rf"^#{{1,{len(marks[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def names(cells):
    """Returns the words in backticks in these cells."""
    return [name for cell in cells for name in spans(cell)]


def headings(text):
    return re.findall(r"^#+ (.+)$", _FENCED.sub("", text), re.MULTILINE)
