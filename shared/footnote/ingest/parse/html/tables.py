"""Builds a table of HTML: cells that span rows or columns keep the others under their labels."""

from lxml import html

from footnote.ingest.parse.numerals import to_number

_MAX_COLUMNS = 50  # that a cell may span
_MAX_ROWS = 65_534  # that a cell may span: https://html.spec.whatwg.org/#attr-tdth-rowspan
_MOST_BLANKS = 1_000_000  # in one table, for spans; later ones have no effect


class Grid:
    """The rows of a table so far, each cell in its column."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.header_rows = 0
        self._kinds: set[str] = set()  # of the cells in the row: "td", "th"
        self._below: dict[int, int] = {}  # column → rows below that a cell above fills
        self._blanks = _MOST_BLANKS

    def start_row(self) -> None:
        """Ends the row before; counts it as a header if its cells and all rows above are."""
        if self._kinds == {"th"} and len(self.rows) == self.header_rows + 1:
            self.header_rows += 1
        if self.rows:
            self._leave_row()
        self._kinds.clear()
        self.rows.append([])

    def end(self) -> None:
        self.start_row()
        self.rows.pop()

    def add(self, cell: html.HtmlElement, text: str) -> None:
        if not self.rows:
            self.start_row()  # cells without a row
        row = self.rows[-1]
        while self._blanks > 0 and self._below.get(len(row), 0) > 0:
            self._blank(row, 1)
        columns = max(1, min(to_number(cell.get("colspan", ""), 1), _MAX_COLUMNS))
        down = to_number(cell.get("rowspan", ""), 1)
        down = _MAX_ROWS if down == 0 else min(down, _MAX_ROWS)
        if down > 1:
            # one more: the end of this row takes one off
            self._below.update(dict.fromkeys(range(len(row), len(row) + columns), down))
        row.append(text)
        self._blank(row, columns - 1)
        self._kinds.add(str(cell.tag))

    def _blank(self, row: list[str], columns: int) -> None:
        columns = min(columns, self._blanks)
        self._blanks -= columns
        row.extend([""] * columns)

    def _leave_row(self) -> None:
        if self._below:
            self._blanks -= len(self._below)
            left = {column: rows - 1 for column, rows in self._below.items() if rows > 1}
            self._below = left if self._blanks > 0 else {}


def is_data_table(table: html.HtmlElement) -> bool:
    """Tells whether a table holds data, instead of laying out a page.

    Tables for layout nest other tables, or hold whole articles in a cell.
    """
    if table.find(".//table") is not None or table.get("role") == "presentation":
        return False
    rows = table.findall(".//tr")
    return len(rows) > 1 and any(len(row) > 1 for row in rows)
