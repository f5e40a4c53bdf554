"""`make bench-embedding`: our embedding beside sentence-transformers on torch, on one core.

Pace: both embed the same chunks in turn, and processor time counts. Quality: nDCG@10 of the
vectors alone on the collections in ../shared/data/text_retrieval, where they are there. The peer
computes in 32-bit floats, so its figures are what 8 bits could lose.

It exits with 1 when we are less than 3.5 times as fast, or lose more than .005 in a collection.
"""

import json
import math
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footnote.adapters.embedding.minilm import MiniLM
from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer
from footnote.errors import BadDocumentError
from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.parse import parse
from footnote.model import Revision
from local.build_model import RECIPES, find_weights
from local.paths import HOME, ROOT, TOOLS

PEER = HOME / "embedding-venv" / "bin" / "python"
SCRIPT = ROOT / "tests" / "bench" / "peers" / "sentence_vectors.py"
MODEL = TOOLS / "model"
DATA = ROOT.parent / "shared" / "data"
CHUNKS = 64  # in a round
ROUNDS = 5
LEAST_PACE = 3.5
MOST_LOST = 0.005
DEPTH = 10

type Vectors = NDArray[np.float32]


class Collection(NamedTuple):
    documents: dict[str, str]  # id → text
    queries: dict[str, str]
    relevant: Mapping[str, Mapping[str, int]]  # query → document → grade


class Peer:
    """The other process, which loads its model once."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._answer()

    def _answer(self) -> str:
        if self._process.stdout is None or not (line := self._process.stdout.readline()):
            raise RuntimeError("the peer ended; its message is above")
        return line

    def embed(self, texts: Sequence[str]) -> tuple[float, Vectors]:
        """Returns CPU seconds and vectors."""
        print(json.dumps(list(texts)), file=self._process.stdin, flush=True)
        seconds, file = json.loads(self._answer())
        return seconds, np.load(file)


@contextmanager
def start_peer() -> Iterator[Peer]:
    with tempfile.TemporaryDirectory() as folder:
        command = [PEER, SCRIPT, find_weights(RECIPES["english"]) / "model", folder]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Peer(process)
            finally:
                process.terminate()


def embed(model: MiniLM, texts: Sequence[str]) -> tuple[float, Vectors]:
    started = time.process_time()
    vectors = model.embed(texts, "document")
    return time.process_time() - started, np.array(vectors, np.float32)


def sample_chunks() -> list[str]:
    """Returns chunks as they are indexed, evenly from the shared documents or from our samples."""
    folder = DATA / "docs" if (DATA / "docs").is_dir() else ROOT / "samples" / "documents"
    count, found = MiniLMTokenizer(MODEL).count, []
    for file in sorted(folder.iterdir()):
        revision = Revision(key=f"bench/docs/{file.name}", version="v1", sequencer="1")
        try:
            document = parse(file.read_bytes(), file.name).document
        except BadDocumentError:  # the scan; a sidecar
            continue
        found += [each.indexed_text for each in chunk(document, revision, count)]
    wanted = CHUNKS * ROUNDS
    return found[:: max(1, len(found) // wanted)][:wanted]


def race(peer: Peer, model: MiniLM) -> float:
    """Returns how many times as fast we are: the median of the rounds."""
    chunks = sample_chunks()
    peer.embed(chunks[:4])
    embed(model, chunks[:4])
    ratios = []
    for start in range(0, len(chunks), CHUNKS):
        texts = chunks[start : start + CHUNKS]
        ours, made = embed(model, texts)
        theirs, wanted = peer.embed(texts)
        cosines = (made * wanted).sum(1)
        ratios.append(theirs / ours)
        print(
            f"  {len(texts)} chunks: {len(texts) / ours:5.1f} a CPU second, the peer"
            f" {len(texts) / theirs:5.1f}, cosine at least {cosines.min():.4f}",
            flush=True,
        )
    return float(np.median(ratios))


def read_collection(folder: Path) -> Collection:
    def lines(name: str) -> dict[str, str]:
        rows = map(json.loads, (folder / name).read_text(encoding="utf-8").splitlines())
        return {row["_id"]: f"{row.get('title', '')} {row['text']}".strip() for row in rows}

    relevant: dict[str, dict[str, int]] = defaultdict(dict)
    for row in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, grade = row.split("\t")
        relevant[query][document] = int(grade)
    return Collection(lines("corpus.jsonl"), lines("queries.jsonl"), relevant)


def ndcg(collection: Collection, documents: Vectors, queries: Vectors) -> float:
    """Returns the mean nDCG of the first DEPTH (linear gain, logarithmic discount)."""
    ids = list(collection.documents)
    found = []
    for query, scores in zip(collection.queries, queries @ documents.T, strict=True):
        if grades := collection.relevant.get(query):
            first = np.argsort(-scores, kind="stable")[:DEPTH]
            best = sorted(grades.values(), reverse=True)[:DEPTH]
            found.append(dcg([grades.get(ids[n], 0) for n in first]) / dcg(best))
    return sum(found) / len(found)


def dcg(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def lost(peer: Peer, model: MiniLM, folder: Path) -> float:
    """Returns how much less nDCG@10 our vectors have than the peer's."""
    collection = read_collection(folder)
    texts = [list(collection.documents.values()), list(collection.queries.values())]
    theirs = ndcg(collection, *(peer.embed(each)[1] for each in texts))
    ours = ndcg(collection, *(embed(model, each)[1] for each in texts))
    print(f"  {folder.name}: nDCG@10 {ours:.4f}, the peer {theirs:.4f}", flush=True)
    return theirs - ours


def main() -> int:
    if not PEER.is_file():
        print("the peer is not installed: `make bench-embedding` does it", file=sys.stderr)
        return 1
    model = MiniLM(MODEL, threads=1)
    with start_peer() as peer:
        pace = race(peer, model)
        print(f"{pace:.2f} times sentence-transformers; {LEAST_PACE} are asked for")
        folders = sorted(DATA.glob("text_retrieval/*/"))
        most = max((lost(peer, model, folder) for folder in folders), default=0.0)
    print(f"nDCG@10 lost: {most:.4f} at most; {MOST_LOST} are allowed; {len(folders)} collections")
    return 1 if pace < LEAST_PACE or most > MOST_LOST else 0


if __name__ == "__main__":
    sys.exit(main())
