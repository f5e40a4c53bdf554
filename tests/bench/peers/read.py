"""Reads files with one tool on one processor, within limits, and prints what each took.

usage: python read.py TOOL CPU FOLDER FILE…    texts go to FOLDER/<file>.txt
It prints one JSON object per file, {file, seconds, error}, then {peak}. Seconds are processor time
after the import and after a first, untimed reading of the first file.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

from tools import TOOLS

MEMORY = 6 << 30  # bytes of address space


def attempt(read, path):
    started = time.process_time()
    try:
        text, error = read(path), ""
    except Exception as failure:  # noqa: BLE001 - a peer may fail in any way
        text, error = "", f"{type(failure).__name__}: {failure}"[:160]
    return text, error, time.process_time() - started


def main():
    tool, cpu, folder, *names = sys.argv[1:]
    os.sched_setaffinity(0, {int(cpu)})
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        read = TOOLS[tool]()
    except ImportError as failure:
        print(json.dumps({"absent": f"not installed ({failure.name})"}))
        return
    attempt(read, Path(names[0]))
    for name in names:
        text, error, seconds = attempt(read, Path(name))
        (Path(folder) / f"{Path(name).name}.txt").write_text(text, errors="replace")
        print(json.dumps({"file": Path(name).name, "seconds": seconds, "error": error}))
    # `getrusage` would count the parent's memory
    status = Path("/proc/self/status").read_text(encoding="ascii")
    print(json.dumps({"peak": int(status.partition("VmHWM:")[2].split()[0]) >> 10}))


if __name__ == "__main__":
    main()
