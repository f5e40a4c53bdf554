"""Makes a chart of what a query of a table gives: a bar or a point for each result."""

from collections.abc import Mapping, Sequence

from footnote.ask.compute.cells import is_time
from footnote.ask.compute.table_query import Result, Worked
from footnote.ask.compute.typed_table import Span
from footnote.model import (
    Chart,
    ChartAxis,
    ChartData,
    ChartDatum,
    ChartEncoding,
    VegaLite,
)
from footnote.text.quotes import unmark

MOST_POINTS = 40
LONGEST_LABEL = 60  # characters


def draw(
    worked: Worked,
    results: Sequence[Result],
    shown: Sequence[str],
    numbers: Mapping[Span, int],
    name: str,
) -> Chart | None:
    """Returns the chart of results, or None where there is nothing to compare.

    `shown` are the figures as readers see them, `numbers` the citations of rows. A result whose
    rows are all beyond the bound of citations is left out.
    """
    data = [
        _datum(result, text, numbers)
        for result, text in zip(results[:MOST_POINTS], shown[:MOST_POINTS], strict=True)
        if result.figure is not None
    ]
    if len(data) < 2 or not all(datum.citations for datum in data):
        return None
    is_line = all(is_time(datum.label) for datum in data)
    by = worked.query.group_by
    label = ChartAxis(field="label", type="nominal", title=unmark(by))
    column = worked.measure.label if worked.measure else "rows"
    value = ChartAxis(field="value", type="quantitative", title=unmark(column))
    encoding = ChartEncoding(x=label, y=value) if is_line else ChartEncoding(x=value, y=label)
    return Chart(
        spec=VegaLite(
            title=name[:1].upper() + name[1:],
            mark="line" if is_line else "bar",
            data=ChartData(values=tuple(data)),
            encoding=encoding,
        )
    )


def _datum(result: Result, shown: str, numbers: Mapping[Span, int]) -> ChartDatum:
    spans = [span for row in result.rows for span in row.spans]
    cited = dict.fromkeys(numbers[span] for span in spans if span in numbers)
    label = " ".join(unmark(result.label).split())[:LONGEST_LABEL]
    return ChartDatum(
        label=label, value=float(result.figure or 0), shown=shown, citations=tuple(cited)
    )
