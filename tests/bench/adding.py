"""`make bench-adding`: adds the PDFs of a folder, beside LangChain, LlamaIndex and Haystack.

usage: python -m tests.bench.adding FOLDER [--rounds 3] [--every 1] [--only footnote,langchain]
           [--output FILE]
       python -m tests.bench.adding report.json

FOLDER has the PDFs in `docs`. Each tool adds them in a process of its own on the same two
processors, with the same model, nothing cached; a round is a run of each, and the order changes
with the round. Processor time counts, as other work may run beside. Of each PDF every page is
taken, or with `--every 8` every eighth: shorter, with the same kinds of pages. A report in place
of the folder is only shown.

It exits with 1 when footnote needs more than a quarter of LangChain's processor time, more than
LlamaIndex's or more memory than any peer, when its model does not read all that it is given, or
when a tool could not be measured.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

import pymupdf

from evals.node import GIVEN, STEM, start_node
from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer
from footnote.wire import Json
from local.build_model import RECIPES, find_weights
from local.paths import HOME, ROOT, TOOLS, stack_folder
from local.process import PROC, find_marked
from tests.bench.ingest import cpu_seconds
from tests.bench.peers.adding import THREADS
from tests.bench.peers.retrievers import PEERS

PYTHON = HOME / "adding-venv" / "bin" / "python"
SCRIPT = ROOT / "tests" / "bench" / "peers" / "adding.py"
SAMPLE = ROOT / "samples" / "documents" / "annual-report-2025.pdf"
MODEL = TOOLS / "model"
REPORT = HOME / "bench" / "adding.json"
LOOK_SECONDS = 0.2
READ = 254  # tokens of a text that the model reads, beside the two that mark its ends
OURS, NODE = "footnote", "footnote-opensearch"
ROWS = (OURS, "footnote-ocr", NODE, *PEERS)
NAMES = {
    OURS: "**footnote**, OCR off",
    "footnote-ocr": "footnote, as deployed",
    NODE: "footnote into OpenSearch, with the node's",
    "langchain": "LangChain",
    "llamaindex": "LlamaIndex",
    "haystack": "Haystack",
}
LEAST_PACE = {"langchain": 4.0, "llamaindex": 1.0}  # times the peer's


type Run = Mapping[str, float]
"""Of one tool: `cpu` and `seconds`, before that `start`, `peak_mb`; `documents`, `pages`, `chunks`;
of the texts that its model got, the tokens `given` and those that it `read`."""
type Round = dict[str, Run]


class Memory(threading.Thread):
    """Looks at a process and its children until it ends: the most that their peaks came to."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._ended = threading.Event()
        self.peak_mb = 0

    def run(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            self.peak_mb = max(self.peak_mb, sum(map(peak_mb, tree(self._pid))))

    def stop(self) -> int:
        self._ended.set()
        self.join()
        return self.peak_mb


def tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):  # it ended meanwhile
        for task in (PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text().split():
                yield from tree(int(child))


def peak_mb(pid: int) -> int:
    with suppress(OSError, IndexError):
        status = (PROC / str(pid) / "status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) >> 10
    return 0


def environ(url: str) -> dict[str, str]:
    threads = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
    paths = (ROOT / "shared", ROOT, ROOT / "layers" / "ocr")
    return {
        **os.environ,
        **dict.fromkeys(threads, str(THREADS)),
        "PYTHONPATH": ":".join(map(str, paths)),
        "CUDA_VISIBLE_DEVICES": "",
        GIVEN: url,
    }


def measure(tool: str, files: Sequence[Path], url: str = "") -> Run:
    """Runs a tool; of a node, at `url`, it adds processor time and memory to those of the tool.

    Raises CalledProcessError where the tool fails; its message is on stderr.
    """
    python, model = (Path(sys.executable), MODEL)
    if tool in PEERS:
        python, model = PYTHON, find_weights(RECIPES["english"]) / "model"
    node = [one.pid for one in find_marked(stack_folder(f"{STEM}{os.getpid()}"))] if url else []
    before = sum(map(cpu_seconds, node))
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts.jsonl"
        command = [python, SCRIPT, tool, model, texts, SAMPLE, *files]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environ(url)
        ) as process:
            memory = Memory(process.pid)
            memory.start()
            told, _ = process.communicate()
            most = memory.stop()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command[:3])
        run: Json = json.loads(told)
        given, read = tokens(texts)
    run["cpu"] += sum(map(cpu_seconds, node)) - before
    run["peak_mb"] = max(most, run["peak_mb"]) + sum(map(peak_mb, node))
    return {**run, "given": given, "read": read}


def tokens(texts: Path) -> tuple[int, int]:
    """Counts the tokens of the texts in a file, and those of them that the model reads."""
    count = MiniLMTokenizer(MODEL).count
    given = read = 0
    with texts.open(encoding="utf-8") as lines:
        for line in lines:
            counts = count(json.loads(line))
            given += sum(counts)
            read += sum(min(one, READ) for one in counts)
    return given, read


def thin_out(files: Sequence[Path], every: int, folder: Path) -> list[Path]:
    """Writes PDFs with every so many pages of the files, from the first on, under their names."""
    for file in files:
        with pymupdf.open(file) as document:
            document.select(range(0, len(document), every))
            document.save(folder / file.name, garbage=3)
    return [folder / file.name for file in files]


def describe(files: Sequence[Path]) -> Json:
    """Counts pages and tokens of the text that PyMuPDF finds in the files: the same for all."""
    count = MiniLMTokenizer(MODEL).count
    pages = told = 0
    for file in files:
        with pymupdf.open(file) as document:
            pages += len(document)
            told += sum(count([page.get_text() for page in document]))
    return {"documents": len(files), "pages": pages, "tokens": told}


def ratio(rounds: Sequence[Round], tool: str, figure: str = "cpu") -> float:
    """Returns how many times footnote's figure a tool's is: the median of the rounds' ratios."""
    both = [one for one in rounds if tool in one and OURS in one]
    ratios = [one[tool][figure] / one[OURS][figure] for one in both]
    return statistics.median(ratios) if ratios else math.nan


def merge(rounds: Sequence[Round]) -> Round:
    """Returns the median of each figure of each tool."""
    merged: Round = {}
    for tool in ROWS:
        if runs := [one[tool] for one in rounds if tool in one]:
            merged[tool] = {name: statistics.median(r[name] for r in runs) for name in runs[0]}
    return merged


def shortcomings(rounds: Sequence[Round], failed: Sequence[str] = ()) -> list[str]:
    """Returns the reasons why the run fails."""
    found = [f"{tool} could not be measured" for tool in failed]
    rows = merge(rounds)
    ours = rows.get(OURS)
    if not ours:
        return [*found, "footnote was not measured"]
    if ours["read"] < ours["given"]:
        found.append(f"footnote's model reads {ours['read']:,.0f} of {ours['given']:,.0f} tokens")
    for tool in (tool for tool in PEERS if tool in rows):
        least = LEAST_PACE.get(tool, 0.0)
        if (pace := ratio(rounds, tool)) < least:
            found.append(f"{pace:.2f} times as fast as {NAMES[tool]}, {least:g} should be")
        if ratio(rounds, tool, "peak_mb") < 1:
            found.append(
                f"{ours['peak_mb']:,.0f} MB, and {NAMES[tool]} takes {rows[tool]['peak_mb']:,.0f}"
            )
    return found


def show(report: Json) -> None:
    """Prints the report as the table of docs/benchmarks.md."""
    rounds: Sequence[Round] = report["rounds"]
    about = report["of"]
    print(
        f"\n{about['documents']} PDFs, {about['pages']:,} pages, {about['tokens']:,} tokens;"
        f" {len(rounds)} rounds, {THREADS} threads; {report['machine']}\n"
    )
    print(
        "| | processor s | times footnote's | seconds | peak MB | times | pages | chunks"
        " | tokens read | of those given | of the text | a processor s | start |"
    )
    print("|" + "---|" * 13)
    for tool, run in merge(rounds).items():
        print(
            f"| {NAMES[tool]} | {run['cpu']:.0f} | {ratio(rounds, tool):.2f} | {run['seconds']:.0f}"
            f" | {run['peak_mb']:,.0f} | {ratio(rounds, tool, 'peak_mb'):.2f}"
            f" | {run['pages']:,.0f} | {run['chunks']:,.0f} | {run['read']:,.0f}"
            f" | {run['read'] / run['given']:.0%} | {run['read'] / about['tokens']:.0%}"
            f" | {run['read'] / run['cpu']:,.0f} | {run['start']:.0f} |"
        )
    print("\neach round's processor seconds")
    for tool in merge(rounds):
        runs = [f"{one[tool]['cpu']:8.1f}" if tool in one else " " * 8 for one in rounds]
        print(f"  {tool:<20}{''.join(runs)}")


def run_rounds(files: Sequence[Path], tools: Sequence[str], rounds: int, output: Path) -> Json:
    """Measures; writes the report after each run, because a whole one takes its time."""
    report: Json = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} processors",
        "of": describe(files),
        "rounds": [],
        "failed": [],
    }
    for number in range(rounds):
        done: Round = {}
        report["rounds"].append(done)
        turn = number % len(tools)
        for tool in [*tools[turn:], *tools[:turn]]:
            if tool in report["failed"]:
                continue
            with ExitStack() as stack:
                url = stack.enter_context(start_node()) if tool == NODE else ""
                try:
                    done[tool] = measure(tool, files, url)
                except subprocess.CalledProcessError as error:
                    print(f"{tool}: {error}", file=sys.stderr)
                    report["failed"].append(tool)
                    continue
            load = os.getloadavg()[0]
            print(f"round {number + 1}, load {load:.1f}: {tool} {done[tool]}", flush=True)
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a folder with PDFs in docs, or a report")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="of so many pages one is taken")
    parser.add_argument("--only", type=words, default=(), help=f"of {', '.join(ROWS)}")
    parser.add_argument("--output", type=Path, default=REPORT)
    options = parser.parse_args()
    if options.folder.is_file():
        report: Json = json.loads(options.folder.read_text(encoding="utf-8"))
    else:
        files = sorted((options.folder / "docs").glob("*.pdf"))
        tools = options.only or ROWS
        if unknown := set(tools) - set(ROWS):
            parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(ROWS)}")
        if set(tools) & set(PEERS) and not PYTHON.is_file():
            print("the peers are not installed: `make bench-adding` does it", file=sys.stderr)
            return 1
        if not files:
            parser.error(f"no PDF in {options.folder / 'docs'}")
        with tempfile.TemporaryDirectory() as folder:
            if options.every > 1:
                files = thin_out(files, options.every, Path(folder))
            report = run_rounds(files, tools, options.rounds, options.output)
    show(report)
    failed = shortcomings(report["rounds"], report["failed"])
    for line in failed:
        print(f"FAILED {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
