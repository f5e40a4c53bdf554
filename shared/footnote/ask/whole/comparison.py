"""Writes what differs between documents that were read whole: a table with a citation to each side.

Code lays their lines beside each other and counts. Each cell is a line in its document's own words
and is checked. A model that has read them writes what matters above the table.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.whole.lines import WholeLine, lines_of, passage_of
from footnote.ask.whole.side_by_side import Pair, SideBySide, lay_beside, sections_of
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import BULLET, Claim
from footnote.model import CELL, Document, Entry, Note, Notes, Passage, Sentence
from footnote.text.language import detect_language
from footnote.text.own_language import OwnLanguage, counted, say
from footnote.text.terms import has_root, terms

MOST_LINES = 6_000  # of one document that are compared
MOST_ROWS = 60  # of one table
BY_ALIGNMENT = (
    "Compared by rules: lines are laid beside each other by their words, labels and headings. What"
    " both documents say in quite other words stands here as two lines, each of one document alone."
)
OF_TOPIC = "Only lines that have a word of \u201c{topic}\u201d or stand under one are compared."
CUT = "Of a document only the first {:,} lines are compared."
NOTHING = "\u2014"


type Key = tuple[str, str, int, int]
"""What no other passage has: `Passage.key`."""


class Compared(NamedTuple):
    """The first document beside one of the others."""

    names: tuple[str, str]
    laid: SideBySide


def all_lines(entry: Entry, document: Document, topic: str = "") -> list[Note]:
    """Returns the lines of a document, without its headings.

    Of a topic they are those that have a word of it, or stand under one that has.
    """
    lines = [line for line in lines_of(document) if not _is_heading(line, document)]
    if wanted := frozenset(terms(topic)):
        lines = [line for line in lines if _is_about(wanted, line)]
    lines = lines[:MOST_LINES]
    return [
        Note(
            passage=passage_of(entry, document, line.start, line.end),
            why="line",
            name=line.header if line.is_row else "",
        )
        for line in lines
    ]


def _is_about(wanted: frozenset[str], line: WholeLine) -> bool:
    said = frozenset(terms(" ".join((line.text, line.header, line.group, *line.section[-1:]))))
    return any(has_root(word, said) for word in wanted)


def _is_heading(line: WholeLine, document: Document) -> bool:
    text = line.text.casefold().strip("# ")
    titles = (*line.section[-1:], document.title)
    return text in {" ".join(title.casefold().split()) for title in titles}


def compare(ids: Sequence[str], batches: Sequence[Notes]) -> list[Compared]:
    """Lays the first document beside each of the others, of those that have text."""
    sides: dict[str, list[Note]] = {name: [] for name in ids}
    for batch in batches:
        for note in batch.notes:
            sides.setdefault(note.passage.document_id, []).append(note)
    first, *others = [notes for notes in sides.values() if notes] or [[]]
    if not others:
        return []
    language = detect_language(" ".join(note.passage.text for note in first[:50]))
    return [
        Compared(_names(first[0], notes[0]), lay_beside(first, notes, language)) for notes in others
    ]


def _names(left: Note, right: Note) -> tuple[str, str]:
    """Returns what both documents are called: their file names, or paths where these are equal."""
    paths = [note.passage.document for note in (left, right)]
    names = [path.rpartition("/")[2] for path in paths]
    one, other = names if names[0] != names[1] else paths
    return one, other


# -- what is said of it ----------------------------------------------------------------------------


def say_differences(compared: Compared, own: OwnLanguage = "en") -> str:
    """Says how many lines differ, and how many stand in one document alone."""
    (one, other), laid = compared.names, compared.laid
    of_values = sum(pair.is_of_values for pair in laid.pairs)
    worded = sum(bool(pair.kinds) for pair in laid.pairs) - of_values
    only = [pair for pair in laid.pairs if not pair.kinds]
    left = sum(pair.left is not None for pair in only)
    values = {"one": one, "other": other, "same": laid.same}
    if not laid.pairs:
        return say(own, "{one} and {other} say the same in all {same} lines.", **values)
    saying = (
        "{one} and {other}, laid beside each other: {values} with another figure, date, name or"
        " limit, {worded} in other words, {left} only in {one}, {right} only in {other}, {same} the"
        " same."
    )
    lines, right = counted(own, of_values, "line"), len(only) - left
    return say(own, saying, values=lines, worded=worded, left=left, right=right, **values)


def rows_of(compared: Compared, checker: Checker, numbers: Mapping[Key, int]) -> Iterator[Sentence]:
    """Yields the table's rows: other values first, then lines of one side, then other words."""
    pairs = compared.laid.pairs
    only = [pair for pair in pairs if not pair.kinds]
    ordered = [
        *((pair, 1) for pair in pairs if pair.is_of_values),
        *sections_of([pair for pair in only if pair.left]),
        *sections_of([pair for pair in only if pair.right]),
        *((pair, 1) for pair in pairs if pair.kinds and not pair.is_of_values),
    ]
    if ordered:
        yield Sentence(text=_row("", *compared.names))
    rows = (row for pair, lines in ordered if (row := _compared_row(pair, lines, checker, numbers)))
    for n, row in enumerate(rows):
        if n == MOST_ROWS:
            yield Sentence(text=f"The first {MOST_ROWS} of {len(ordered)} rows are shown.")
            return
        yield row


def _compared_row(
    pair: Pair, lines: int, checker: Checker, numbers: Mapping[Key, int]
) -> Sentence | None:
    """Returns a row with both sides; None where a document is gone by now, or guards refuse it."""
    notes = (pair.left, pair.right)
    sides = [_quote(note, checker, numbers) if note else None for note in notes]
    quoted = [side for side in sides if side]
    if len(quoted) < sum(note is not None for note in notes):
        return None
    texts = [_cell(side.text) if side else NOTHING for side in sides]
    return Sentence(
        text=_row(_label(pair, lines), *texts),
        citations=tuple(n for side in quoted for n in side.citations),
        checked="exact" if all(side.checked == "exact" for side in quoted) else "confirmed",
    )


def _quote(note: Note, checker: Checker, numbers: Mapping[Key, int]) -> Sentence | None:
    line = " ".join(note.passage.text.split())
    number = numbers[note.passage.key]
    for text in dict.fromkeys((BULLET.sub("", line).lstrip("# "), line)):
        quoted = checker.check(Claim(unmark_quote(text), (number,)))
        if isinstance(quoted, Sentence):
            return quoted
    return None


def _label(pair: Pair, lines: int) -> str:
    """Returns what a row is about: heading and row label, and what differs."""
    note = pair.left or pair.right
    if note is None:
        return ""
    heading = note.passage.section[-1] if note.passage.section else ""
    text = " ".join(note.passage.text.split())
    row = text.strip("| ").partition(CELL)[0] if CELL in text else ""
    about = " \u203a ".join(_cell(one) for one in (heading, row) if one)
    more = ", ".join(pair.kinds) or (f"{lines} lines, this is the first" if lines > 1 else "")
    return f"{about} ({more})".strip() if more else about


def _cell(text: str) -> str:
    return "; ".join(cell.strip() for cell in text.strip("| ").split("|"))


def _row(*cells: str) -> str:
    return f"| {CELL.join(cells)} |"


# -- what it rests on ------------------------------------------------------------------------------


def is_cut(batches: Sequence[Notes]) -> bool:
    """Tells whether a document has more lines than are compared."""
    lines = Counter(note.passage.document_id for batch in batches for note in batch.notes)
    return max(lines.values(), default=0) >= MOST_LINES


def passages_of(compared: Sequence[Compared]) -> dict[int, Passage]:
    """Returns the passages of all lines that differ, by number."""
    notes = (
        note
        for each in compared
        for pair in each.laid.pairs
        for note in (pair.left, pair.right)
        if note
    )
    by_key = {note.passage.key: note.passage for note in notes}
    return dict(enumerate(by_key.values(), 1))
