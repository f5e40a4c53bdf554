"""Prints a report of days as tables: documents, questions by strategy, models, feedback."""

from collections.abc import Callable, Sequence

from rich.table import Table

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import headline, out
from footnote.wire import Json

OTHERS = ("asked_back", "direct", "closed", "running")
"""The fates that share the column "other"; --json has each."""

QUESTIONS: Sequence[tuple[str, Callable[[Json], str]]] = (
    ("asked", lambda row: f"{row['asked']:,}"),
    ("answered", lambda row: f"{row['fates']['answered']:,}"),
    ("nearest", lambda row: f"{row['fates']['nearest']:,}"),
    ("none", lambda row: f"{row['fates']['none']:,}"),
    ("failed", lambda row: f"{row['fates']['failed']:,}"),
    ("other", lambda row: f"{sum(row['fates'][name] for name in OTHERS):,}"),
    ("found", lambda row: "-" if row["found_share"] is None else f"{row['found_share']:.0%}"),
    ("checked", lambda row: f"{row['sentences']['checked']:,}"),
    ("unconfirmed", lambda row: f"{row['sentences']['unconfirmed']:,}"),
    ("removed", lambda row: f"{row['sentences']['removed']:,}"),
    ("degraded", lambda row: f"{row['degraded']:,}"),
    ("tokens", lambda row: f"{row['tokens']:,}"),
    ("usd", lambda row: f"{row['usd']:.4f}"),
    ("p50 s", lambda row: f"{row['seconds']['p50']:.1f}"),
    ("p95 s", lambda row: f"{row['seconds']['p95']:.1f}"),
)
"""The figures of a row of questions, and how each is shown."""


def print_report(report: Json) -> None:
    """Prints each list of a report as a table, and what the caller has used today."""
    out.print(headline(f"{report['tenant']}, {report['from']} to {report['to']} (UTC)"))
    _print("documents", ("day", "status", "code"), [
        ([row["day"], row["status"], row["code"]], [f"{row['count']:,}"])
        for row in report["documents"]
    ], ("count",))  # fmt: skip
    _print("questions", ("day", "strategy"), [
        ([row["day"], row["strategy"] or "no search"], [show(row) for _, show in QUESTIONS])
        for row in report["questions"]
    ], [name for name, _ in QUESTIONS])  # fmt: skip
    _print("models", ("day", "model"), [
        ([row["day"], row["model"] or "other"],
         [f"{row['calls']:,}", f"{row['tokens']:,}", f"{row['usd']:.4f}"])
        for row in report["models"]
    ], ("calls", "tokens", "usd"))  # fmt: skip
    _print("persons", ("person",), [
        ([row["person"] or "others"],
         [f"{row['asked']:,}", f"{row['tokens']:,}", f"{row['usd']:.4f}"])
        for row in report["persons"]
    ], ("asked", "tokens", "usd"))  # fmt: skip
    _print("feedback", ("day", "verdict"), [
        ([row["day"], row["verdict"]], [f"{row['count']:,}"]) for row in report["feedback"]
    ], ("count",))  # fmt: skip
    used = report["used_today"]
    line = f"used today by this key or person: {used['questions']:,} questions, ${used['usd']:.4f}"
    out.print(Text(line, style="dim"))


def _print(
    title: str,
    names: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Sequence[str]]],
    figures: Sequence[str],
) -> None:
    """Prints a table: `names` head its words, `figures` its numbers. Says so where it is empty."""
    out.print(Text(f"\n{title}", style="bold"))
    if not rows:
        out.print(Text("none", style="dim"))
        return
    table = Table(*names, box=None, pad_edge=False, header_style="dim")
    for figure in figures:
        table.add_column(figure, justify="right")
    for words, numbers in rows:
        table.add_row(*map(Text, words), *numbers)
    out.print(table)
