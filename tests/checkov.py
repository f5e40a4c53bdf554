"""Runs checkov on template.yaml, and holds what it finds against `checkov.yaml`.

usage: python -m tests.checkov CHECKOV    (`make checkov`; CHECKOV is its program)

Exits with 1 for a finding that the file does not name with a reason, and for what it names and
checkov no longer finds. It takes half a minute and 290 MB, so CI leaves it out.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.template import TEMPLATE

LEFT = Path(__file__).with_suffix(".yaml")
OPTIONS = ("--framework", "cloudformation", "--output", "json", "--quiet", "--compact")


class Found(NamedTuple):
    """A check that a resource fails, and what the check is called."""

    check: str
    kind: str
    resource: str
    title: str


def findings(report: Any) -> list[Found]:
    """Reads checkov's report. Raises ValueError where it could not read the template."""
    [one] = report if isinstance(report, list) else [report]
    if one["summary"]["parsing_errors"] or not one["summary"]["passed"]:
        raise ValueError(f"checkov did not read the template: {one['summary']}")
    return [
        Found(each["check_id"], *each["resource"].rsplit(".", 1), each["check_name"])
        for each in one["results"]["failed_checks"]
    ]


def problems(found: list[Found], left: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is new, and what is left out for nothing or without a reason."""
    for one in found:
        if not covers(left.get(one.check, {}), one):
            yield f"new: {one.check} {one.resource}: {one.title}"
    for check, entry in left.items():
        if len(entry.get("reason", "")) < 20:
            yield f"{check} has no reason"
        own = [one for one in found if one.check == check]
        names = entry["of"] if isinstance(entry["of"], list) else [entry["of"]]
        for name in names:
            if not any(name in (one.kind, one.resource) for one in own):
                yield f"{check} is no longer found on {name}: take it out of {LEFT.name}"


def covers(entry: Mapping[str, Any], one: Found) -> bool:
    of = entry.get("of", [])
    return one.resource in of if isinstance(of, list) else one.kind == of


def main() -> int:
    command = [sys.argv[1], "--file", str(TEMPLATE), *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = findings(json.loads(done.stdout))
    except ValueError as error:
        print(error, done.stderr[-2000:], file=sys.stderr)
        return 1
    told = list(problems(found, yaml.safe_load(LEFT.read_text())))
    print(*told, f"{len(found)} findings, {len(told)} problems", sep="\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
