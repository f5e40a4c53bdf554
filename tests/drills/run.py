"""`make drills`: makes an incident of each kind on a stack, and says what would have led to it.

python -m local.stack run --name drills -- python -m tests.drills.run [--only words]

For each: the alarms of the template that ring, the log query that the runbook names for each and
the lines that it finds, and what the runbook says to do. Exits with 1 where an alarm stays silent,
or leads to no line, or a drill breaks off.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Mapping

from tests.alarm_rules import rings
from tests.drills.incidents import DRILLS, Drill
from tests.drills.site import Site, until
from tests.insights import Line, found
from tests.runbook import led_to, runbook
from tests.stack import enter_stack

HEAD = "| incident | seconds | alarm | query: lines | do |\n|---|---|---|---|---|"


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.drills.run")
    parser.add_argument("--only", default="", help="drills whose name has these words")
    only = parser.parse_args().only
    site = Site(enter_stack())
    with site.measuring():
        site.put("fees.md")
        until("the first file is READY", lambda: site.status("fees.md") == "READY")
        rows, wrong = hold_all(
            site, {name: drill for name, drill in DRILLS.items() if only in name}
        )
    print("\n".join(["", HEAD, *rows, *wrong]))
    return 1 if wrong else 0


def hold_all(site: Site, drills: Mapping[str, Drill]) -> tuple[list[str], list[str]]:
    """Holds one drill after another; returns the table's rows, and what is wrong.

    One that breaks off is wrong, and the others are held all the same.
    """
    rows, wrong = [], []
    for name, drill in drills.items():
        began = time.monotonic()
        try:
            told, missing = hold(site, drill)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            traceback.print_exc()
            told, missing = [], [f"broken off: {type(error).__name__}: {error}"]
        seconds = f"{time.monotonic() - began:.0f}"
        row = [f"| {name} | {seconds} | {one} |" for one in told]
        missing = [f"{name}: {one}" for one in missing]
        print("\n".join([*row, *missing]), flush=True)
        rows += row
        wrong += missing
    return rows, wrong


def hold(site: Site, drill: Drill) -> tuple[list[str], list[str]]:
    """Makes an incident; returns a cell row for each alarm that rang, and what is missing."""
    mark = site.mark()
    figures, lines, read = [], [], mark
    for figure in drill.make(site, mark):
        figures.append(figure)
        if (now := site.mark()) != read:  # as who looks while it lasts: mending it has lines, too
            lines, read = site.lines(mark), now
    rung = {
        name
        for name, alarm in site.template.of_type("AWS::CloudWatch::Alarm").items()
        if rings(alarm, figures)
    }
    return judge(drill, rung, lines)


def judge(drill: Drill, rung: set[str], lines: list[Line]) -> tuple[list[str], list[str]]:
    missing = [f"{name} stays silent" for name in sorted(drill.alarms - rung)]
    told = []
    for alarm in sorted(rung):
        led = {name: found(query, lines) for name, query in led_to(alarm).items()}
        cell = ", ".join(f"{name}: {len(some)}" for name, some in led.items()) or "none"
        told.append(f"`{alarm}` | {cell} | {runbook()[alarm].do}")
        if alarm in drill.alarms and not any(leads(drill, *one) for one in led.items()):
            missing.append(f"{alarm} leads to no line: {cell}")
    return told, missing


def leads(drill: Drill, query: str, lines: list[Line]) -> bool:
    return bool(lines and drill.shows.get(query, bool)(lines))


if __name__ == "__main__":
    sys.exit(main())
