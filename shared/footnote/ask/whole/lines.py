"""The lines of a whole document, each with what it stands under: header, headings, lead-in."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from footnote.ask.check.table_labels import columns_of
from footnote.ask.quote.neighbours import begins_item, is_item
from footnote.ask.write.quoted_places import passage_at
from footnote.model import CELL, Document, Entry, Passage, ScoredSentence
from footnote.text.sentences import sentences
from footnote.text.table_lines import contents_lines, read_lines

LONGEST_CAPTION = 100  # characters of a line before a table that is its caption
RUN_IN = 3  # words of a heading that begins its paragraph's own line


class WholeLine(NamedTuple):
    """A sentence or row: its span, its text on one line, and what it stands under.

    `header` has the labels of its table's columns, `lead` the line that leads in its list. `opens`
    tells whether it is the first sentence of its paragraph.
    """

    start: int
    end: int
    text: str
    section: tuple[str, ...]
    header: str = ""
    group: str = ""
    lead: str = ""
    is_row: bool = False
    is_item: bool = False
    opens: bool = False


def lines_of(document: Document) -> Iterator[WholeLine]:
    """Yields the sentences and rows of a document in order, without headers and contents."""
    text, spans = document.text, sentences(document.text)
    lines = read_lines(text, spans, CELL)
    contents, tables = contents_lines(lines), _Tables(document)
    section_of, whole = _Sections(document), as_passage(document)
    lead, in_list, last_end, caption = "", False, 0, ""
    for n, line in enumerate(lines):
        if line.start < last_end:
            continue  # it stands with the words that begin its paragraph
        opens = "\n" in text[last_end : line.start] or not last_end
        last_end = line.end
        span = ScoredSentence(start=line.start, end=line.end, similarity=0, overlap=0)
        marked = not line.is_row and is_item(whole, span)
        if not marked:
            in_list = False
        elif not in_list:
            in_list = True
            before = lines[n - 1].text if n else ""
            lead = before if before.endswith(":") else ""
        table = tables.at(line.start)
        if n in contents or not line.text.strip("|-: ") or (not table and line.is_header):
            continue
        if not table:
            caption = line.text if len(line.text) <= LONGEST_CAPTION else ""
        elif line.start < table.body:
            continue
        end = line.end
        if opens and len(line.text.split()) <= RUN_IN and n + 1 < len(lines):
            following = lines[n + 1]  # "Batteries. One maker supplies them all."
            end = last_end = end if "\n" in text[end : following.start] else following.end
        yield WholeLine(
            line.start,
            end,
            " ".join(text[line.start : end].split()),
            section_of.at(line.start),
            table.header if table else line.header,
            line.group or (caption if table else ""),
            lead if marked else "",
            is_row=line.is_row or bool(table),
            is_item=marked and begins_item(whole, span),
            opens=opens,
        )


def as_passage(document: Document) -> Passage:
    """Returns all text of a document as one passage, of no stored version."""
    return Passage(
        document_id="", document="", collection="", version="", title=document.title, section=(),
        pages=(), start=0, end=len(document.text), text=document.text, score=0.0,
    )  # fmt: skip


def passage_of(entry: Entry, document: Document, start: int, end: int) -> Passage:
    """Returns a place of a stored document as a passage that can be cited."""
    like = as_passage(document).model_copy(update=entry.model_dump(exclude={"title"}))
    passage = passage_at(like, document, start, end)
    return passage.model_copy(update={"title": entry.title or document.title, "score": 1.0})


class _Placed(NamedTuple):
    body: int  # where the rows below the header begin
    header: str


class _Tables:
    """Finds the table at an offset."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._tables = sorted(document.tables, key=lambda table: table.start)
        self._starts = [table.start for table in self._tables]
        self._placed: dict[int, _Placed] = {}

    def at(self, offset: int) -> _Placed | None:
        n = bisect_right(self._starts, offset) - 1
        if n < 0 or offset >= self._tables[n].end:
            return None
        return self._place(n)

    def _place(self, n: int) -> _Placed:
        if n not in self._placed:
            table = self._tables[n]
            body = table.start
            for _ in range(table.header_rows):
                body = self._text.find("\n", body, table.end) + 1 or table.end
            self._placed[n] = _Placed(body, CELL.join(columns_of(table)))
        return self._placed[n]


class _Sections:
    """Finds the titles of the sections around an offset, outermost first."""

    def __init__(self, document: Document) -> None:
        sections = document.sections
        self._edges = sorted({0, *(s.start for s in sections), *(s.end for s in sections)})
        self._sections = sorted(sections, key=lambda section: section.level)
        self._titles: dict[int, tuple[str, ...]] = {}

    def at(self, offset: int) -> tuple[str, ...]:
        edge = self._edges[bisect_right(self._edges, offset) - 1]
        if edge not in self._titles:
            self._titles[edge] = tuple(
                section.title for section in self._sections if section.start <= edge < section.end
            )
        return self._titles[edge]
