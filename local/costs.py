"""Works out what a deployment costs a month, by how many documents it holds.

`python -m local.costs` writes the table of docs/costs.md anew. Prices are lists' of a day, in
dollars and without free tiers; sizes are those that docs/operations.md has measured.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnote.ingest.upkeep.generations import MARGIN
from local.paths import ROOT

PAGE = ROOT / "docs" / "costs.md"
BLOCK = re.compile(r"(?<=<!-- sizes:begin -->\n).*?(?=<!-- sizes:end -->)", re.DOTALL)

DAY = "2026-11-28"  # us-east-1, as known then; nobody has asked AWS's price list
HOURS = 730  # of a month
DISK = 0.122  # gp3 of a domain, a GB and month
S3 = 0.023  # a GB and month
THOUSAND_PAGES = 0.03  # added: docs/costs.md
CACHED = 0.01  # likewise, DynamoDB: 6,600 vectors of 1.7 KB for 90 days, $0.25 a GB and month
REST = 3.20  # a month: queues that are polled, alarms, `sweep`

PAGES = 10  # of a document; no measure, a choice
CHUNKS = 6.6  # of a page
CHUNK = 4_500  # bytes on disk: docs/operations.md#size
VECTOR = 1.1 * (4 * 384 + 8 * 16)  # bytes in memory, by OpenSearch's formula for its graphs
STORED = 20_000  # bytes of a page in S3, half of them the original: eight reports of 489 pages
FREE = 0.95 * 0.8 / (1 + MARGIN)  # of a disk: AWS keeps the rest, and a re-index wants its room
MOST_HEAP = 32  # GiB: AWS gives the heap half of a node's memory, up to this
LARGER = "; more than the template makes: a domain of your own"
MOST_NODES, MOST_DISK = 9, 1_000  # of the template's parameters; GB of each node


@dataclass(frozen=True)
class Node:
    """A type of node: its memory in GiB, its dollars an hour."""

    name: str
    memory: float
    price: float

    @property
    def for_vectors(self) -> float:
        """Returns the bytes of memory that the heap leaves."""
        return (self.memory - min(self.memory / 2, MOST_HEAP)) * 2**30


NODES = (
    Node("t3.small.search", 2, 0.036),
    Node("t3.medium.search", 4, 0.073),
    Node("r6g.large.search", 16, 0.167),
    Node("r6g.xlarge.search", 32, 0.335),
    Node("r6g.2xlarge.search", 64, 0.669),
    Node("r6g.4xlarge.search", 128, 1.339),
    Node("r6g.8xlarge.search", 256, 2.677),
    Node("r6g.12xlarge.search", 384, 4.016),
)


@dataclass(frozen=True)
class Domain:
    """Nodes of one type with a disk each, in GB, and how many of them the index needs."""

    node: Node
    nodes: int
    disk: int

    @property
    def price(self) -> float:
        """Returns its dollars a month."""
        return self.nodes * (self.node.price * HOURS + self.disk * DISK)

    @property
    def is_of_the_template(self) -> bool:
        return self.nodes <= MOST_NODES and self.disk <= MOST_DISK


def smallest(chunks: float, copies: int) -> Domain:
    """Returns the cheapest domain whose memory holds all vectors, and whose disk all chunks.

    Two copies stand on three nodes or more, as docs/operations.md advises. A domain that the
    template can make goes before a cheaper one that it cannot.
    """
    fewest = 1 if copies == 1 else 3
    domains = [_fitting(node, chunks, copies, fewest) for node in NODES]
    return min(domains, key=lambda domain: (not domain.is_of_the_template, domain.price))


def _fitting(node: Node, chunks: float, copies: int, fewest: int) -> Domain:
    nodes = math.ceil(max(fewest, copies * chunks * VECTOR / node.for_vectors))
    nodes = next((step for step in (1, 3, 6, MOST_NODES) if step >= nodes), nodes)
    disk = copies * chunks * CHUNK / FREE / nodes / 2**30
    return Domain(node, nodes, max(20, 10 * math.ceil(disk / 10)))


def table(sizes: Sequence[int] = (1_000, 100_000, 10_000_000)) -> str:
    """Returns the table in Markdown: a row for each number of documents and copies."""
    lines = [
        f"Prices of {DAY}. A document has {PAGES} pages, a page {CHUNKS} chunks.",
        "",
        "| documents | chunks | copies | domain | $ a month | S3 | rest | **sum** | to add |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for documents in sizes:
        pages = documents * PAGES
        for copies in (1, 2):
            domain = smallest(pages * CHUNKS, copies)
            stored = pages * STORED / 1e9 * S3
            note = "" if domain.is_of_the_template else LARGER
            added = pages / 1_000 * (THOUSAND_PAGES + CACHED)
            lines.append(
                f"| {documents:,} | {pages * CHUNKS:,.0f} | {copies} "
                f"| {domain.nodes} of {domain.node.name}, {domain.disk:,} GB each{note} "
                f"| {domain.price:,.0f} | {stored:,.2f} | {REST:.2f} "
                f"| **{domain.price + stored + REST:,.0f}** | {added:,.2f} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the table into its page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
