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
from footnote.model import Chart, Passage, Sentence
from footnote.text.quotes import unmark

MOST_SHOWN = 12  # results that a sentence names
MOST_CITATIONS = 24
MOST_CITED = 6_000  # characters of all rows that are cited together
_NAMES = {"sum": "sum", "mean": "mean", "max": "largest", "min": "smallest"}


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
    results = worked.results[:MOST_SHOWN]
    if not results or any(each.figure is None for each in results):
        return None
    shown = [_show(each, worked) for each in results]
    column = worked.measure.label if worked.measure else ""
    labels = (column, worked.query.group_by, *worked.tests, *shown)
    if drop_harmful(labels) != labels:
        return None
    rows = [row for each in results for row in each.rows]
    cited = cite_rows(rows, likes, checker)
    if not cited.numbers:
        return None
    more = len(worked.results) + worked.more - len(results)
    rest = f", and {more} more" if more > 0 else ""
    said = f" (the table says: {unmark(worked.unit_words)})" if worked.unit_words else ""
    listed = "; ".join(shown) + rest + said
    name = _name(worked, len(rows), cited)
    how = f"{results[0].how} = " if results[0].how and len(results) == 1 else ""
    sentence = Sentence(
        text=f"Computed from these figures ({name}): {how}{listed}.",
        citations=cited.citations,
        checked="confirmed",
        computed=(f"{listed}: {name}",),
    )
    figures = [show_figure(each.figure or Decimal(0), worked) for each in results]
    return Stated(sentence, draw(worked, results, figures, cited.numbers, name))


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
    if query.operation == "count":
        name = f"count{by}: {worked.chosen} of {worked.all_rows} rows{where}"
    elif query.operation in {"max", "min"} and not query.group_by:
        name = f"{_NAMES[query.operation]}{column}, {worked.chosen} rows{where}"
    else:
        name = f"{_NAMES.get(query.operation, 'rows')}{column}{by}, {rows} rows{where}"
    lacking = sum(each.lacking for each in worked.results)
    name += f", {lacking} without a figure" if lacking else ""
    return f"{name}, {len(cited.numbers)} of them cited" if len(cited.numbers) < cited.of else name


def _show(result: Result, worked: Worked) -> str:
    """Returns the label and the figure of a result, with its unit."""
    label = unmark(result.label).strip()
    if label.endswith(")"):  # "June 30 (in thousands)", "Zone AOA (b)"
        label = label[: label.rfind("(")].rstrip() or label
    value = show_figure(result.figure or Decimal(0), worked)
    return f"{label}: {value}" if label else value


def show_figure(figure: Decimal, worked: Worked) -> str:
    """Returns a figure of a query with the unit of its column."""
    if worked.measure is None:
        return show_number(figure)
    return show_result("sum", figure, worked.measure.unit, worked.measure.scale)
