"""The odd files that come with the workshop: what became of each, against its label."""

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
MOST_MEGABYTES = 1769  # what `parse` has in template.yaml
MOST_SECONDS = 60


def outcomes() -> list[Outcome]:
    """In the order of `ODD`; each file in a process of its own, limited and watched."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.watched", *(str(DATA / label["file"]) for label in ODD)],
        capture_output=True, text=True, timeout=600, check=True, cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT / 'layers' / 'ocr'}:{ROOT}"},
    )  # fmt: skip
    return [json.loads(line) for line in run.stdout.splitlines()]


def result(outcome: Outcome) -> str:
    """ "ok", the code of a refusal, or what went wrong."""
    if outcome["signal"] or "crash" in outcome:
        return f"crash: {outcome.get('crash', 'signal')} {outcome['signal']}"
    return outcome.get("code", "ok")


def as_labelled(label: dict[str, str], outcome: Outcome) -> bool:
    """What must be in its text counts only where there is a text."""
    said = label.get("must_contain", "") in outcome.get("text", "") or "code" in outcome
    return result(outcome) in ALLOWED[label["expect"]] and said


def leaked(outcome: Outcome) -> bool:
    """Whether something of this machine is in the text: its name or its list of users."""
    text = outcome.get("text", "")
    users = [line for line in Path("/etc/passwd").read_text().splitlines() if line]
    return os.uname().nodename in text or any(user in text for user in users)


def summary(found: Sequence[Outcome]) -> dict[str, object]:
    """The figures that are reported; all but the last four should be 0."""
    slowest = max(found, key=lambda each: each["seconds"])
    largest = max(found, key=lambda each: each["megabytes"])
    return {
        "crashes": sum(result(each).startswith("crash") for each in found),
        "hangs": sum(each["seconds"] > MOST_SECONDS for each in found),
        "local files read": sum(
            leaked(each) or any(s.startswith("read") for s in each["seen"]) for each in found
        ),
        "writes": sum(any(s.startswith("write") for s in each["seen"]) for each in found),
        "other calls": sum(
            any(not s.startswith(("read", "write")) for s in each["seen"]) for each in found
        ),
        "not as labelled": sum(
            not as_labelled(label, each) for label, each in zip(ODD, found, strict=True)
        ),
        "files": len(found),
        "read": sum("text" in each for each in found),
        "slowest": f"{slowest['seconds']:.2f} s ({slowest['file']})",
        "largest": f"{largest['megabytes']} MB ({largest['file']})",
    }
