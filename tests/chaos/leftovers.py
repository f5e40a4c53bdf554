"""Counts what questions have left that belongs to none, and groups the lines of logs by kind."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from footnote.adapters.aws.clients import client
from footnote.wiring.services import Services

WARNED = frozenset({"WARNING", "ERROR", "CRITICAL"})
MOST_KINDS = 60


def count_leftovers(services: Services) -> dict[str, int]:
    """Counts rows and artifacts of questions that are not there."""
    owned, orphans = sort_rows(all_rows(services.settings.questions_table))
    kept = {
        key.split("/")[1]
        for key in services.artifacts.keys("questions/")
        if not key.startswith("questions/readings/")
    }
    return {"orphaned rows": len(orphans), "artifacts of no question": len(kept - owned)}


def all_rows(table: str) -> Iterator[Mapping[str, Any]]:
    pages = client("dynamodb", None).get_paginator("scan").paginate(TableName=table)
    for page in pages:
        yield from page["Items"]


def sort_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[set[str], set[str]]:
    """Returns the ids of questions that have a record, and of those with other rows alone."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        kinds[row["question_id"]["S"]].add(row["item"]["S"].partition("#")[0])
    owned = {one for one, items in kinds.items() if "record" in items}
    return owned, {one for one, items in kinds.items() if "event" in items} - owned


def kinds_of_lines(folder: Path) -> Iterator[str]:
    """Yields each kind of warning and error in a stack's logs, with its number, most first."""
    found: Counter[str] = Counter()
    for file in sorted(folder.glob("*.log")):
        with file.open(errors="replace") as log:
            found.update(kind for line in log if (kind := kind_of(file.stem, line)))
    for kind, number in found.most_common(MOST_KINDS):
        yield f"{number:6} {kind}"


def kind_of(log: str, line: str) -> str:
    """Returns a line's kind: its log, level and message without ids; "" if it warns of nothing."""
    start = line.find("{")
    try:
        said = json.loads(line[start:]) if start >= 0 else {}
    except ValueError:
        said = {}
    if isinstance(said, dict) and said.get("level") in WARNED:
        words = f"{said['level']} {said.get('message')} {said.get('code', '')}"
    elif (level := re.search(r"\b(WARN|WARNING|ERROR|CRITICAL)\b", line)) and not said:
        words = line[level.start() :].strip()
    else:
        return ""
    step = log.partition("Function")[0]
    return f"{step}: {re.sub(r'[0-9a-f]*[0-9][0-9a-f-]*', '#', words)[:140]}"
