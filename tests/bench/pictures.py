"""Times pictures of pages on the running stack: drawn first, then from the bucket.

usage: python -m local.stack run -- python -m tests.bench.pictures DOCS [--pages N]

DOCS is a folder of PDFs. Of each, N pages in even steps are asked for: the link with JSON, then the
picture itself. A third pass asks one client's way through neighbours.
"""

import argparse
import statistics
import time
from pathlib import Path

import pymupdf

from footnote.client import Client


def timed(work):
    started = time.perf_counter()
    found = work()
    return found, 1000 * (time.perf_counter() - started)


def told(name, values, unit):
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(f"{name:24} median {statistics.median(ordered):7.0f} {unit}  p95 {p95:7.0f} {unit}"
          f"  most {ordered[-1]:7.0f} {unit}  n {len(ordered)}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--files", type=int, default=100)
    given = parser.parse_args()
    files = sorted(given.docs.glob("*.pdf"))[: given.files]
    with Client.connect() as client:
        client.wait([client.add(file) for file in files], lambda _: None, seconds=900)
        first, again, fetched, sizes = [], [], [], []
        for file in files:
            count = pymupdf.open(file).page_count
            for number in sorted({1 + n * count // given.pages for n in range(given.pages)}):
                link, ms = timed(lambda f=file, n=number: client.picture(f.name, n))
                first.append(ms)
                again.append(timed(lambda f=file, n=number: client.picture(f.name, n))[1])
                body, ms = timed(lambda one=link: client.fetch(one))
                fetched.append(ms)
                sizes.append(len(body) / 1000)
    told("link, drawn", first, "ms")
    told("link, drawn before", again, "ms")
    told("picture from the bucket", fetched, "ms")
    told("picture", sizes, "KB")


if __name__ == "__main__":
    main()
