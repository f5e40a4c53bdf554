"""Shows a report of `evals.wording`: what became of true and false sentences, and of forms."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from evals.intervals import Estimate, Values, difference
from evals.metrics import Share
from evals.wording_fates import LOST, NOT_SHOWN, UNCONFIRMED
from footnote.wire import Json


class Figure(NamedTuple):
    """A share: of which units, whether more is better, and the bound that is wanted of some rows.

    `of` returns 1 or 0 for each unit of a row.
    """

    name: str
    of: Callable[[Json, Json], Values]
    more: bool
    goals: Mapping[str, float]


class Change(NamedTuple):
    """How a figure of a row differs from an earlier report's, over the same units."""

    row: str
    figure: Figure
    by: Estimate

    @property
    def mark(self) -> str:
        if not self.by.is_certain:
            return ""
        return "better" if (self.by.mean > 0) == self.figure.more else "WORSE"


def is_shown(fate: str) -> bool:
    return fate not in NOT_SHOWN


def is_passed_by_rules(fate: str) -> bool:
    return fate == "exact" or fate.endswith(" by rules")


def is_confirmed_by_judge(fate: str) -> bool:
    return is_shown(fate) and fate != UNCONFIRMED and not is_passed_by_rules(fate)


def sentences_that(holds: Callable[[str], bool], *, true: bool) -> Callable[[Json, Json], Values]:
    """Returns what reads from a row which true, or which false, sentences have such a fate."""

    def read(sentences: Json, row: Json) -> Values:
        return {
            name: float(holds(fate))
            for name, fate in row["fates"].items()
            if sentences[name]["true"] is true
        }

    return read


def _silent(_: Json, row: Json) -> Values:
    return {name: float(silent) for name, silent in row["says_nothing"].items()}


def _kept(_: Json, row: Json) -> Values:
    return {name: float(form["kept"] == form["of"]) for name, form in row["forms"].items()}


def _scraps(_: Json, row: Json) -> Values:
    return {name: float(bool(form["scraps"])) for name, form in row["forms"].items()}


WITHOUT_A_YES = ("none", "no")
EVERY = (*WITHOUT_A_YES, "mended", "yes", "model")
FIGURES = (
    Figure(
        "true: shown as written",
        sentences_that(is_shown, true=True),
        more=True,
        goals={"yes": 0.95},
    ),
    Figure(
        "true: told, by its own or the passage's words",
        sentences_that(lambda fate: fate != LOST, true=True),
        more=True,
        goals=dict.fromkeys(WITHOUT_A_YES, 1.0),
    ),
    Figure(
        "questions: the documents do not say", _silent, more=False, goals=dict.fromkeys(EVERY, 0.0)
    ),
    Figure(
        "false: passed by rules alone",
        sentences_that(is_passed_by_rules, true=False),
        more=False,
        goals=dict.fromkeys(EVERY, 0.0),
    ),
    Figure(
        "false: confirmed by a judge",
        sentences_that(is_confirmed_by_judge, true=False),
        more=False,
        goals={"yes": 0.4},
    ),
    Figure(
        "false: shown at all",
        sentences_that(is_shown, true=False),
        more=False,
        goals={"model": 0.1},
    ),
    Figure("forms: keep all sentences", _kept, more=True, goals=dict.fromkeys(EVERY, 0.95)),
    Figure("forms: show scraps", _scraps, more=False, goals=dict.fromkeys(EVERY, 0.0)),
)


def show(report: Json, earlier: Json | None, *, why: bool) -> list[Change]:
    """Prints a report. Returns the figures that are certainly worse than an earlier report's."""
    for name, row in report["rows"].items():
        print(f"\njudge: {name}\n  {'':<46}{'':>12}  share  95 % interval  wanted")
        for figure in FIGURES:
            _show_figure(figure, figure.of(report["sentences"], row), figure.goals.get(name))
        for true in (True, False):
            _show_fates(report["sentences"], row["fates"], true=true)
        print(f"  sentences a second of processor: {row['pace']}")
        if why:
            _show_why(report["sentences"], row)
    if earlier is None:
        return []
    changes = compare(report, earlier)
    _show_changes(f"less those of {earlier['about']['made']}", changes)
    return [one for one in changes if one.mark == "WORSE"]


def compare(report: Json, earlier: Json) -> list[Change]:
    """Compares each figure of each row with the same one of an earlier report."""
    found = []
    for name, row in report["rows"].items():
        before = earlier["rows"].get(name)
        for figure in FIGURES if before else ():
            new = figure.of(report["sentences"], row)
            old = figure.of(earlier["sentences"], before)
            if new.keys() & old.keys():
                groups = {unit: unit.partition("/")[0] for unit in new}
                found.append(Change(name, figure, difference(new, old, groups)))
    return found


def _show_figure(figure: Figure, values: Values, goal: float | None) -> None:
    if not values:
        return
    share = Share(round(sum(values.values())), len(values))
    low, high = share.interval
    line = f"  {figure.name:<46}{share.hits:>5} of {len(values):<4}  {share.value:.3f}"
    line += f"  {low:.3f} to {high:.3f}"
    if goal is not None:
        met = share.value >= goal if figure.more else share.value <= goal
        bound = "at least" if figure.more else "at most"
        line += f"  {bound} {goal:.2f}{'' if met else ', missed'}"
    print(line)


def _show_fates(sentences: Json, fates: Json, *, true: bool) -> None:
    """Prints how many sentences have which fate, by the set that their ids begin with."""
    by_set: dict[str, Counter[str]] = defaultdict(Counter)
    for name, fate in fates.items():
        if sentences[name]["true"] is true:
            by_set[name.partition("-")[0]][fate] += 1
    for one, counts in by_set.items():
        told = ", ".join(f"{fate} {count}" for fate, count in counts.most_common())
        print(f"  {'true' if true else 'false'} sentences, {one}: {told}")


def _show_why(sentences: Json, row: Json) -> None:
    """Prints true sentences that are lost, false ones that are shown, and forms that fail."""
    for name, fate in row["fates"].items():
        true = sentences[name]["true"]
        if fate == LOST if true else is_shown(fate):
            print(f"    {'true' if true else 'FALSE'}, {fate}: {sentences[name]['text']}")
            print(f"      shown: {' '.join(row['shown'][name.partition('/')[0]].split())}")
    for name, form in row["forms"].items():
        if form["scraps"] or form["kept"] < form["of"]:
            print(f"    form {name}: kept {form['kept']} of {form['of']}")
            for scrap in form["scraps"]:
                print(f"      scrap: {scrap}")


def _show_changes(title: str, changes: list[Change]) -> None:
    print(f"\n{title}, paired (95 % intervals)" if changes else "\nthe reports share no row")
    for one in changes:
        cell = "{:+.3f} ({:+.3f} to {:+.3f})".format(*one.by)
        print(f"  {one.row:<8}{one.figure.name:<48}{cell:<28}{one.mark}".rstrip())
