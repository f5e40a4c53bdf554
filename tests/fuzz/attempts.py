"""Parses changed files one after another, in a process that may be killed, within limits.

usage: python -m tests.fuzz.attempts FOLDER SEED NUMBER STEP    until it is killed

Writes the file at hand into FOLDER, so that whoever kills this process knows it. Prints a line of
JSON for each file that ends otherwise than it may: see `Finding`. Prints the counts each second.
"""

import gc
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TypedDict

import footnote.ingest.parse
from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.model import ParsedDocument
from tests.fuzz.mutations import mutate
from tests.fuzz.seeds import seeds

CODES = {"corrupt", "encrypted", "empty_file", "no_text", "too_large", "unsupported"}
MEMORY = 1769 << 20  # bytes: the memory of `parse` in template.yaml
SECONDS = 10.0  # of processor time for a file of at most MAX_BYTES; `parse` has 300
type Parse = Callable[[bytes, str], ParsedDocument]


class Finding(TypedDict, total=False):
    """A file that ends otherwise than it may: its `name`, its `number`, and `what` happened."""

    name: str
    number: int
    what: str
    body: str


def limit_memory() -> None:
    """Bounds the address space to what the process has now, and a function's memory more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(body: bytes, name: str, run: Parse = parse) -> tuple[str, str]:
    """Parses a file. Returns the outcome ("ok" or a code), and what is wrong with it ("" if fine).

    Wrong are any other exception, a document whose parts lie outside of its text, and taking more
    than SECONDS.
    """
    started = time.process_time()
    try:
        outcome, wrong = "ok", wrongs(run(body, name))
    except BadDocumentError as refused:
        outcome = refused.code
        wrong = "" if refused.code in CODES and refused.action else f"code {refused.code}"
    except RecursionError as error:
        outcome, wrong = "raised", f"RecursionError at {_place(error)}"
    except Exception as error:  # noqa: BLE001 - it is what we look for
        outcome, wrong = "raised", f"{type(error).__name__} at {_place(error)}"
    took = time.process_time() - started
    return outcome, wrong or (f"slow: {took:.0f} s" if took > SECONDS else "")


def wrongs(parsed: ParsedDocument) -> str:
    """Says what is wrong with a document; "" if nothing is."""
    document = parsed.document
    length = len(document.text)
    if not document.text.strip() or not document.title.strip():
        return "no text or title"
    if any(not 0 <= span.start < span.end <= length for span in document.sections):
        return "a section outside of the text"
    if any(not 0 <= span.start < span.end <= length for span in document.tables):
        return "a table outside of the text"
    if any(not 0 <= page.start <= page.end <= length for page in document.pages):
        return "a page outside of the text"
    if document.text.encode("utf-8", "replace").decode() != document.text:
        return "half a surrogate pair"
    return ""


def _place(error: Exception) -> str:
    """Returns the last of our own lines that the error went through."""
    place, trace = "?", error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if "footnote" in path.parts and "ingest" in path.parts:
            place = f"{path.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def make(seed: int, number: int) -> tuple[str, bytes]:
    """Returns the name and content of one changed file."""
    chance = random.Random(f"{seed}-{number}")
    files = seeds()
    name = sorted(files)[number % len(files)]
    kin = [
        body for other, body in files.items() if other.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    return name, mutate(files[name], chance, [*kin, chance.choice(list(files.values()))])


def main() -> int:
    folder, seed, number, step = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    for module in walk_packages(footnote.ingest.parse.__path__, "footnote.ingest.parse."):
        import_module(module.name)
    seeds()
    gc.freeze()
    limit_memory()
    counts: Counter[str] = Counter()
    said = time.monotonic()
    while True:
        name, body = make(seed, number)
        (folder / "next").write_text(f"{number}\n{name}")
        (folder / "next").rename(folder / "now")  # whoever reads it finds it whole
        outcome, wrong = judge(body, name)
        counts[f"{name.rpartition('.')[2]} {outcome}"] += 1
        if wrong:
            print(json.dumps({"name": name, "number": number, "what": wrong}), flush=True)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        if time.monotonic() - said > 1:
            cpu = time.process_time()
            print(
                json.dumps({"counts": counts, "peak": peak, "cpu": cpu, "next": number + step}),
                flush=True,
            )
            said = time.monotonic()
            counts = Counter()
        number += step


if __name__ == "__main__":
    sys.exit(main())
