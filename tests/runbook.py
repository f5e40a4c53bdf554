"""What docs/operations.md says of each alarm, and the log queries that it leads to."""

import re
from pathlib import Path
from typing import NamedTuple

PAGE = (Path(__file__).resolve().parents[1] / "docs/operations.md").read_text()


class Row(NamedTuple):
    """An alarm's row: what it means, where to look, what to do."""

    means: str
    look: str
    do: str


def runbook(page: str = PAGE) -> dict[str, Row]:
    rows = re.findall(r"^\| `(\w+Alarm)` \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)
    return {name: Row(means, look, do) for name, means, look, do in rows}


def queries(page: str = PAGE) -> dict[str, str]:
    section = page.split("### Log queries\n")[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\*\*(.+?)\*\*.*\n\n```text\n((?:.+\n)+?)```", section, re.MULTILINE))


def led_to(alarm: str, page: str = PAGE) -> dict[str, str]:
    """Returns the queries that an alarm's row names, with the step that it names put in."""
    look = runbook(page)[alarm].look
    named = {name: one for name, one in queries(page).items() if re.search(rf"\b{name}\b", look)}
    if step := re.search(r'`step = "(\w+)"`', look):
        named = {n: re.sub(r'step = "\w+"', f'step = "{step[1]}"', q) for n, q in named.items()}
    return named
