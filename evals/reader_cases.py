"""Collects what the reader is trained on: questions, and the lines and hits found for them.

    python -m evals.reader_cases evals/reading.zip cases.jsonl

The zip has folders, each with docs/*.md and qa.jsonl: texts and questions that were written for
this. A line of qa.jsonl has `id`, `doc`, `question`, `answerable`, and `lines`, the sentences and
rows that state the answer, word for word. They are searched as any question is, each folder by
itself, so that the lines beside the right ones are those that a search finds. Every second question
is asked of its document alone, and every fifth of all but that. Hits are those of all documents, in
the form in which the reader is shown them (`ask/find/reader_signal.py`).
"""

import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from evals.ask_cases import documents, qa_cases
from evals.caches import FileCache
from evals.calibrate_extractive import Graded, graded
from evals.library import TENANT, open_library
from evals.node import start_node
from evals.questions import rows
from evals.retrieval import CACHE
from footnote.ask.evidence.line_judge import parts_to_read
from footnote.ask.find.hits import find_hits
from footnote.ask.find.ports import Ports
from footnote.ask.find.reader_signal import excerpts
from footnote.ask.query.reading import QueryReading
from footnote.ask.quote.lines import rank_lines
from footnote.model import Scope, SearchQuery
from footnote.wire import Json
from footnote.wiring.pipeline import Pipeline

LINES, HITS = 28, 24  # of a question, the best ones
MOST, LEAST, FEWEST = 0.85, 0.6, 3  # words that two lines must share to be the same
_WORD = re.compile(r"[a-z0-9]+")


def collect(folder: Path, name: str, url: str, cache: FileCache) -> Iterator[Json]:
    """Yields the cases of a folder with what was found for them."""
    gold = {row["id"]: row for row in rows(folder / "qa.jsonl")}
    library = open_library(cache, url, f"reading-{name}")
    library.add(documents(folder), lambda *_: None)
    for case in qa_cases(folder):
        found = graded(case, library.pipeline)
        if found:
            told = gold[case.id]["lines"] if case.right == "found" else ()
            document = min((name for name, _ in case.places), default="")
            hits = _hits(found.asked, document, told, library.pipeline)
            yield _written(found, document, told) | {"hits": hits}


def _hits(question: str, document: str, gold: Sequence[str], pipeline: Pipeline) -> list[Json]:
    """Returns what is read of the first hits; `gold` is None where it may be right or not.

    That is so where the hit has the sentence and what is read of it has not.
    """
    asked = SearchQuery(text=question, scope=Scope(tenant=TENANT), strategy="hybrid", k=HITS)
    ports = Ports(pipeline.index, pipeline.embedder, pipeline.catalog)
    found = find_hits(asked, ports).hits
    made = []
    for hit, text in zip(found, excerpts(QueryReading(question), found), strict=True):
        has = hit.document == document and any(_holds(hit.chunk.text, one) for one in gold)
        right = has if not has or any(_holds(text, one) for one in gold) else None
        made.append({"parts": text.split("\n"), "gold": right})
    return made


def _holds(text: str, line: str) -> bool:
    """Tells whether a text has nearly all words of a line."""
    wanted = {*_WORD.findall(line.casefold())}
    return len(wanted & {*_WORD.findall(text.casefold())}) >= MOST * len(wanted)


def _written(one: Graded, document: str, gold: Sequence[str]) -> Json:
    found = rank_lines(one.asked, one.evidence)[:LINES]
    answerable = one.case.right == "found"
    lines = [
        {
            "parts": parts_to_read(line.text, line.header, line.passage),
            "gold": line.passage.document == document
            and any(_is_same(each, line.text) for each in gold),
        }
        for line in found
    ]
    return {"id": one.case.id, "question": one.asked, "answerable": answerable, "lines": lines}


def _is_same(gold: str, line: str) -> bool:
    """Tells whether a line is the gold one, or most of it: they may have been cut differently."""
    one, other = _WORD.findall(gold.casefold()), _WORD.findall(line.casefold())
    if not one or not other:
        return False
    if " ".join(one) in " ".join(other):
        return 2 * len(one) >= len(other)
    if " ".join(other) in " ".join(one):
        return len(other) >= FEWEST
    both, sizes = len({*one} & {*other}), sorted((len({*one}), len({*other})))
    return both >= FEWEST and both >= MOST * sizes[0] and both >= LEAST * sizes[1]


def unpacked(source: Path, into: Path) -> list[Path]:
    """Unpacks the zip and writes its questions in the form that evals read."""
    with zipfile.ZipFile(source) as packed:
        packed.extractall(into)
    folders = sorted(path.parent for path in into.glob("*/qa.jsonl"))
    for folder in folders:
        made = []
        for n, row in enumerate(rows(folder / "qa.jsonl")):
            scope = "document" if n % 2 else "corpus"
            made.append({**row, "docs": [row["doc"]], "scope": scope, "source": folder.name})
        text = "".join(f"{json.dumps(row)}\n" for row in made)
        (folder / "qa.jsonl").write_text(text, encoding="utf-8")
    return folders


def main(source: Path, target: Path) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(start_node())
        cache = FileCache(CACHE)
        stack.callback(cache.close)
        folders = unpacked(source, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        out = stack.enter_context(target.open("w", encoding="utf-8"))
        for folder in folders:
            for case in collect(folder, folder.name, url, cache):
                out.write(f"{json.dumps(case)}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m evals.reader_cases reading.zip cases.jsonl")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
