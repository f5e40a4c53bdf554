"""What `footnote top` prints: a table for people, and Prometheus' text format for programs.

The format is https://prometheus.io/docs/instrumenting/exposition_formats/ version 0.0.4.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from footnote.cli.plain_text import PlainText

if TYPE_CHECKING:
    from rich.table import Table

    from footnote.wiring.overview import Overview
    from footnote.wiring.overview_figures import Figures

HELP = {
    "footnote_queue_messages": "Messages of a queue, by what becomes of them",
    "footnote_documents_at_work": "Documents that are neither READY nor given up",
    "footnote_oldest_document_seconds": "Seconds since the oldest of them came",
    "footnote_running_executions": "Executions of a state machine that run now",
    "footnote_questions_today": "Questions since midnight UTC",
    "footnote_step_at_once": "Calls of a step that were at work together, at most, in 5 minutes",
    "footnote_step_calls": "Calls of a step in 5 minutes",
    "footnote_step_failed": "Calls of a step that failed in 5 minutes",
    "footnote_step_ms": "Mean milliseconds of a step's calls in 5 minutes",
    "footnote_tokens_today": "Tokens of a model's provider since midnight UTC",
    "footnote_domain_health": "1 for the domain's colour in 5 minutes, at its worst",
    "footnote_domain_free_mib": "Free disk of the domain's fullest node, in MiB",
    "footnote_domain_jvm_percent": "How full the heap of the domain's fullest node is",
    "footnote_usd_today": "Dollars since midnight UTC, with what running questions may cost",
}
"""Every metric is a gauge: what is counted by functions goes to CloudWatch."""
type Labels = Mapping[str, str]


def samples(seen: "Overview") -> Iterator[tuple[str, Labels, float]]:
    """Yields each metric's name, labels and value, those of a name together."""
    for queue, state in seen.queues.items():
        for kind, count in state.model_dump().items():
            yield "footnote_queue_messages", {"queue": queue, "state": kind}, count
    for status, work in seen.documents.items():
        yield "footnote_documents_at_work", {"status": status.lower()}, work.documents
    for status, work in seen.documents.items():
        oldest = work.oldest_seconds
        yield "footnote_oldest_document_seconds", {"status": status.lower()}, oldest
    for machine, count in seen.runs.items():
        yield "footnote_running_executions", {"machine": machine}, count
    yield "footnote_questions_today", {}, seen.today.questions
    yield "footnote_usd_today", {}, seen.today.usd
    if seen.figures:
        yield from _figures(seen.figures)


def _figures(seen: "Figures") -> Iterator[tuple[str, Labels, float]]:
    for kind in ("at_once", "calls", "failed", "ms"):
        for step, state in seen.steps.items():
            if (value := getattr(state, kind)) is not None:
                yield f"footnote_step_{kind}", {"step": step}, value
    for provider, count in seen.tokens.items():
        yield "footnote_tokens_today", {"provider": provider}, count
    if domain := seen.domain:
        yield "footnote_domain_health", {"colour": domain.health}, 1
        for kind in ("free_mib", "jvm_percent"):
            if (value := getattr(domain, kind)) is not None:
                yield f"footnote_domain_{kind}", {}, value


def exposition(seen: "Overview") -> str:
    """Returns Prometheus' text. No label has a character that must be escaped."""
    lines, last = [], ""
    for name, labels, value in samples(seen):
        if name != last:
            lines += [f"# HELP {name} {HELP[name]}", f"# TYPE {name} gauge"]
            last = name
        inner = ",".join(f'{key}="{one}"' for key, one in labels.items())
        lines.append(f"{name}{{{inner}}} {value}" if inner else f"{name} {value}")
    return "\n".join(lines) + "\n"


def overview_table(seen: "Overview") -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("queue", "waiting", "at work", "put off", "dead letters"):
        table.add_column(heading, justify="left" if heading == "queue" else "right")
    for queue, state in seen.queues.items():
        counts = (state.waiting, state.at_work, state.put_off, state.dead)
        style = "red" if state.dead else ""
        table.add_row(queue, *(f"{count:,}" for count in counts), style=style)
    return table


def steps_table(seen: "Figures") -> "Table":
    """Returns the steps that were called in the last five minutes."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("step, in 5 minutes", "at once", "calls", "failed", "ms"):
        table.add_column(heading, justify="left" if heading.startswith("step") else "right")
    for step, state in seen.steps.items():
        if state.calls or state.at_once:
            took = "" if state.ms is None else f"{state.ms:,.0f}"
            cells = (f"{state.at_once:,}", f"{state.calls:,}", f"{state.failed:,}", took)
            table.add_row(step, *cells, style="red" if state.failed else "")
    return table


def figure_lines(seen: "Figures") -> Iterator[PlainText]:
    for provider, count in seen.tokens.items():
        yield PlainText(f"today (UTC): {count:,} tokens of {provider}")
    if domain := seen.domain:
        free = "" if domain.free_mib is None else f", {domain.free_mib:,.0f} MiB of disk free"
        jvm = "" if domain.jvm_percent is None else f", heap {domain.jvm_percent:.0f} % full"
        yield PlainText(f"domain: {domain.health}{free}{jvm}")
    else:
        yield PlainText("domain: none of this stack's own that CloudWatch knows")


def overview_lines(seen: "Overview") -> Iterator[PlainText]:
    """Yields the lines below the table."""
    for status, work in seen.documents.items():
        line = f"{status}: {work.documents:,}, the oldest for {work.oldest_seconds:,.0f} s"
        yield PlainText(line)
    if not seen.documents:
        yield PlainText("no document is at work")
    if seen.more:
        yield PlainText("there are more documents at work, which are not counted")
    for machine, count in seen.runs.items():
        yield PlainText(f"{machine}: {count} running" if count else f"{machine}: none running")
    today = seen.today
    yield PlainText(f"today (UTC): {today.questions:,} questions, ${today.usd:.4f}")
