"""Parses Markdown: keeps the text as written; finds headings, tables and front matter in it."""

import re
from collections.abc import Iterator, Sequence

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import Heading, opening_title, sections, title
from footnote.ingest.parse.characters import clean, decode, squeeze
from footnote.ingest.parse.formats import MARKDOWN
from footnote.model import Document, ParsedDocument, Table
from footnote.text.language import detect_language

type Line = tuple[int, int, str]  # start and end offset in the text, and the line itself

_FRONT = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(
    r"(^ {0,3}(```+|~~~+).*?(?:^ {0,3}\2|\Z))|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL
)
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_PIPE = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(
    r"!?\[([^\]]*)\]\([^)]*\)|[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}"
    r"|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|<[^>]+>"
)


def parse(body: bytes, name: str) -> ParsedDocument:
    decoded, warnings = decode(body, name)
    text = _strip_comments(clean(decoded))
    front = _FRONT.match(text)
    lines = list(_prose(text, front.end() if front else 0))
    headings = list(_headings(lines))
    titles = _FRONT_TITLE.findall(front[0])[:1] if front else []
    document = Document(
        title=title([*titles, *opening_title(headings)], name),
        media_type=MARKDOWN,
        language=detect_language(text),
        text=text,
        sections=sections(headings, len(text)),
        tables=tuple(_tables(lines)),
        warnings=warnings,
    )
    return properties.add_metadata(
        ParsedDocument(document, {}), properties.front_matter(front[1]) if front else {}
    )


def _strip_comments(text: str) -> str:
    """Removes comments, which no reader sees; those in code stay."""
    return _COMMENT.sub(lambda found: found[1] or "", text)


def _prose(text: str, start: int) -> Iterator[Line]:
    """Yields the lines that are not code; a fenced block becomes one empty line."""
    fence = ""
    for line in text[start:].split("\n"):
        end = start + len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
            yield start, end, ""
        else:
            yield start, end, line
        start = end + 1


def _headings(lines: Sequence[Line]) -> Iterator[Heading]:
    before: Line = (0, 0, "")
    for line in lines:
        start, _, written = line
        heading = _ATX.match(written)
        underline = _UNDERLINE.match(written)
        if heading and _plain(heading[2]):
            yield _plain(heading[2]), len(heading[1]), start
        elif underline and before[2].strip() and "|" not in before[2] and not _ATX.match(before[2]):
            yield _plain(before[2]), 1 if underline[1][0] == "=" else 2, before[0]
        before = line if not underline else (0, 0, "")


def _plain(heading: str) -> str:
    """Returns the heading without emphasis, code marks, links and tags."""
    return squeeze(_MARKS.sub(r"\1", heading)) or squeeze(heading)


def _tables(lines: Sequence[Line]) -> Iterator[Table]:
    first = 0
    while first < len(lines) - 1:
        last = first
        if "|" in lines[first][2] and "|" in lines[first + 1][2]:
            last = _end_of_table(lines, first)
        if last > first:
            rows = [_cells(line[2]) for line in (lines[first], *lines[first + 2 : last])]
            yield Table(start=lines[first][0], end=lines[last - 1][1], rows=tuple(rows))
        first = max(last, first + 1)


def _end_of_table(lines: Sequence[Line], first: int) -> int:
    """Returns the index after the table whose header is `first`, or `first` if there is none."""
    if not _DELIMITER.match(lines[first + 1][2]):
        return first
    last = first + 2
    while last < len(lines) and "|" in lines[last][2]:
        last += 1
    return last


def _cells(row: str) -> tuple[str, ...]:
    stripped = row.strip().removeprefix("|")
    cells = _PIPE.split(stripped)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return tuple(squeeze(cell.replace("\\|", "|")) for cell in cells)
