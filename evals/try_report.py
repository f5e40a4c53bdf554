"""Shows what came of a try of a language model, and gives rows for the table of docs/models.md."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from evals.wording_report import show
from footnote.wire import Json

SHORT = 48  # characters of a question that are printed
CHECKS = ("exact", "confirmed", "unconfirmed")
HEADER = (
    "| model | profile | questions | written by it | cite a right document"
    " | answered though nothing is there | sentences: exact, confirmed, unconfirmed"
    " | replaced or removed | seconds | tokens |"
)
RULE = "|---" * (HEADER.count("|") - 1) + "|"


def print_line(asked: Json) -> None:
    """Prints what came of a question: who answered, what its sentences are, what it took.

    Below come what the answer says of itself, and the answer.
    """
    question = asked["question"]
    shown = question if len(question) <= SHORT else f"{question[: SHORT - 1]}…"
    took = f"{asked['seconds']:.0f} s, {asked['tokens']} tokens"
    if "failed" in asked:
        print(f"{asked['id']} {shown:<{SHORT}}  failed: {asked['failed']}; {took}", flush=True)
        return
    fates = ", ".join(f"{fate} {count}" for fate, count in asked["fates"].items())
    told = f"{fates or 'nothing cited'}; removed {asked['removed']}"
    print(
        f"{asked['id']} {shown:<{SHORT}}  {asked['mode']}, {asked['kind']}: {told}; {took}",
        flush=True,
    )
    for line in (*asked["degraded"], *asked["answer"].splitlines()):
        print(f"      {line}", flush=True)


def show_try(report: Json) -> None:
    """Prints the sums of a try, and the rows for the docs."""
    asked, known, others = parted(report["questions"])
    print(
        f"\n{report['model']}: of {len(known)} questions with an answer"
        f" {sum(one['found'] for one in known)} got one,"
        f" {sum(one['right_document'] for one in known)} cite a right document;"
        f" of {len(others)} without one {sum(one['found'] for one in others)} got one;"
        f" {len(report['questions']) - len(asked)} failed"
    )
    total = sum((Counter(one["fates"]) for one in asked), Counter[str]())
    removed = sum(one["removed"] for one in asked)
    told = ", ".join(f"{fate} {count}" for fate, count in total.most_common())
    print(f"sentences: {told or 'none'}; removed {removed}")
    show_calls(report["calls"])
    if report["wording"]:
        show(report["wording"], None, why=False)
        show_calls(report["judging"])
    print(f"\n{HEADER}\n{RULE}")
    print(row(report["model"], report["profile"], report["questions"]))
    print(row("none", "", report["without"]))


def show_calls(calls: Json) -> None:
    for task, sums in calls.items():
        seconds = sums["seconds"]
        print(
            f"  {task:<12}{sums['calls']:>4} calls, {sums['failed']} failed;"
            f" {seconds['p50']:.1f} s (p95 {seconds['p95']:.1f});"
            f" tokens in {sums['tokens_in']}, out {sums['tokens_out']}"
        )


def row(model: str, profile: str, questions: Sequence[Json]) -> str:
    """Returns a row of the table: who was asked, how often it wrote, what its sentences are."""
    asked, known, others = parted(questions)
    checks = Counter[str]()
    for one in asked:
        for fate, count in one["fates"].items():
            checks[fate.partition(" ")[0]] += count
    cells = (
        model,
        profile,
        len(questions),
        sum(one["mode"] != "extractive" for one in asked),
        f"{sum(one['right_document'] for one in known)} of {len(known)}",
        f"{sum(one['found'] for one in others)} of {len(others)}",
        ", ".join(str(checks[check]) for check in CHECKS),
        sum(one["removed"] for one in asked),
        _middle([one["seconds"] for one in questions]),
        _middle([one["tokens"] for one in questions]),
    )
    return f"| {' | '.join(map(str, cells))} |"


def parted(questions: Sequence[Json]) -> tuple[list[Json], list[Json], list[Json]]:
    """Returns the questions that did not fail: all, those with an answer, and those without."""
    asked = [one for one in questions if "failed" not in one]
    known = [one for one in asked if one["answerable"]]
    return asked, known, [one for one in asked if not one["answerable"]]


def _middle(values: Sequence[float]) -> str:
    return f"{median(values):,.0f}" if values else ""
