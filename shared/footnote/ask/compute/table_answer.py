"""Writes what a query of a table gives as a sentence that cites the rows it is made of."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.compute.charting import draw
from footnote.ask.compute.formula import show_number, show_result
from footnote.ask.compute.table_query import Result, Worked
from footnote.ask.compute.typed_table import Span, TableRow
from footnote.ask.guard.screen import drop_harmful
from footnote.ask.write.checker import Checker
from footnote.ask.write.quoted_places import pages_of
from footnote.model import Chart, Passage, Sentence, how_read
from footnote.text.quotes import unmark

MOST_SHOWN = 12  # results that a sentence names
MOST_LISTED = 24  # rows of a list
MOST_CITATIONS = 24
MOST_CITED = 6_000  # characters of all rows that are cited together
_NAMES = {"sum": "sum", "share": "share", "mean": "mean", "max": "largest", "min": "smallest"}
_NTH = {1: "", 2: "second ", 3: "third ", 4: "fourth ", 5: "fifth "}


class Cited(NamedTuple):
    """The number of the citation that holds each row, and how many rows there are."""

    numbers: Mapping[Span, int]
    of: int

    @property
    def citations(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.numbers.values()))


class Stated(NamedTuple):
    """A sentence with what was worked out, and a chart where that is several figures."""

    sentence: Sentence
    chart: Chart | None = None


def state(worked: Worked, likes: Mapping[str, Passage], checker: Checker) -> Stated | None:
    """Returns the sentence and its chart, or None.

    It is None where its rows cannot be cited, or a label is harmful.
    `likes` are passages by document, one of each document that has rows. A long list of rows is
    cited in part, and the sentence says so.
    """
    is_list = worked.query.operation == "rows"
    results = worked.results[: MOST_LISTED if is_list else MOST_SHOWN]
    if not results or not (is_list or all(each.figure is not None for each in results)):
        return None
    shown = [_show(each, worked) for each in results]
    following = [_show(worked.following, worked)] if worked.following else []
    column = worked.measure.label if worked.measure else ""
    labels = (
        column,
        worked.query.group_by,
        worked.query.join_on,
        *worked.tests,
        *shown,
        *following,
    )
    if drop_harmful(labels) != labels:
        return None
    rows = [row for each in results for row in each.rows]
    beside = worked.following.rows if worked.following else ()
    shown_rows = (*rows, *beside)
    scanned = _scanned(worked.looked_at, likes, checker)
    cited = cite_rows(shown_rows, likes, checker)
    if scanned and not _scanned(shown_rows, likes, checker):
        # One misread figure among those that were compared may have made the result wrong.
        cited = cite_rows((*shown_rows, scanned), likes, checker)
    if not cited.numbers:
        return None
    more = len(worked.results) + worked.more - len(results)
    more = 0 if worked.query.limit and worked.query.sort else more
    rest = f", then {following[0]}" if following else ""
    rest += f", and {more} more" if more > 0 else ""
    said = f" (the table says: {unmark(worked.unit_words)})" if worked.unit_words else ""
    listed = "; ".join(shown) + rest + said
    name = _name(worked, len(rows), cited)
    is_one = len(results) == 1 and not results[0].label
    how = f"{results[0].how} = " if results[0].how and is_one else ""
    sentence = Sentence(
        text=f"Computed from these figures ({name}): {how}{listed}.",
        citations=cited.citations,
        checked="confirmed",
        computed=(f"{listed}: {name}",),
    )
    figures = [show_figure(each.figure or Decimal(0), worked) for each in results]
    return Stated(sentence, draw(worked, results, figures, cited.numbers, name))


def _scanned(
    rows: Iterable[TableRow], likes: Mapping[str, Passage], checker: Checker
) -> TableRow | None:
    """Returns the first row that OCR has read."""
    opened = {name: checker.document_of(passage) for name, passage in likes.items()}
    scans = {name: each for name, each in opened.items() if how_read(each.pages) == "ocr"}
    if not scans:
        return None
    for row in rows:
        for span in row.spans:
            document = scans.get(span.document_id)
            if document and how_read(pages_of(document, span.start, span.end)) == "ocr":
                return row
    return None


def cite_rows(rows: Iterable[TableRow], likes: Mapping[str, Passage], checker: Checker) -> Cited:
    """Cites rows, those that follow each other as one quote, as far as the bounds allow."""
    spans = sorted({span for row in rows for span in row.spans})
    numbers: dict[Span, int] = {}
    room = 0
    for count, block in enumerate(_blocks(spans, likes, checker)):
        first, last = block[0], block[-1]
        room += last.end - first.start
        if count == MOST_CITATIONS or room > MOST_CITED:
            break
        cited = checker.cite_place(likes[first.document_id], first.start, last.end)
        if not cited:
            return Cited({}, len(spans))
        numbers |= dict.fromkeys(block, cited[0])
    return Cited(numbers, len(spans))


def _blocks(
    spans: Sequence[Span], likes: Mapping[str, Passage], checker: Checker
) -> list[list[Span]]:
    """Joins rows between which nothing stands, as long as they are short enough together."""
    texts = {name: checker.document_of(likes[name]).text for name in {s.document_id for s in spans}}
    blocks: list[list[Span]] = []
    for span in spans:
        last = blocks[-1][-1] if blocks else None
        if (
            last
            and last.document_id == span.document_id
            and not texts[span.document_id][last.end : span.start].strip()
            and span.end - blocks[-1][0].start <= MOST_CITED // 4
        ):
            blocks[-1].append(span)
        else:
            blocks.append([span])
    return blocks


def _name(worked: Worked, rows: int, cited: Cited) -> str:
    """Says what was worked out, of which rows, and how many of them are cited."""
    query, measure = worked.query, worked.measure
    column = f" of \u201c{unmark(measure.label)}\u201d" if measure else ""
    where = f" where {' and '.join(map(unmark, worked.tests))}" if worked.tests else ""
    by = f" by \u201c{unmark(query.group_by)}\u201d" if query.group_by else ""
    ranked = f"{_rank(worked)} " if query.limit and query.sort else ""
    if query.operation in {"max", "min"} and not query.group_by:
        name = f"{_rank(worked) if ranked else _NAMES[query.operation]}{column}"
        name += f", {worked.chosen} rows{where}"
    elif query.operation == "count":
        name = f"{ranked}count{by}: {worked.chosen} of {worked.all_rows} rows{where}"
    elif query.operation in {"rows", "share"}:
        kind = _NAMES.get(query.operation, "rows")
        name = f"{kind}{column}: {worked.chosen} of {worked.all_rows}{where}"
    else:
        rows = worked.chosen if ranked else rows
        name = f"{ranked}{_NAMES[query.operation]}{column}{by}, {rows} rows{where}"
    name += f", joined by \u201c{unmark(query.join_on)}\u201d" if query.join else ""
    lacking = sum(each.lacking for each in worked.results)
    name += f", {lacking} without a figure" if lacking else ""
    return f"{name}, {len(cited.numbers)} of them cited" if len(cited.numbers) < cited.of else name


def _rank(worked: Worked) -> str:
    """Says which of the sorted results are given: "largest", "second largest", "3 smallest"."""
    query = worked.query
    extreme = "largest" if query.sort == "largest first" else "smallest"
    many = f"{len(worked.results)} " if len(worked.results) > 1 else ""
    return f"{_NTH.get(query.first, f'{query.first}th ')}{many}{extreme}"


def _show(result: Result, worked: Worked) -> str:
    """Returns the label and the figure of a result, with its unit; of a list the cell itself."""
    label = unmark(result.label).strip()
    if label.endswith(")"):  # "June 30 (in thousands)", "Zone AOA (b)"
        label = label[: label.rfind("(")].rstrip() or label
    if result.figure is None:
        return ": ".join(filter(None, (label, unmark(result.text))))
    value = show_figure(result.figure, worked)
    return f"{label}: {value}" if label else value


def show_figure(figure: Decimal, worked: Worked) -> str:
    """Returns a figure of a query with the unit of its column."""
    if worked.measure is None or worked.query.operation == "count":
        return show_number(figure)
    if worked.query.operation == "share":
        return show_result("sum", figure, "%", 0)
    return show_result("sum", figure, worked.measure.unit, worked.measure.scale)
