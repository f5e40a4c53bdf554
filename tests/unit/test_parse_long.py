"""Long PDFs: several invocations read them in parts, with the same result as one reading."""

import random
from contextlib import suppress

import pymupdf
import pytest

from footnote.contracts import ParseRequest
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.pdf.page_ranges import (
    ONLY_PAGES,
    combine_parts,
    dump_part,
    load_part,
    lost_part,
    read_part,
    spans,
)
from footnote.ingest.parse.pdf.reader import Reader
from footnote.ingest.read import long_pdf
from footnote.ingest.upkeep.failure import divide
from footnote.model import Revision, document_id
from footnote.settings import Settings
from footnote.store import keys
from footnote.store.artifacts import load_document
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.scans import scan_pages, typed_page
from tests.unit.faces import Words

pytestmark = pytest.mark.slow

KEY = "acme/default/long.pdf"
PART = ParseRequest(key=KEY, version="v1", sequencer="01", part=(1, 4), of=9)


def book(pages: int) -> bytes:
    """Makes a PDF: running header, page numbers, headings, bookmarks, labels, table over pages."""
    file = pymupdf.open()
    for number in range(1, pages + 1):
        page = file.new_page()
        page.insert_text((72, 40), "Harbour handbook", fontsize=8)
        page.insert_text((290, 810), str(number), fontsize=8)
        if number % 3 == 1:
            page.insert_text((72, 90), f"{number // 3 + 1} Quay {number}", fontsize=18)
        for line in range(6):
            words = f"Line {line} of page {number} tells of barge {number * 7 + line}, decom-"
            page.insert_text((72, 130 + 14 * line), words)
            page.insert_text((72, 137 + 14 * line), "posed by rust.", fontsize=6)
        for row in range(4):
            for column, cell in enumerate(("Barge", f"{number}{row}", "84")):
                page.insert_text((72 + 120 * column, 700 + 14 * row), cell)
    file.set_toc([[1, "The first quay", 1], [1, "The last quay", pages]])
    file.set_page_labels([{"startpage": 0, "style": "r"}, {"startpage": 3, "style": "D"}])
    file.set_metadata({"title": "Harbour handbook", "author": "Ana"})
    return file.tobytes()


def in_parts(body, name, pages):
    allowance = Allowance()
    texts: dict[str, str] = {}
    stored = [
        dump_part(read_part(body, name, allowance, span)) for span in spans(body, name, pages)
    ]
    return combine_parts([load_part(blob, 0, texts) for blob in stored], name)


@pytest.fixture
def pipeline():
    settings = Settings(backend="memory", pages_a_part=4)
    return Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())


def record(pipeline):
    return pipeline.catalog.get(document_id(KEY))


def stored_document(pipeline):
    return pipeline.artifacts.get(keys.document_key(record(pipeline).revision))


def arrived(pipeline, body):
    """Puts the file in the bucket. Returns its message, which no step has handled yet."""
    event = pipeline.uploads.put(KEY, body)
    pipeline.uploads.take_events()
    return ParseRequest(**event.identity, size=len(body))


@pytest.mark.parametrize("pages", [1, 2, 4, 10])
def test_parts_make_the_document_that_one_invocation_makes(pages):
    body = book(11)
    assert in_parts(body, "long.pdf", pages) == parse(body, "long.pdf")


def test_a_file_is_divided_by_its_pages():
    found = [spans(book(pages), "a.pdf", 4) for pages in (4, 5)]
    assert found == [[(1, 4)], [(1, 4), (5, 5)]]


@pytest.mark.parametrize("pages", [3, 9])
def test_a_pdf_without_text_ends_so_in_parts_too(pipeline, pages):
    file = pymupdf.open()
    for _ in range(pages):
        file.new_page()
    found = pipeline.upload(KEY, file.tobytes())
    assert (found.status, found.error.code) == ("FAILED", "no_text")


@pytest.mark.skipif(
    tessdata.folder() is None, reason="no OCR language data: `make setup` installs it"
)
@pytest.mark.parametrize("pages_a_part", [2, 100])
def test_what_ocr_has_no_time_for_is_handed_on(pages_a_part):
    settings = Settings(backend="memory", pages_a_part=pages_a_part, ocr_pages=1)
    pipeline = Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())
    prose = "The quay of the harbour was built of stone by the barge masters long ago."
    file = pymupdf.open()
    for number in range(4):
        file.insert_pdf(
            scan_pages(typed_page(f"{prose} Page {number} of it tells the same again."))
        )
    found = pipeline.upload(KEY, file.tobytes())
    assert (found.status, found.pages, len(found.warnings)) == ("READY", 4, 1)
    assert found.warnings[0].startswith("Pages 1-4 have text that was read by OCR")


def test_a_long_pdf_becomes_ready_with_all_its_pages(pipeline):
    body = book(11)
    record = pipeline.upload(KEY, body)
    alone = Pipeline(Settings(backend="memory"), embedder=HashEmbedder(), tokenizer=Words())
    at_once = alone.upload(KEY, body)
    assert (record.status, record.pages, record.chunks) == ("READY", 11, at_once.chunks)
    assert record.title == at_once.title == "Harbour handbook"
    assert stored_document(pipeline) == alone.artifacts.get(keys.document_key(at_once.revision))
    assert keys.stored_parts(pipeline.artifacts, record.revision) == []


def test_messages_that_come_again_in_any_order_change_nothing(pipeline):
    chance = random.Random(7)
    for _ in range(8):
        again = Pipeline(pipeline.settings, embedder=HashEmbedder(), tokenizer=Words())
        again.uploads.put(KEY, book(11))
        again._notify()
        while waiting := [
            queue for queue in ("admit", "parse", "chunk", "index") if again.queues.sent[queue]
        ]:
            queue = chance.choice(waiting)
            at = chance.randrange(len(again.queues.sent[queue]))
            message = again.queues.sent[queue].pop(at)
            twice = 1 + (chance.random() < 0.4)
            for _ in range(twice):
                assert step_of(queue).deliver(message.model_dump_json(), again, last=False)
        found = record(again)
        assert (found.status, found.pages) == ("READY", 11)
        entries = again.index._get(again.index.ensure())
        assert len(entries) == found.chunks


def test_a_part_that_is_stored_is_not_read_again(pipeline):
    first = arrived(pipeline, book(9))
    sent = step_of("parse").run(first, pipeline)
    assert [(one.part, one.of) for one in sent] == [((1, 4), 9), ((5, 8), 9), ((9, 9), 9)]
    assert step_of("parse").run(sent[0], pipeline) == []
    before = pipeline.artifacts.get(keys.part_key(first, 1, 4))
    pipeline.artifacts.put(keys.part_key(first, 1, 4), before + b"\0")
    assert step_of("parse").run(sent[0], pipeline) == []
    assert pipeline.artifacts.get(keys.part_key(first, 1, 4)) == before + b"\0"


def test_a_page_that_kills_its_step_is_named_and_the_others_are_read(pipeline):
    deadly, killed = 6, []
    pipeline.uploads.put(KEY, book(9))
    pipeline._notify()
    while any(pipeline.queues.sent.values()):
        queue = next(queue for queue, sent in pipeline.queues.sent.items() if sent)
        message = pipeline.queues.sent[queue].pop(0)
        part = getattr(message, "part", None)
        receives = 1
        if part and part[0] <= deadly <= part[1] and not message.lost:
            killed.append(part)
            receives = pipeline.settings.max_receives + 1  # it was stopped each time before
        step_of(queue).receive(message.model_dump_json(), pipeline, receives)
    found = record(pipeline)
    assert (found.status, found.pages, killed) == ("READY", 9, [(5, 8), (6, 6)])
    assert found.warnings == (
        "Page 6 has more in it than there is time or memory for, and was left out.",
    )


def test_a_pdf_of_which_no_page_can_be_read_is_corrupt(pipeline):
    event = arrived(pipeline, book(9))
    step_of("parse").run(event, pipeline)
    lost = event.model_copy(update={"part": (1, 9), "of": 9, "lost": True})
    pipeline.queues.send("parse", [lost])
    pipeline.drain()
    assert (record(pipeline).status, record(pipeline).error.code) == ("FAILED", "corrupt")


def test_a_stopped_part_is_divided_until_it_is_one_page():
    assert [one.part for one in divide(PART)] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    hundred = PART.model_copy(update={"part": (101, 200)})
    assert [one.part for one in divide(hundred)][:2] == [(101, 110), (111, 120)]
    page = PART.model_copy(update={"part": (6, 6)})
    assert [(one.part, one.lost) for one in divide(page)] == [((6, 6), True)]
    assert divide(page.model_copy(update={"lost": True})) == []


def test_a_pdf_that_was_stopped_as_a_whole_is_read_page_by_page():
    whole = ParseRequest(key=KEY, version="v1", sequencer="01", waits=2)
    [again] = divide(whole)
    assert (again.page_by_page, again.waits, again.part) == (True, 0, None)
    assert divide(again) == []
    assert divide(whole.model_copy(update={"of": 9})) == []  # joining was stopped
    assert divide(whole.model_copy(update={"key": "acme/default/notes.txt"})) == []


def stopping(pipeline, monkeypatch, bad):
    """Runs the parse step as it is deployed, on a file whose page `bad` ends the process.

    After four such ends the message is buried.
    """
    read = Reader.read

    def stopped(self, file, number):
        if number == bad:
            raise Killed
        return read(self, file, number)

    monkeypatch.setattr(Reader, "read", stopped)
    waiting = pipeline.queues.sent["parse"]
    while waiting:
        body = waiting.pop(0).model_dump_json()
        for receives in range(1, pipeline.settings.max_receives + 2):
            with suppress(Killed):
                if step_of("parse").receive(body, pipeline, receives):
                    break
    pipeline.drain()


class Killed(BaseException):
    """Ends a process: no step catches it."""


@pytest.mark.parametrize("bad", [1, 2, 3])
def test_a_short_pdf_with_a_page_that_stops_its_step_becomes_ready_without_it(
    pipeline, monkeypatch, bad
):
    body = book(3)
    pipeline.queues.sent["parse"] = [arrived(pipeline, body)]
    stopping(pipeline, monkeypatch, bad)
    found = record(pipeline)
    assert (found.status, found.pages) == ("READY", 3)
    assert found.warnings == (
        f"Page {bad} has more in it than there is time or memory for, and was left out.",
    )
    assert found.title == "Harbour handbook"
    document = load_document(stored_document(pipeline))
    assert [
        page.number for page in document.pages if document.text[page.start : page.end].strip()
    ] == [number for number in (1, 2, 3) if number != bad]


def test_that_nothing_but_pages_was_read_is_said():
    read = [read_part(book(3), "a.pdf", Allowance(), (3, 3))]
    found = combine_parts([lost_part((1, 2)), *read], "a.pdf")
    assert ONLY_PAGES in found.document.warnings


@pytest.mark.parametrize(
    ("stored", "chosen"),
    [
        ([(1, 4), (5, 9)], [(1, 4), (5, 9)]),
        ([(5, 9), (1, 4)], [(1, 4), (5, 9)]),
        ([(1, 4), (3, 6), (5, 9)], [(1, 4), (3, 6), (5, 9)]),
        ([(1, 2), (1, 4), (3, 4), (5, 9)], [(1, 4), (5, 9)]),
        ([(1, 4), (6, 9)], None),
        ([(2, 9)], None),
        ([(1, 8)], None),
        ([], None),
    ],
)
def test_parts_are_chosen_that_hold_every_page(stored, chosen):
    assert long_pdf.choose_parts(stored, 9) == chosen


def test_parts_that_overlap_hold_each_page_once(pipeline):
    body, event = book(9), Revision(key=KEY, version="v1", sequencer="01")
    request = ParseRequest(**event.identity, of=9)
    for span in ((1, 5), (3, 7), (6, 9)):
        part = read_part(body, "long.pdf", Allowance(), span)
        pipeline.artifacts.put(keys.part_key(event, *span), dump_part(part))
    parsed, _ = long_pdf.join_stored(request, Allowance(), pipeline.artifacts)
    assert parsed == parse(body, "long.pdf")


def test_parts_of_an_older_version_go_with_it(pipeline):
    event = Revision(key=KEY, version="v1", sequencer="01")
    pipeline.artifacts.put(keys.part_key(event, 1, 4), b"part")
    keys.remove_older(pipeline.artifacts, event.model_copy(update={"sequencer": "02"}))
    assert pipeline.artifacts.keys("") == []


def test_a_delete_while_parts_are_read_leaves_nothing(pipeline):
    first = arrived(pipeline, book(9))
    pipeline.queues.sent["parse"] = list(step_of("parse").run(first, pipeline))
    step_of("parse").run(pipeline.queues.sent["parse"].pop(0), pipeline)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    assert record(pipeline).status == "DELETED"
    assert pipeline.artifacts.keys("") == []
