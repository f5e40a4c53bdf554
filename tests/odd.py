"""Compares the results of parsing the odd files in ../shared/data with the files' labels."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.watched import Outcome

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
LABELS = DATA / "odd_labels.jsonl"
ODD: list[dict[str, str]] = (
    [json.loads(line) for line in LABELS.read_text().splitlines()] if LABELS.is_file() else []
)
ALLOWED = {
    "ok": {"ok"},
    "reject": {"corrupt", "empty_file"},
    "empty": {"ok", "no_text"},
    "password_or_any": {"encrypted"},
    "ok_or_unsupported": {"ok", "unsupported"},
    "ok_injection_must_not_act": {"ok"},
    "ok_but_must_not_write_outside": {"ok"},
    "must_not_read_local_file": {"corrupt"},
    "reject_or_no_expansion": {"corrupt"},
    "any": {"ok", "corrupt", "no_text", "encrypted", "unsupported", "too_large"},
}
MOST_MEGABYTES = 1769  # the memory of `parse` in template.yaml
MOST_SECONDS = 60


def parse_odd() -> list[Outcome]:
    """Parses each file of `ODD`, in order, in a process of its own that is limited and watched."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.watched", *(str(DATA / label["file"]) for label in ODD)],
        capture_output=True, text=True, timeout=600, check=True, cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT / 'layers' / 'ocr'}:{ROOT}"},
    )  # fmt: skip
    return [json.loads(line) for line in run.stdout.splitlines()]


def result(outcome: Outcome) -> str:
    """Returns "ok", the code of a refusal, or what went wrong."""
    if outcome["signal"] or "crash" in outcome:
        return f"crash: {outcome.get('crash', 'signal')} {outcome['signal']}"
    return outcome.get("code", "ok")


def is_as_labelled(label: dict[str, str], outcome: Outcome) -> bool:
    """Returns whether the outcome fits the label; a refused file need not contain the words."""
    said = label.get("must_contain", "") in outcome.get("text", "") or "code" in outcome
    return result(outcome) in ALLOWED[label["expect"]] and said


def has_leaked(outcome: Outcome) -> bool:
    """Returns whether the text holds this machine's name or a line of its list of users."""
    text = outcome.get("text", "")
    users = [line for line in Path("/etc/passwd").read_text().splitlines() if line]
    return os.uname().nodename in text or any(user in text for user in users)


def summary(found: Sequence[Outcome]) -> dict[str, object]:
    """Returns the figures to report; all but the last four should be 0."""
    slowest = max(found, key=lambda each: each["seconds"])
    largest = max(found, key=lambda each: each["megabytes"])
    return {
        "crashes": sum(result(each).startswith("crash") for each in found),
        "hangs": sum(each["seconds"] > MOST_SECONDS for each in found),
        "local files read": sum(
            has_leaked(each) or any(s.startswith("read") for s in each["seen"]) for each in found
        ),
        "writes": sum(any(s.startswith("write") for s in each["seen"]) for each in found),
        "other calls": sum(
            any(not s.startswith(("read", "write")) for s in each["seen"]) for each in found
        ),
        "not as labelled": sum(
            not is_as_labelled(label, each) for label, each in zip(ODD, found, strict=True)
        ),
        "files": len(found),
        "read": sum("text" in each for each in found),
        "slowest": f"{slowest['seconds']:.2f} s ({slowest['file']})",
        "largest": f"{largest['megabytes']} MB ({largest['file']})",
    }
