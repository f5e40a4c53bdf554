"""What a sweep takes for missed, orphaned or useless, at the borders that histories rarely meet."""

import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.contracts import ParseRequest
from footnote.ingest.parse.pdf.page_ranges import dump_part, lost_part
from footnote.ingest.read.long_pdf import next_messages
from footnote.ingest.upkeep.compare import is_missed, is_useless
from footnote.model import Record, Revision, Upload, document_id
from footnote.store import keys
from footnote.store.keys import event_folder

KEY = "acme/default/a.md"
EVENT = Revision(key=KEY, version="v1", sequencer="05")


def record(**given):
    about = {"key": KEY, "version": "v1", "sequencer": "05", "status": "READY", **given}
    return Record(document_id=document_id(KEY), **about)


def upload(version):
    return Upload(key=KEY, version=version, size=3, modified="2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("known", "version", "missed"),
    [
        (None, "v1", True),
        (record(), "v1", False),
        (record(), "v2", True),
        (record(status="DELETED"), "v1", True),  # it lies there again: a marker was taken away
    ],
)
def test_a_file_that_the_table_does_not_say_to_be_there_is_missed(known, version, missed):
    assert is_missed(known, upload(version)) == missed


def test_what_a_deleted_event_has_left_is_useless_and_what_an_event_works_on_is_not():
    folder = event_folder(EVENT)
    assert not is_useless(record(), folder)
    assert is_useless(record(status="DELETED"), folder)
    assert is_useless(record(sequencer="06"), folder)
    assert not is_useless(record(sequencer="06", live_version="v1"), folder)


def test_a_part_of_which_pages_are_missing_is_gone_on_with_before_anything_is_joined():
    request = ParseRequest(**EVENT.identity, part=(1, 9), of=9)
    blobs = MemoryBlobStore()
    blobs.put(keys.part_key(request, 1, 4), dump_part(lost_part((1, 4))))
    assert [one.part for one in next_messages(request, blobs)] == [(5, 9)]
    blobs.put(keys.part_key(request, 5, 9), dump_part(lost_part((5, 9))))
    assert [one.part for one in next_messages(request, blobs)] == [None]
