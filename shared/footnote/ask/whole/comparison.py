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
from footnote.ask.whole.topic import read_topic
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import BULLET, Claim
from footnote.model import CELL, Document, Entry, Note, Notes, Passage, Sentence, Whole
from footnote.text.language import detect_language
from footnote.text.own_language import OwnLanguage, counted, say
from footnote.text.terms import has_root, terms

MOST_LINES = 6_000  # of one document that are compared
MOST_ROWS = 60  # of one table
BY_ALIGNMENT = (
    "Compared by rules: lines are laid beside each other by their words, labels and headings. What"
    " both documents say in quite other words stands here as two lines, each of one document alone."
)
OF_TOPIC = (
    "Only lines that have the words of \u201c{topic}\u201d or stand under them are compared; of a"
    " document without such lines, those with one of the words. What says the same in other words"
    " is not found."
)
SILENT = "{name} does not say anything about \u201c{topic}\u201d."
ONE_SPEAKS = "Of what is compared only {one} speaks of \u201c{topic}\u201d: {lines}."
CUT = "Of a document only the first {:,} lines are compared."
NOTHING = "\u2014"


type Key = tuple[str, str, int, int]
"""What no other passage has: `Passage.key`."""


class Compared(NamedTuple):
    """The first document beside one of the others; beside none where it alone speaks of a topic."""

    names: tuple[str, str]
    laid: SideBySide


def all_lines(entry: Entry, document: Document, topic: str = "") -> list[Note]:
    """Returns the lines of a document, without its headings.

    Of a topic they are those that have its words or stand under them. Where none has all, they are
    those with one of them.
    """
    lines = [line for line in lines_of(document) if not _is_heading(line, document)]
    asked = read_topic(topic)
    if wanted := asked.words | asked.figures:
        shares = [_share_of(wanted, line) for line in lines]
        least = 1.0 if 1.0 in shares else max(shares, default=0.0) and 1 / len(wanted)
        lines = [line for line, share in zip(lines, shares, strict=True) if share >= least > 0]
    lines = lines[:MOST_LINES]
    return [
        Note(
            passage=passage_of(entry, document, line.start, line.end),
            why="line",
            name=line.header if line.is_row else "",
        )
        for line in lines
    ]


def _share_of(wanted: frozenset[str], line: WholeLine) -> float:
    """Returns the share of a topic's words that a line has, or what it stands under."""
    said = frozenset(terms(" ".join((line.text, line.header, line.group, *line.section[-1:]))))
    return sum(has_root(word, said) for word in wanted) / len(wanted)


def _is_heading(line: WholeLine, document: Document) -> bool:
    text = line.text.casefold().strip("# ")
    titles = (*line.section[-1:], document.title)
    return text in {" ".join(title.casefold().split()) for title in titles}


def compare(whole: Whole, batches: Sequence[Notes]) -> list[Compared]:
    """Lays the first document beside each of the others, of those that have text.

    Where one alone has lines about a topic, it stands beside the first of those that were compared.
    """
    sides: dict[str, list[Note]] = {name: [] for name in whole.compared}
    for batch in batches:
        for note in batch.notes:
            sides.setdefault(note.passage.document_id, []).append(note)
    first, *others = [name for name, notes in sides.items() if notes] or [""]
    if not first or not (others or whole.topic):
        return []
    names = names_of(whole, batches)
    others = others or [name for name in names if name != first][:1]
    if not others:
        return []
    language = detect_language(" ".join(note.passage.text for note in sides[first][:50]))
    return [
        Compared((names[first], names[other]), lay_beside(sides[first], sides[other], language))
        for other in others
    ]


def names_of(whole: Whole, batches: Sequence[Notes]) -> dict[str, str]:
    """Returns what compared documents are called, by id: file names, or paths where two are equal.

    A question that an earlier version planned has no paths of those without a line.
    """
    paths = dict(zip(whole.compared, whole.called, strict=False))
    for batch in batches:
        paths |= {note.passage.document_id: note.passage.document for note in batch.notes}
    files = [path.rpartition("/")[2] for path in paths.values()]
    names = files if len(set(files)) == len(files) else list(paths.values())
    return dict(zip(paths, names, strict=True))


def silent_in(whole: Whole, batches: Sequence[Notes]) -> list[str]:
    """Returns what those compared documents are called that were read and have no line."""
    speaking = {note.passage.document_id for batch in batches for note in batch.notes}
    shares = {one for batch in batches for one in batch.read}
    found = Counter((one.document_id, one.of) for one in shares)
    read = {document_id for (document_id, of), number in found.items() if number == of}
    return [name for one, name in names_of(whole, batches).items() if one in read - speaking]


# -- what is said of it ----------------------------------------------------------------------------


def say_silence(silent: Sequence[str], topic: str, own: OwnLanguage = "en") -> str:
    """Says which documents have nothing about a topic: a sentence each."""
    return " ".join(say(own, SILENT, name=name, topic=topic) for name in silent)


def say_differences(compared: Compared, topic: str = "", own: OwnLanguage = "en") -> str:
    """Says how many lines differ, and how many stand in one document alone."""
    (one, other), laid = compared.names, compared.laid
    of_values = sum(pair.is_of_values for pair in laid.pairs)
    worded = sum(bool(pair.kinds) for pair in laid.pairs) - of_values
    only = [pair for pair in laid.pairs if not pair.kinds]
    left = sum(pair.left is not None for pair in only)
    values = {"one": one, "other": other, "same": laid.same}
    if topic and left == len(laid.pairs) and not laid.same:
        return say(own, ONE_SPEAKS, one=one, topic=topic, lines=counted(own, left, "line"))
    if not laid.pairs and laid.same == 1:
        return say(own, "{one} and {other} say the same in one line.", **values)
    if not laid.pairs:
        return say(own, "{one} and {other} say the same in all {same} lines.", **values)
    saying = (
        "{one} and {other}, laid beside each other: {values} with another figure, date, name or"
        " limit, {worded} in other words, {left} only in {one}, {right} only in {other}, {same} the"
        " same."
    )
    lines, right = counted(own, of_values, "line"), len(only) - left
    return say(own, saying, values=lines, worded=worded, left=left, right=right, **values)


def rows_of(
    compared: Compared,
    checker: Checker,
    numbers: Mapping[Key, int],
    topic: str = "",
    own: OwnLanguage = "en",
) -> Iterator[Sentence]:
    """Yields the table's rows: other values first, then lines of one side, then other words.

    Of a topic each line is shown, also those that say the same.
    """
    pairs = compared.laid.pairs
    only = [pair for pair in pairs if not pair.kinds]
    alone = ([pair for pair in only if pair.left], [pair for pair in only if pair.right])
    each = [[(pair, 1) for pair in side] if topic else [*sections_of(side)] for side in alone]
    ordered = [
        *((pair, 1) for pair in pairs if pair.is_of_values),
        *each[0],
        *each[1],
        *((pair, 1) for pair in pairs if pair.kinds and not pair.is_of_values),
        *((pair, 1) for pair in (compared.laid.equal if topic else ())),
    ]
    if ordered:
        yield Sentence(text=_row("", *compared.names))
    rows = (
        row for pair, lines in ordered if (row := _compared_row(pair, lines, checker, numbers, own))
    )
    for n, row in enumerate(rows):
        if n == MOST_ROWS:
            yield Sentence(text=f"The first {MOST_ROWS} of {len(ordered)} rows are shown.")
            return
        yield row


def _compared_row(
    pair: Pair, lines: int, checker: Checker, numbers: Mapping[Key, int], own: OwnLanguage
) -> Sentence | None:
    """Returns a row with both sides; None where a document is gone by now, or guards refuse it."""
    notes = (pair.left, pair.right)
    sides = [_quote(note, checker, numbers) if note else None for note in notes]
    quoted = [side for side in sides if side]
    if len(quoted) < sum(note is not None for note in notes):
        return None
    texts = [_cell(side.text) if side else NOTHING for side in sides]
    return Sentence(
        text=_row(_label(pair, lines, own), *texts),
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


def _label(pair: Pair, lines: int, own: OwnLanguage) -> str:
    """Returns what a row is about: heading and row label, and what differs."""
    note = pair.left or pair.right
    if note is None:
        return ""
    heading = note.passage.section[-1] if note.passage.section else ""
    text = " ".join(note.passage.text.split())
    row = text.strip("| ").partition(CELL)[0] if CELL in text else ""
    about = " \u203a ".join(_cell(one) for one in (heading, row) if one)
    many = say(own, "{lines} lines, this is the first", lines=str(lines)) if lines > 1 else ""
    more = ", ".join(say(own, kind) for kind in pair.kinds) or many
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


def passages_of(compared: Sequence[Compared], topic: str = "") -> dict[int, Passage]:
    """Returns the passages of all lines that are shown, by number."""
    notes = (
        note
        for each in compared
        for pair in (*each.laid.pairs, *(each.laid.equal if topic else ()))
        for note in (pair.left, pair.right)
        if note
    )
    by_key = {note.passage.key: note.passage for note in notes}
    return dict(enumerate(by_key.values(), 1))
