"""Writes the charts of ODF: title, titles of axes, and the table of their values."""

from collections.abc import Iterator

from footnote.ingest.parse.odf.xml import attribute, children, text_within
from footnote.ingest.parse.safe_xml import Element, local_name

_MOST_CELLS = 20_000  # of a chart's table
_TITLES = ("title", "subtitle", "footer")


def titles(chart: Element) -> Iterator[str]:
    """Yields the title of a chart, then those of its axes."""
    for title in children(chart, *_TITLES):
        yield text_within(title)
    for area in children(chart, "plot-area"):
        for axis in children(area, "axis"):
            for title in children(axis, "title"):
                yield text_within(title)


def values(chart: Element) -> list[list[str]]:
    """Returns the table that the chart holds itself: categories and series.

    A chart of a sheet shows cells that are in the sheet's text; of those it returns nothing.
    """
    if any(_is_of_sheet(series) for series in chart.iter("{*}series")):
        return []
    rows: list[list[str]] = []
    room = _MOST_CELLS
    for table in children(chart, "table"):
        for row in table.iter("{*}table-row"):
            cells = [_cell(cell) for cell in children(row, "table-cell")]
            room -= len(cells)
            if room < 0:
                break
            rows.append(cells)
    return rows


def _is_of_sheet(series: Element) -> bool:
    source = attribute(series, "values-cell-range-address")
    return bool(source) and not source.lstrip("$'").startswith("local-table")


def _cell(cell: Element) -> str:
    paragraphs = [text_within(each) for each in children(cell, "p")]
    shown = " ".join(filter(None, paragraphs)) or attribute(cell, "value")
    return "" if shown == "NaN" else shown


def find_chart(root: Element) -> Element | None:
    """Returns the chart in an embedded object: the inner one of two elements of that name."""
    for each in root.iter("{*}chart"):
        if any(local_name(child.tag) != "chart" for child in each):
            return each
    return None
