"""Shows a report of `evals.retrieval`: figures with intervals, differences, what a search costs."""

from collections.abc import Mapping
from typing import NamedTuple

from evals.intervals import Estimate, Values, difference, estimate
from evals.judge import HEADLINES
from footnote.wire import Json


class Change(NamedTuple):
    """How a headline figure of one row differs from another's, over the same questions."""

    task: str
    row: str
    figure: str
    by: Estimate


def show(report: Json, earlier: Json | None, than: str) -> list[Change]:
    """Prints a report. Returns the headline figures that are certainly worse than earlier."""
    for name, task in report["tasks"].items():
        show_task(name, task, report)
    show_changes(f"headline figures less those of {than}", compare_rows(report, than))
    show_cost(report)
    if earlier is None:
        return []
    changes = compare(report, earlier)
    show_changes(f"headline figures less those of {earlier['about']['made']}", changes)
    if not changes:
        print("the reports have no question in common")
    return [change for change in changes if change.by.mark == "WORSE"]


def figures(task: Json) -> dict[str, dict[str, Estimate]]:
    """Returns each row's figures with their intervals."""
    return {
        row: {
            figure: estimate(values_of(scores, figure), task["groups"])
            for figure in next(iter(scores.values()))
        }
        for row, scores in task["scores"].items()
        if scores
    }


def values_of(scores: Mapping[str, Mapping[str, float]], figure: str) -> Values:
    return {question: found[figure] for question, found in scores.items()}


def uses_vectors(row: str, report: Json) -> str:
    """Says whether a row's searches embed the question: yes, no, or ? where nobody counted."""
    costs = [cost[row] for cost in report["cost"].values() if row in cost]
    if any(cost["embedded"] for cost in costs):
        return "yes"
    return "no" if row.startswith("bm25") or any(cost["cpu_ms"] for cost in costs) else "?"


def show_task(name: str, task: Json, report: Json) -> None:
    print(f"\n{name}: {task['questions']} questions, means and 95 % intervals")
    for at, (row, found) in enumerate(figures(task).items()):
        if not at:
            heads = "".join(f"{figure:<25}" for figure in found)
            print(f"  {'':<18}{'vectors':<9}{heads}".rstrip())
        cells = "".join(f"{show_estimate(one):<25}" for one in found.values())
        print(f"  {row:<18}{uses_vectors(row, report):<9}{cells}".rstrip())


def show_estimate(one: Estimate) -> str:
    return f"{one.mean:.3f} ({one.low:.3f} to {one.high:.3f})"


def compare_rows(report: Json, than: str) -> list[Change]:
    """Compares each task's rows with the one named `than`."""
    return [
        _change(name, row, task, scores, task["scores"][than])
        for name, task in report["tasks"].items()
        for row, scores in task["scores"].items()
        if than in task["scores"] and row != than
    ]


def compare(report: Json, earlier: Json) -> list[Change]:
    """Compares each row with the same one of an earlier report, over the questions of both."""
    found = []
    for name, task in report["tasks"].items():
        known = earlier["tasks"].get(name, {"scores": {}})["scores"]
        for row, scores in task["scores"].items():
            if scores.keys() & known.get(row, {}).keys():
                found.append(_change(name, row, task, scores, known[row]))
    return found


def _change(name: str, row: str, task: Json, new: Json, old: Json) -> Change:
    figure = HEADLINES[task["judge"]]
    by = difference(values_of(new, figure), values_of(old, figure), task["groups"])
    return Change(name, row, figure, by)


def show_changes(title: str, changes: list[Change]) -> None:
    if not changes:
        return
    print(f"\n{title}, paired by question (95 % intervals)")
    for one in changes:
        cell = "{:+.3f} ({:+.3f} to {:+.3f})".format(*one.by)
        print(f"  {one.task:<34}{one.row:<18}{one.figure:<9}{cell:<28}{one.by.mark}".rstrip())


def show_cost(report: Json) -> None:
    print("\nms a search, median and 95th percentile; of processor: the API's function alone")
    for shelf, rows in report["cost"].items():
        for row, cost in rows.items():
            took = "{:.1f} {:.1f}".format(*cost["took_ms"])
            cpu = "{:.1f} {:.1f}".format(*cost["cpu_ms"]) if cost["cpu_ms"] else ""
            print(f"  {shelf:<12}{row:<18}searches {cost['searches']:<6}took {took:<14}cpu {cpu}")
    for shelf, added in report["added"].items():
        ended = ", ".join(f"{count} {how}" for how, count in added["ended"].items())
        spent = f"{added['seconds']} s, of processor {added['cpu_seconds']} s"
        print(f"  {shelf:<12}added {ended}; {spent}")
