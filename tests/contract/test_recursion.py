"""Lambda stops a function that its own messages invoke again and again; ours end by themselves.

After about 16 invocations that follow from one event (Lambda Developer Guide, "Use Lambda recursive
loop detection to prevent infinite loops") it drops the message. What goes round longer must be
allowed to in the template, and here it is shown to end.
"""

from functools import cache

import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.adapters.memory.small import MemoryQueues
from footnote.contracts import (
    QUEUES,
    AnnotateRequest,
    ChunkRequest,
    IndexRequest,
    ParseRequest,
    RemoveRequest,
)
from footnote.ingest.parse.pdf.page_ranges import dump_part, lost_part
from footnote.ingest.read.long_pdf import next_messages
from footnote.ingest.upkeep.failure import divide, put_off
from footnote.settings import Settings
from footnote.store import keys
from tests.template import read_template

DETECTED = 16
WHO = {"key": "acme/default/long.pdf", "version": "v1", "sequencer": "01"}
FIRST = {
    "parse": ParseRequest(**WHO),
    "chunk": ChunkRequest(**WHO, document_key="d"),
    "index": IndexRequest(**WHO, chunks_key="c", part=0, parts=1),
    "remove": RemoveRequest(**WHO),
    "annotate": AnnotateRequest(**WHO),
}
SETTINGS = Settings()
PAGES = SETTINGS.pages_a_part
LONGEST = 200
"""Invocations of parse that may follow from one upload, told in docs/operations.md."""


def again(request):
    """Yields each message that a step may send to its own queue when it is given this one."""
    if request.waits < SETTINGS.max_waits:
        queues = MemoryQueues()
        put_off(queues, request, SETTINGS.retry_seconds)
        yield from queues.sent[QUEUES[type(request)]]
    yield from divide(request)
    if isinstance(request, ParseRequest):
        yield from read_on(request)


def read_on(request):
    """Yields what a reading leaves: parts of a whole PDF, the rest of a part, the joining."""
    if not request.of:
        span = (1, 1) if request.page_by_page else (1, PAGES)
        yield request.model_copy(update={"part": span, "of": PAGES})
    elif request.part:
        first, last = request.part
        blobs = MemoryBlobStore()
        others = [(1, first - 1), (first, first), (last + 1, request.of)]
        for span in [one for one in others if one[0] <= one[1]]:  # OCR had time for one page
            blobs.put(keys.part_key(request, *span), dump_part(lost_part(span)))
        yield from next_messages(request, blobs)


@cache
def longest(request):
    """Returns how many invocations follow from a message at most, its own included."""
    return 1 + max((longest(one) for one in again(request)), default=0)


def test_every_step_that_sends_to_its_own_queue_is_looked_at():
    assert set(FIRST) == set(QUEUES.values()) - {"admit"}  # admit sends to parse only


@pytest.mark.parametrize("queue", FIRST)
def test_who_goes_round_longer_than_lambda_allows_may_and_nobody_else(queue):
    function = read_template()["Resources"][f"{queue.capitalize()}Function"]["Properties"]
    needs = longest(FIRST[queue]) > DETECTED
    assert function.get("RecursiveLoop", "Terminate") == ("Allow" if needs else "Terminate")


def test_a_part_that_is_put_off_read_in_turns_and_divided_ends():
    most = longest(FIRST["parse"])
    assert DETECTED < most <= LONGEST, most


def test_putting_off_and_dividing_alone_end_too():
    """Takes the rest of a part for nothing: what is bounded is not bounded by pages only."""
    part = ParseRequest(**WHO, part=(1, PAGES), of=PAGES)
    seen, waiting = {part}, [part]
    while waiting:
        request = waiting.pop()
        for one in again(request):
            assert progress(one) < progress(request), (request, one)
            if one not in seen:
                seen.add(one)
                waiting.append(one)


def progress(request):
    """Returns what each round makes less, in this order: pages to read, sizes, tries."""
    if request.part is None:
        return (0, 0, 0, -request.waits)
    first, last = request.part
    return (1, last - first + 1, not request.lost, -request.waits)
