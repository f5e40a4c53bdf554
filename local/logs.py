"""Shows what a stack's servers and functions print."""

import time
from pathlib import Path

from local.state import StackError, running_stack
from local.steps import say

LAST_LINES = 40
POLL_SECONDS = 0.5
SERVERS = ("localstack", "opensearch")


def show_logs(name: str, what: str | None, *, follow: bool) -> None:
    """Shows the end of each log, then with `follow` its new lines until Ctrl-C."""
    files = log_files(running_stack(name).folder / "logs", what)
    prefix = len(files) > 1
    places = {file: show_from(file, 0, prefix=prefix) for file in files}
    while follow:
        time.sleep(POLL_SECONDS)
        places = {file: show_from(file, place, prefix=prefix) for file, place in places.items()}


def log_files(folder: Path, what: str | None) -> list[Path]:
    """Returns the servers' logs, or the logs with `what` in their name (`parse`: a function's)."""
    logs = sorted(folder.glob("*.log"))
    if what is None:
        return [log for log in logs if log.stem in SERVERS]
    found = [log for log in logs if what.lower() in log.stem.lower()]
    if not found:
        known = ", ".join(log.stem for log in logs)
        raise StackError(f"no log of {what!r}; known: {known}")
    return found


def show_from(file: Path, place: int, *, prefix: bool) -> int:
    """Shows a log from byte `place` on and returns where it ends now.

    From the beginning (place 0) only the last LAST_LINES lines are shown.
    """
    with file.open("rb") as log:
        log.seek(place)
        text = log.read()
    lines = text.decode(errors="replace").splitlines()
    for line in lines if place else lines[-LAST_LINES:]:
        say(f"{file.stem} | {line}" if prefix else line)
    return place + len(text)
