"""Shows a report of `evals.ask`: figures with intervals, reliability, differences."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from evals.intervals import Estimate, Values, difference, estimate
from evals.report import show_estimate
from footnote.wire import Json

BINS = 5  # of confidence, each as wide as the others
ALL = "all"


class Change(NamedTuple):
    """How a figure of one row differs from another's, over the same units."""

    part: str
    source: str
    row: str
    figure: str
    by: Estimate


def show(report: Json, earlier: Json | None) -> list[Change]:
    """Prints a report. Returns the figures of whole parts that are certainly worse than earlier."""
    for name, part in report["parts"].items():
        print(f"\n{name}: means and 95 % intervals")
        for source in (*part["sources"], ALL):
            _show_source(part, source)
        for row, replies in part["replies"].items():
            _show_reliability(row, replies)
    rows = [one for name, part in report["parts"].items() for one in compare_rows(name, part)]
    _show_changes("rows less the first one", rows)
    if earlier is None:
        return []
    changes = [
        one
        for name, part in report["parts"].items()
        if name in earlier["parts"]
        for one in compare(name, part, earlier["parts"][name])
    ]
    _show_changes(f"less those of {earlier['about']['made']}", changes)
    if not changes:
        print("the reports have no question in common")
    return [one for one in changes if one.by.mark == "WORSE" and one.source == ALL]


def values(part: Json, row: str, figure: str, source: str = ALL) -> Values:
    """Returns a figure of one source's questions, by unit. Hidden documents count by themselves."""
    mine = set(ids_of(part, source))
    groups = part["groups"]
    found: Mapping[str, float] = part["rows"][row].get(figure, {})
    return {unit: value for unit, value in found.items() if groups.get(unit, unit) in mine}


def ids_of(part: Json, source: str) -> Iterable[str]:
    """Returns the questions of a source, or of all but those whose documents are hidden."""
    if source != ALL:
        return list(part["sources"][source])
    return [
        name
        for other, ids in part["sources"].items()
        if other != "documents hidden"
        for name in ids
    ]


def _show_source(part: Json, source: str) -> None:
    print(f"  {source}: {len(list(ids_of(part, source)))} questions")
    for row, figures in part["rows"].items():
        told = []
        for figure in figures:
            if held := values(part, row, figure, source):
                told.append(f"{figure} {show_estimate(estimate(held, part['groups']))}")
                told[-1] += f" of {len(held)}"
        for at, line in enumerate(told):
            print(f"    {row if not at else '':<8}{line}")


def compare_rows(name: str, part: Json) -> list[Change]:
    """Compares each further row with the first one, over all questions of a part."""
    first, *others = part["rows"]
    return [one for row in others for one in _changes(name, (part, row), (part, first), (ALL,))]


def compare(name: str, part: Json, earlier: Json) -> list[Change]:
    """Compares each row with the same one of an earlier report: by source, and in all."""
    shown = (*part["sources"], ALL)
    rows = [row for row in part["rows"] if row in earlier["rows"]]
    return [one for row in rows for one in _changes(name, (part, row), (earlier, row), shown)]


def _changes(
    name: str, new_row: tuple[Json, str], old_row: tuple[Json, str], sources: Iterable[str]
) -> list[Change]:
    (part, row), (other, than) = new_row, old_row
    found = []
    for source in sources:
        for figure in part["rows"][row]:
            new, old = values(part, row, figure, source), {}
            if source == ALL or source in other["sources"]:
                old = dict(values(other, than, figure, source))
            groups = {**other["groups"], **part["groups"]}
            by = _between(new, old, groups)
            if by:
                found.append(Change(name, source, row, figure, by))
    return found


def _between(new: Values, old: Values, groups: Mapping[str, str]) -> Estimate | None:
    """Returns the difference of two means. Citations are not the same ones: means by question."""
    fresh, known = _by_question(new, groups), _by_question(old, groups)
    return difference(fresh, known, {}) if fresh.keys() & known.keys() else None


def _by_question(held: Values, groups: Mapping[str, str]) -> Values:
    each: dict[str, list[float]] = {}
    for unit, value in held.items():
        each.setdefault(groups.get(unit, unit), []).append(value)
    return {name: sum(some) / len(some) for name, some in each.items()}


def _show_changes(title: str, changes: list[Change]) -> None:
    if not changes:
        return
    print(f"\n{title}, paired by question (95 % intervals)")
    for one in changes:
        cell = "{:+.3f} ({:+.3f} to {:+.3f})".format(*one.by)
        what = f"{one.part}, {one.source}"
        print(f"  {what:<34}{one.row:<8}{one.figure:<22}{cell:<28}{one.by.mark}".rstrip())


# -- reliability ---------------------------------------------------------------------------------


class Bin(NamedTuple):
    """Questions of which the gate was about as sure: its mean, and how many had an answer."""

    of: int
    sure: float
    answerable: float


def reliability(replies: Mapping[str, Json]) -> tuple[float, float, list[Bin]]:
    """Returns the Brier score of the gate, that of the base rate, and the bins of its confidence.

    The event is that the question has an answer in its documents. Questions that ask back, and
    those that the plan answered itself, are left out.
    """
    known = [
        (one["gate"], one["right"] == "found")
        for one in replies.values()
        if one.get("gate") is not None and one["right"] != "clarify"
    ]
    if not known:
        return 0.0, 0.0, []
    rate = sum(right for _, right in known) / len(known)
    brier = sum((sure - right) ** 2 for sure, right in known) / len(known)
    bins = []
    for n in range(BINS):
        held = [one for one in known if min(BINS - 1, int(one[0] * BINS)) == n]
        if held:
            sure, right = (sum(each) / len(held) for each in zip(*held, strict=True))
            bins.append(Bin(len(held), sure, right))
    return brier, rate * (1 - rate), bins


def _show_reliability(row: str, replies: Mapping[str, Json]) -> None:
    brier, base, bins = reliability(replies)
    if not bins:
        return
    print(f"  confidence, {row}: Brier {brier:.3f}, of the base rate {base:.3f}")
    for one in bins:
        print(f"    said {one.sure:.2f}  had an answer {one.answerable:.2f}  of {one.of}")
