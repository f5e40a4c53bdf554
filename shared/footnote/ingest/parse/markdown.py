"""Parses Markdown: keeps the text as written; finds headings, tables and front matter in it.

markdown-it-py recognises the blocks. Inline marks are only parsed in headings, which are short.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import (
    MAX_SECTIONS,
    MAX_TABLES,
    Heading,
    opening_title,
    sections,
    title,
)
from footnote.ingest.parse.characters import clean, decode, squeeze
from footnote.ingest.parse.formats import MARKDOWN
from footnote.ingest.parse.refusals import too_large
from footnote.model import Document, ParsedDocument, Table
from footnote.text.language import detect_language

_COMMENT = re.compile(
    r"(^ {0,3}(```+|~~~+).*?(?:^ {0,3}\2|\Z))|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL
)
MAX_LINES = 2_000_000  # of "- a" they take 70 s and 500 MB
_FENCES = ("---", "...")
_LONGEST_HEADING = 1_000  # characters; a longer one stays as it is written
_MOST_NESTED = 10  # blocks inside blocks; deeper ones have no tables
_KEPT = frozenset({"heading_open", "table_open"})
_RULES = ["table", "code", "fence", "blockquote", "hr", "list", "reference", "html_block"]
_SHOWN = frozenset({"text", "text_special", "code_inline", "image"})
_ESCAPED_BAR = re.compile(r"\\(?=\|)")
_PIPE = re.compile(r"(?<!\\)\|")
_INLINE = ["text", "backticks", "emphasis", "link", "image", "autolink", "html_inline", "escape"]


def parse(body: bytes, name: str) -> ParsedDocument:
    decoded, warnings = decode(body, name)
    text = _strip_comments(clean(decoded))
    if text.count("\n") > MAX_LINES:
        raise too_large(name, f"more than {MAX_LINES:,} lines")
    front, start = _front_matter(text)
    fields = properties.front_matter(front)
    blocks = _Blocks(text, start)
    headings = list(islice(blocks.headings(), MAX_SECTIONS))
    tables = tuple(islice(blocks.tables(), MAX_TABLES))
    text, headings, tables = _without_escapes(text, headings, tables)
    own = fields.get("title")
    titles = [str(own)] if isinstance(own, str | int | float) else []
    document = Document(
        title=title([*titles, *opening_title(headings)], name),
        media_type=MARKDOWN,
        language=detect_language(text),
        text=text,
        sections=sections(headings, len(text)),
        tables=tables,
        warnings=warnings,
    )
    return properties.add_metadata(ParsedDocument(document, {}), fields)


def _strip_comments(text: str) -> str:
    """Removes comments, which no reader sees. Those in code stay."""
    return _COMMENT.sub(lambda match: match[1] or "", text)


def _front_matter(text: str) -> tuple[str, int]:
    """Returns the lines between the marks of front matter, and the offset behind it."""
    lines = text.split("\n")
    if lines[0].rstrip(" \t") != _FENCES[0]:
        return "", 0
    for last, line in enumerate(lines[1:], start=1):
        if line.rstrip(" \t") in _FENCES:
            front = "\n".join(lines[1:last])
            return front, min(len(text), len("\n".join(lines[: last + 1])) + 1)
    return "", 0


def _without_escapes(
    text: str, headings: list[Heading], tables: tuple[Table, ...]
) -> tuple[str, list[Heading], tuple[Table, ...]]:
    """Takes the backslashes off the bars in cells, which a reader does not see."""
    escapes = [
        escape.start()
        for table in tables
        for escape in _ESCAPED_BAR.finditer(text, table.start, table.end)
    ]
    if not escapes:
        return text, headings, tables

    def moved(offset: int) -> int:
        return offset - bisect_left(escapes, offset)

    starts = [0, *(escape + 1 for escape in escapes)]
    pieces = [text[i:j] for i, j in zip(starts, [*escapes, len(text)], strict=True)]
    return (
        "".join(pieces),
        [(heading, level, moved(start)) for heading, level, start in headings],
        tuple(
            table.model_copy(update={"start": moved(table.start), "end": moved(table.end)})
            for table in tables
        ),
    )


class _State(StateBlock):
    """Stores only the needed tokens. A list of 2 MB has 4 million others, 2 GB of them."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = Token(ttype, tag, nesting, block=True)
        self.level -= nesting < 0
        token.level = self.level
        self.level += nesting > 0
        of_heading = ttype == "inline" and self.tokens and self.tokens[-1].type == "heading_open"
        if ttype in _KEPT or of_heading:
            self.tokens.append(token)
        return token


class _Blocks:
    """The blocks of a text from `start` on, as tokens with their lines."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        breaks = re.finditer("\n", text[start:])
        self._starts = [start, *(start + line_end.end() for line_end in breaks), len(text) + 1]
        self._inline = MarkdownIt("zero", {"maxNesting": _MOST_NESTED}).enable(_INLINE)
        markdown = MarkdownIt("zero", {"maxNesting": _MOST_NESTED})
        markdown.enable([*_RULES, "heading", "lheading"])
        state = _State(text[start:], markdown, {}, [])
        markdown.block.tokenize(state, 0, state.lineMax)
        self._tokens = state.tokens

    def headings(self) -> Iterator[Heading]:
        """Yields the headings of the document itself, without those in lists and quotations."""
        for opened, content in zip(self._tokens, self._tokens[1:], strict=False):
            if opened.type == "heading_open" and opened.level == 0 and opened.map:
                plain = self._plain(content.content)
                if plain:
                    yield plain, int(opened.tag[1:]), self._starts[opened.map[0]]

    def _plain(self, heading: str) -> str:
        """Returns a heading without emphasis, code marks, links and tags."""
        if len(heading) > _LONGEST_HEADING:
            return squeeze(heading)
        return squeeze(_shown(self._inline.parseInline(heading))) or squeeze(heading)

    def tables(self) -> Iterator[Table]:
        for token in self._tokens:
            if token.type == "table_open" and token.map:
                first, end = token.map
                lines = [self._line(n) for n in (first, *range(first + 2, end))]
                yield Table(
                    start=self._starts[first],
                    end=self._starts[end] - 1,
                    rows=tuple(map(_cells, lines)),
                )

    def _line(self, number: int) -> str:
        return self._text[self._starts[number] : self._starts[number + 1] - 1]


def _shown(tokens: Sequence[Token]) -> str:
    """Returns the visible text of a line. An image shows its description."""
    inside = (child for token in tokens for child in token.children or ())
    return "".join(child.content for child in inside if child.type in _SHOWN)


def _cells(row: str) -> tuple[str, ...]:
    """Returns the cells of a line, which may stand in a quotation.

    It splits the line itself: the tokens lack cells without a header.
    """
    stripped = row.lstrip("> \t").rstrip().removeprefix("|")
    cells = _PIPE.split(stripped)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return tuple(squeeze(cell.replace("\\|", "|")) for cell in cells)
