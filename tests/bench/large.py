"""Makes large files and runs one step of adding them in a process of its own.

python -m tests.bench.large STEP FILE    prints {"seconds", "peak_mb", "note"}
"""

import json
import os
import sys
import time
from pathlib import Path

import pymupdf

from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer
from footnote.errors import BadDocumentError
from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.pdf.page_ranges import (
    combine_parts,
    dump_part,
    load_part,
    read_part,
    spans,
)
from footnote.model import Revision
from footnote.settings import Settings
from footnote.store.artifacts import dump_document, load_document, pack_words
from footnote.wiring.pipeline import MODEL

WORDS = Path(__file__).with_name("large.py").read_text(encoding="utf-8").split()
EVENT = Revision(key="bench/large/file", version="1", sequencer="01")


def line(number: int) -> str:
    return " ".join(WORDS[(number * 31 + i) % len(WORDS)] for i in range(9))[:90]


def text_pdf(path: Path, pages: int) -> None:
    """Writes pages of 42 lines with a heading on every seventh; repeats 100 pages, to be quick."""
    with pymupdf.open() as some, pymupdf.open() as file:
        for number in range(min(pages, 100)):
            page = some.new_page()
            if number % 7 == 0:
                page.insert_text((72, 60), f"{number // 7 + 1} Lighthouses", fontsize=16)
            for n in range(42):
                page.insert_text((72, 90 + 16 * n), line(number * 42 + n), fontsize=9)
        for _ in range(max(1, pages // 100)):
            file.insert_pdf(some)
        file.save(path, deflate=True)


def picture_pdf(path: Path, pages: int, megabytes: int) -> None:
    """Writes pages of twelve lines and a picture that does not compress."""
    side = int((megabytes * 1_000_000 / pages / 3) ** 0.5)
    with pymupdf.open() as file:
        for number in range(pages):
            page = file.new_page()
            for n in range(12):
                page.insert_text((72, 60 + 16 * n), line(number * 12 + n), fontsize=9)
            pixels = os.urandom(side * side * 3)
            picture = pymupdf.Pixmap(pymupdf.csRGB, side, side, pixels, False)
            page.insert_image((72, 300, 500, 728), pixmap=picture)
        file.save(path)


def text(path: Path, megabytes: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(megabytes * 1_000_000 // 500):
            file.write(". ".join(line(number * 6 + n) for n in range(6))[:497] + ".\n\n")


def table(path: Path, megabytes: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("number,name,amount,note\n")
        for number in range(megabytes * 1_000_000 // 100):
            cells = line(number).replace(",", "").replace('"', "")[:70]
            file.write(f"{number},barge {number % 97},{number * 13 % 9973},{cells}\n")


def parse_at_once(path: Path) -> str:
    document, _ = pack_words(parse(path.read_bytes(), path.name))
    path.with_suffix(".document").write_bytes(dump_document(document))
    return f"{len(document.text):,} characters"


def parse_part(path: Path) -> str:
    """Reads the first part as one invocation does; returns a note of the parts and their size."""
    body = path.read_bytes()
    parts = spans(body, path.name, Settings().pages_a_part)
    part = read_part(body, path.name, Allowance(), parts[0])
    return f"{len(parts)} parts, pages 1 to {part.last}, {len(dump_part(part)) >> 10} KB"


def store_parts(path: Path) -> str:
    body = path.read_bytes()
    for span in spans(body, path.name, Settings().pages_a_part):
        part = read_part(body, path.name, Allowance(), span)
        path.with_suffix(f".{span[0]:06d}").write_bytes(dump_part(part))
    return ""


def join_parts(path: Path) -> str:
    texts: dict[str, str] = {}
    stored = sorted(path.parent.glob(f"{path.stem}.0*"))
    parts = [load_part(one.read_bytes(), 0, texts) for one in stored]
    document, words = pack_words(combine_parts(parts, path.name))
    path.with_suffix(".document").write_bytes(dump_document(document))
    return f"{len(document.pages):,} pages, {len(words) >> 10:,} KB of word boxes"


def chunk_all(path: Path) -> str:
    document = load_document(path.with_suffix(".document").read_bytes())
    return f"{len(chunk(document, EVENT, MiniLMTokenizer(MODEL).count)):,} chunks"


STEPS = {
    "parse": parse_at_once,
    "part": parse_part,
    "store": store_parts,
    "join": join_parts,
    "chunk": chunk_all,
}


def main() -> None:
    step, path = sys.argv[1], Path(sys.argv[2])
    started = time.perf_counter()
    try:
        note = STEPS[step](path)
    except BadDocumentError as error:
        note = f"{error.code}: {error.message}"
    seconds = round(time.perf_counter() - started, 1)
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb(), "note": note}))


def peak_mb() -> int:
    """Returns this process's peak memory in MB; `getrusage` would count its parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


if __name__ == "__main__":
    main()
