"""`make bench-parse`: compares our parsers with others' by speed, memory and text, in one run.

python -m tests.bench.parsing [--pages 2] [--repeats 3] [--cpu N] [--formats pdf docx]

It exits with 1 when a shared PDF keeps less than 99 % of its words, when we are less than twice as
fast as pymupdf4llm, or when an odd file does what it should not. Peers that are not installed are
reported and do not fail the run.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

import pymupdf

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.superscripts import SIGNS
from local.paths import HOME, ROOT
from tests import odd
from tests.bench.agreement import (
    broken_words,
    drop_running,
    f1,
    join_broken,
    running_words,
    words,
)
from tests.bench.peers.tools import FORMATS

READER = ROOT / "tests" / "bench" / "peers" / "read.py"
REPORT = HOME / "bench" / "parse.json"
SAMPLES = ROOT / "samples" / "documents"
SHARED = odd.DATA / "docs"
RAISED = re.compile(f"(?<=\\w) (?=[{re.escape(''.join(sorted(SIGNS)))}])")
"""The blank before a raised mark: PyMuPDF has the mark and its number as one word."""
LEAST_AGREEMENT = 0.99  # share of each shared PDF's words
LEAST_SPEED = 2.0  # times the speed of pymupdf4llm, with its layout model and without


class Row(TypedDict, total=False):
    format: str
    tool: str
    absent: str
    documents: int
    pages: int
    failed: int
    seconds: float
    peak_mb: int
    agreement: float


def stage(folder: Path, pages: int) -> dict[str, list[Path]]:
    """Copies the files and returns them by format.

    Of a PDF it takes `pages` pages, evenly spread: one peer needs a second for each.
    """
    files: dict[str, list[Path]] = {}
    for path in [*sorted(SAMPLES.iterdir()), *(sorted(SHARED.iterdir()) if odd.ODD else [])]:
        target = folder / path.name
        kind = path.suffix[1:]
        if kind == "pdf":
            with pymupdf.open(path) as file:
                count = len(file)
                file.select(sorted({i * count // pages for i in range(pages)}))
                if not any(page.get_text().strip() for page in file):
                    continue  # a scan: no tool reads it without OCR
                file.save(target)
        else:
            target.write_bytes(path.read_bytes())
        files.setdefault(kind, []).append(target)
    return files


def measure(tool: str, cpu: int, folder: Path, files: Sequence[Path]) -> list[dict[str, object]]:
    """Runs a tool and returns what `read.py` prints.

    A tool that is killed or takes more than 900 s is absent for this format.
    """
    python = HOME / "bench-venv" / "bin" / "python"
    if tool == "footnote":
        python = Path(sys.executable)
    elif not python.exists():
        return [{"absent": "no .footnote/bench-venv"}]
    folder.mkdir(exist_ok=True)
    command = [python, READER, tool, str(cpu), folder, *files]
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    environ = {**os.environ, **one, "PYTHONPATH": str(ROOT / "shared"), "HF_HUB_OFFLINE": "1"}
    try:
        run = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=900)
    except subprocess.TimeoutExpired:
        return [{"absent": "took more than 900 s"}]
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return lines if run.returncode == 0 else [{"absent": run.stderr.strip()[-120:] or "killed"}]


def compare(kind: str, files: Sequence[Path], folder: Path, cpu: int, repeats: int) -> list[Row]:
    """Runs a format's tools in turn, `repeats` times; takes the median of each file's seconds."""
    tools = FORMATS[kind]
    runs: dict[str, list[list[dict[str, object]]]] = {tool: [] for tool in tools}
    for _ in range(repeats):
        for tool in tools:
            if not runs[tool] or "absent" not in runs[tool][0][0]:
                runs[tool].append(measure(tool, cpu, folder / tool, files))
    pages = sum(len(pymupdf.open(path)) for path in files) if kind == "pdf" else 0
    rows = []
    for tool in tools:
        row = merge_runs(runs[tool])
        if "absent" not in row and row["failed"] != len(files):
            row["agreement"] = agreement(files, folder / tool, folder / tools[1])
        rows.append(Row(format=kind, tool=tool, documents=len(files), pages=pages, **row))
    return rows


def merge_runs(runs: Sequence[Sequence[Mapping[str, object]]]) -> Row:
    if absent := runs[0][0].get("absent"):
        return Row(absent=str(absent))
    seconds: dict[str, list[float]] = {}
    for line in (line for run in runs for line in run if "file" in line):
        seconds.setdefault(str(line["file"]), []).append(float(str(line["seconds"])))
    errors = {str(line["file"]): line["error"] for line in runs[0] if line.get("error")}
    peaks = [int(str(line["peak"])) for run in runs for line in run if "peak" in line]
    row = Row(
        failed=len(errors),
        seconds=sum(statistics.median(each) for each in seconds.values()),
        peak_mb=max(peaks),
    )
    if len(errors) == len(seconds):
        row["absent"] = str(next(iter(errors.values())))
    return row


def agreement(files: Sequence[Path], ours: Path, reference: Path) -> float:
    """Returns the mean F1 of a tool's words with the reference tool's, both unchanged."""
    pairs = [
        [words((folder / f"{path.name}.txt").read_text()) for folder in (ours, reference)]
        for path in files
    ]
    return statistics.mean(f1(*pair) for pair in pairs)


def compare_whole(path: Path) -> tuple[str, int, float, float] | None:
    """Parses a whole PDF; returns its name, its number of pages and two agreements.

    The first is F1 with PyMuPDF's words as they stand. The second counts words joined over lines as
    joined and leaves running heads and feet aside. Returns None for a scan.
    """
    try:
        found = words(RAISED.sub("", parse(path.read_bytes(), path.name).document.text))
    except BadDocumentError:
        return None
    with pymupdf.open(path) as file:
        text = "\n".join(page.get_text() for page in file)
        raw, running, count = words(text), running_words(file), len(file)
    fair = drop_running(join_broken(raw, broken_words(text), found), found, running)
    return path.name, count, f1(raw, found), f1(fair, found)


def agreements() -> list[tuple[str, int, float, float]]:
    if not odd.ODD:
        return []
    with ProcessPoolExecutor(2) as pool:
        return [each for each in pool.map(compare_whole, sorted(SHARED.glob("*.pdf"))) if each]


def show(rows: Sequence[Row]) -> None:
    head = ("format", "tool", "documents/s", "pages/s", "peak MB", "agreement")
    print("\n" + "{:<6} {:<28} {:>11} {:>8} {:>8} {:>9}".format(*head))
    for row in rows:
        start = f"{row['format']:<6} {row['tool']:<28} "
        if "absent" in row:
            print(f"{start}absent: {row['absent']}")
            continue
        speed = row["documents"] / row["seconds"]
        pages = f"{row['pages'] / row['seconds']:8.1f}" if row["pages"] else " " * 8
        failed = f"  {row['failed']} failed" if row["failed"] else ""
        print(f"{start}{speed:11.1f} {pages} {row['peak_mb']:8} {row['agreement']:9.1%}{failed}")


def show_kept(found: Sequence[tuple[str, int, float, float]]) -> None:
    print("\nwords of the shared PDFs, whole: agreement with PyMuPDF as it stands, and apart from")
    print("words joined over lines and running heads and feet")
    for name, pages, raw, fair in found:
        print(f"{name:<66} {pages:4} pages {raw:8.2%} {fair:8.2%}")


def shortcomings(rows: Sequence[Row], whole: Sequence[tuple[str, int, float, float]]) -> list[str]:
    """Returns the reasons why the run fails."""
    found = [
        f"{name}: {fair:.2%} of its words agree, {LEAST_AGREEMENT:.0%} should"
        for name, _, _, fair in whole
        if fair < LEAST_AGREEMENT
    ]
    seconds = {
        row["tool"]: row["seconds"]
        for row in rows
        if row["format"] == "pdf" and "absent" not in row
    }
    for peer in ("pymupdf4llm", "pymupdf4llm, no layout model"):
        if peer in seconds:
            ratio = seconds[peer] / seconds["footnote"]
            print(f"speed on PDFs: {ratio:.1f} times that of {peer}")
            if ratio < LEAST_SPEED:
                found.append(f"{ratio:.2f} times the speed of {peer}, {LEAST_SPEED} should be")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.bench.parsing")
    parser.add_argument("--pages", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--formats", nargs="*", choices=FORMATS, default=list(FORMATS))
    args = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = stage(folder, args.pages)
        for kind in args.formats:
            if kind in files:
                rows += compare(kind, files[kind], folder, args.cpu, args.repeats)
    show(rows)
    whole = agreements() if "pdf" in args.formats else []
    show_kept(whole)
    failed = shortcomings(rows, whole)
    outcomes = odd.summary(odd.parse_odd()) if odd.ODD else {}
    print("\nodd files: " + (", ".join(f"{k} {v}" for k, v in outcomes.items()) or "not here"))
    failed += [f"odd files: {name} {n}" for name, n in list(outcomes.items())[:6] if n]
    machine = (
        f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    )
    report = {"at": datetime.now(UTC).isoformat(), "machine": machine, "options": vars(args)}
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(
        json.dumps({**report, "rows": rows, "agreement": whole, "odd": outcomes}, indent=1)
    )
    print(f"\n{machine}; written to {REPORT.relative_to(ROOT)}")
    for line in failed:
        print(f"FAILED {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
