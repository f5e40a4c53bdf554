"""What an index in a file would cost: the in-memory index, loaded whole, in place of a domain.

usage: python -m tests.bench.search_in_memory [--chunks 1000,10000,50000] [--output memory.json]

An experiment, not a part of the product: docs/experiments-search.md has its answer. The chunks,
nodes and questions are those of `search_scale`. Each size is packed as one file in this process. A
fresh process then does what a cold function would: it loads the file and searches by the legs of
`hybrid`. Two forms: `objects`, which is `MemorySearchIndex` as it stands, and `arrays`, the least
that any form could be: vectors as one matrix and postings as numbers, without filters, nodes and
exact terms.
"""

import argparse
import gzip
import json
import math
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from evals.intervals import medians
from footnote.adapters.memory.scores import words
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.model import IndexedChunk, LegsQuery, Scope
from footnote.wire import Json
from tests.bench.search_scale import A_DOCUMENT, TENANT, Maker

DIMENSIONS = 384
QUESTIONS, WARM = 5, 1
SIZE = 200  # candidates of a leg, as `hybrid` takes them
LEGS = ("words", "meaning", "page", "document", "named")
K1, B = 1.2, 0.75


def fill(maker: Maker, chunks: int) -> tuple[MemorySearchIndex, list[Any]]:
    index, every = MemorySearchIndex(dimensions=DIMENSIONS), []
    for number in range(chunks // A_DOCUMENT):
        entries = maker.document(number)
        index.write(entries)
        every += entries
    return index, every


def pack_arrays(every: list[Any]) -> Json:
    """Returns vectors as a matrix, and for each word the chunks that have it, with its weight."""
    chunks = [one.chunk for one in every if isinstance(one, IndexedChunk)]
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    lengths = []
    for at, chunk in enumerate(chunks):
        bag = Counter(words(f"{chunk.context} {chunk.text}"))
        lengths.append(bag.total())
        for word, count in bag.items():
            postings[word].append((at, count))
    vectors = [one.vector for one in every if isinstance(one, IndexedChunk)]
    mean = sum(lengths) / len(lengths)
    packed = {}
    for word, found in postings.items():
        at, count = np.array(found, dtype=np.int32).T
        norm = K1 * (1 - B + B * np.array([lengths[n] for n in at]) / mean)
        rarity = math.log(1 + (len(chunks) - len(at) + 0.5) / (len(at) + 0.5))
        packed[word] = (at, (rarity * count / (count + norm)).astype(np.float32))
    texts = [chunk.text for chunk in chunks]
    return {"vectors": np.array(vectors, dtype=np.float32), "postings": packed, "texts": texts}


def search_arrays(held: Json, text: str, vector: list[float]) -> list[int]:
    scores = np.zeros(len(held["texts"]), dtype=np.float32)
    for word in words(text):
        if word in held["postings"]:
            at, weight = held["postings"][word]
            scores[at] += weight
    near = held["vectors"] @ np.array(vector, dtype=np.float32)
    return [*np.argsort(-scores)[:SIZE], *np.argsort(-near)[:SIZE]]


def save(made: object, file: Path) -> Json:
    """Writes a file as a writer would. Returns its size and the processor's seconds."""
    used = time.process_time()
    with gzip.open(file, "wb", compresslevel=1) as out:
        pickle.dump(made, out, protocol=5)
    return {
        "file_mb": round(file.stat().st_size / 1e6, 1),
        "save_cpu_s": round(time.process_time() - used, 2),
    }


def memory_mb() -> int:
    """Returns the most that this process has held, its libraries included."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1000


def cold(form: str, file: Path) -> Json:
    """Loads a file and searches it, in a process that has done nothing else."""
    before, used = memory_mb(), time.process_time()
    with gzip.open(file) as source:
        held = pickle.load(source)  # noqa: S301 - this program has written it
    found: Json = {"load_cpu_s": round(time.process_time() - used, 2)}
    maker = Maker(DIMENSIONS)
    took = []
    for number in range(QUESTIONS + WARM):
        text, [vector] = maker.text(8), maker.vectors(1)
        query = LegsQuery(
            text=text, vector=vector, scope=Scope(tenant=TENANT), legs=LEGS, size=SIZE
        )
        used = time.process_time()
        if form == "objects":
            least = min(len(held.search(query)[leg]) for leg in ("words", "meaning"))
        else:
            least = len(search_arrays(held, text, vector)) // 2
        if least < SIZE / 2:
            raise ValueError(f"only {least} of {SIZE} candidates were found")
        if number >= WARM:
            took.append(1000 * (time.process_time() - used))
    found["search_cpu_ms"] = [round(one, 1) for one in medians(took)]
    return found | {"memory_mb": memory_mb(), "of_it_python_mb": before}


def measure(chunks: int, folder: Path) -> Json:
    index, every = fill(Maker(DIMENSIONS), chunks)
    row: Json = {"chunks": chunks}
    for form, made in (("objects", index), ("arrays", pack_arrays(every))):
        file = folder / f"{form}.pickle.gz"
        written = save(made, file)
        command = [sys.executable, "-m", "tests.bench.search_in_memory", "--cold", form, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        row[form] = written | json.loads(done.stdout)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chunks", default="1000,10000,50000")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--cold", nargs=2, metavar=("FORM", "FILE"), help="of this program's own")
    options = parser.parse_args()
    if options.cold:
        print(json.dumps(cold(options.cold[0], Path(options.cold[1]))))
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for chunks in map(int, options.chunks.split(",")):
            rows.append(measure(chunks, Path(folder)))
            print(json.dumps(rows[-1]), flush=True)
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
