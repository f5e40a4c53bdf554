"""Takes each statement of each function's role away in turn, and writes what misses it.

usage: python -m tests.rights_report [--used rights.jsonl] [--output FILE]

No stack is needed. A statement is missed where the code makes a request that it allows
(`test_rights.py`), or where the steps, run in this process, touch the folder
(`test_rights_folders.py`). `--used` is what a judged stack has noted of its rights (`rights.jsonl`
of its logs, see `make rights`): a column then says which statements its tests have needed. Exits
with 1 where nothing misses a statement.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.contract.test_rights import VERBS, problems, setting_of, statements
from tests.contract.test_rights_folders import granted, what_is_touched
from tests.transformed import as_list

type Used = set[tuple[str, str, str]]

NOBODY = "nothing"
OF_A_FUNCTION = re.compile(r"-(\w+)FunctionRole-")


class Row(NamedTuple):
    """A statement: whose it is, what it allows on what, and what fails without it."""

    function: str
    actions: str
    resources: str
    missed_by: str
    on_a_stack: str


def rows(seen: set[tuple[str, str, str]], used: Used | None) -> Iterator[Row]:
    """Yields a row for each statement; `seen` is what the steps touch: verb, action, folder."""
    for verb in VERBS:
        touched = {(action, folder) for step, action, folder in seen if step == verb}
        every = statements(verb)
        for taken in every:
            left = [one for one in every if one is not taken]
            actions, resources = as_list(taken["Action"]), as_list(taken["Resource"])
            names = sorted({named(one) for one in resources})
            yield Row(
                verb,
                ", ".join(actions),
                ", ".join(names),
                missed_by(verb, taken, left, touched),
                needed(verb, actions, names, used),
            )


def missed_by(verb: str, taken: Any, left: list[Any], touched: set[tuple[str, str]]) -> str:
    """Returns the tests that fail without a statement, and which of its actions they name."""
    lacks = problems(verb, [{"Statement": left}])
    found = {
        action: [
            *(["test_rights"] if any(f" lacks {action} on " in one for one in lacks) else []),
            *(["test_rights_folders"] if action in lost(taken, left, touched) else []),
        ]
        for action in as_list(taken["Action"])
    }
    if unmissed := [action for action, tests in found.items() if not tests]:
        return f"{NOBODY}: {', '.join(unmissed)}"
    return ", ".join(sorted({test for tests in found.values() for test in tests}))


def lost(taken: Any, left: list[Any], touched: set[tuple[str, str]]) -> set[str]:
    """Returns the actions on folders that steps do and that nothing else allows."""
    return {action for action, _ in (set(granted([taken])) - set(granted(left))) & touched}


def named(resource: str) -> str:
    """Returns what a policy names, as the settings call it, with the folder of a bucket."""
    folder = resource.partition("/")[2] if ":s3:" in resource else ""
    return f"{setting_of(resource) or '*'}{'/' if folder else ''}{folder}"


def needed(verb: str, actions: list[str], names: list[str], used: Used | None) -> str:
    if used is None:
        return ""
    every = [action for action in actions if any((verb, action, one) in used for one in names)]
    return "all" if every == actions else ", ".join(every)


def read_used(file: Path) -> Used:
    """Returns what a stack noted: verb, action, and what it was on."""
    found = set()
    for line in file.read_text().splitlines():
        one = json.loads(line)
        if function := OF_A_FUNCTION.search(one["role"]):
            found.add((function[1].lower(), one["action"], named(one["resource"])))
    return found


def table(found: Iterable[Row], *, judged: bool) -> Iterator[str]:
    """Yields the lines of a table in Markdown."""
    head = ["function", "may", "on", "without it fails", *(["a stack used"] if judged else [])]
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in found:
        cells = [cell.replace("*", "\\*") for cell in row[: len(head)]]
        yield f"| {' | '.join(cells)} |"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--used", type=Path)
    options.add_argument("--output", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = what_is_touched(Path(folder))
    found = list(rows(seen, read_used(given.used) if given.used else None))
    text = "\n".join(table(found, judged=given.used is not None)) + "\n"
    if given.output:
        given.output.write_text(text)
    else:
        print(text)
    unmissed = [row for row in found if row.missed_by.startswith(NOBODY)]
    print(f"{len(found)} statements, {len(unmissed)} that nothing misses", file=sys.stderr)
    return 1 if unmissed else 0


if __name__ == "__main__":
    sys.exit(main())
