"""An answer as Markdown with footnotes. What documents say is escaped: it stays text."""

from footnote.ask.export.report import Piece, Report, Table
from footnote.text.escaping import escape

_TITLE = "# "


def to_markdown(report: Report) -> str:
    lines = [_TITLE + escape(report.question), ""]
    for block in report.blocks:
        if isinstance(block, Table):
            lines += [*_table(block), ""]
        else:
            said = (escape(one.text, first=n == 0) + _ending(one) for n, one in enumerate(block))
            lines += [" ".join(said), ""]
    lines += [f"_{escape(remark)}_\n" for remark in report.remarks]
    lines += [
        f"[^{note.n}]: {escape(note.place, first=True)}: “{escape(note.quote)}”"
        + (f" ({escape(note.remark)})" if note.remark else "")
        for note in report.notes
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _ending(piece: Piece) -> str:
    """Returns the footnotes of a sentence, and that nothing confirms it where that is so."""
    notes = "".join(f"[^{note}]" for note in piece.notes)
    return notes + (f" ({escape(piece.remark)})" if piece.remark else "")


def _table(table: Table) -> list[str]:
    width = len(table.rows[0].cells)
    lines = [_row(list(map(escape, table.header or [""] * width))), "|" + "---|" * width]
    for row in table.rows:
        *cells, last = map(escape, row.cells)
        lines.append(_row([*cells, f"{last}{_ending(row.piece)}"]))
    return lines


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
