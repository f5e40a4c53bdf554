"""What a soak under faults judges by: rows, lines of logs, and what rises."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.bench.soak import Look
from tests.chaos.bucket import SUFFIX
from tests.chaos.leftovers import kind_of, sort_rows
from tests.chaos.soak import ADMITTED, Outages, User, rises

FIRST = Look(0, 0.0, 0.0, mib=700, threads=80, maps=900, files=100, others=900)


def row(question, item):
    return {"question_id": {"S": question}, "item": {"S": item}}


def test_events_without_their_question_are_orphans():
    rows = [row("a", "record"), row("a", "event#1"), row("b", "event#1"), row("c", "request")]
    assert sort_rows(rows) == ({"a"}, {"b"})


def test_lines_that_warn_are_grouped_by_step_level_and_message_without_ids():
    said = '{"level": "WARNING", "message": "gone: 3f2a-17", "code": "gone"}'
    assert kind_of("footnote-soak-ParseFunction-ab12", said) == (
        "footnote-soak-Parse: WARNING gone: # gone"
    )
    assert kind_of("opensearch", "[2026][WARN ][o.o.x] took [912ms]").startswith("opensearch: WARN")
    assert kind_of("x", '{"level": "INFO", "message": "ERROR"}') == ""
    assert kind_of("x", "all is well") == ""


def test_what_is_kept_for_each_request_rises_and_what_settles_does_not():
    still = [replace(FIRST, seconds=60.0 * n) for n in range(50)]
    assert not any(rises(still).values())
    kept = [replace(one, maps=900 + 20 * n) for n, one in enumerate(still)]
    assert rises(kept) == {"threads risen": 0, "maps risen": 380, "open files risen": 0}
    filled = [replace(FIRST, threads=10), *[replace(FIRST, threads=400)] * 49]
    assert not any(rises(filled).values())


def test_a_request_may_fail_while_something_stands_still_and_shortly_after_and_not_else():
    outages = Outages(spans=[(100.0, 110.0)])
    assert [outages.touch(at, at + 1) for at in (98.0, 99.5, 105.0, 139.0, 141.0)] == [
        False, True, True, True, False,
    ]  # fmt: skip


@pytest.fixture
def user():
    made = User(SimpleNamespace(client=lambda _: None), 0, 0, Outages())
    with made.folder:
        yield made


def test_a_file_is_unknown_with_reason_only_while_it_is_new_or_closed(user):
    user.at = name = "000.txt"
    assert not user.has_reason("unknown_document", time.monotonic())
    user._note_put(user.key(name), "v1", b"", [])
    late = time.monotonic() + ADMITTED
    assert user.has_reason("unknown_document", late - ADMITTED)
    assert not user.has_reason("unknown_document", late)
    assert not user.has_reason("forbidden", late - ADMITTED)
    user._note_put(user.key(name) + SUFFIX, "s1", b'{"acl": ["board"]}', [])
    late += ADMITTED
    assert user.has_reason("unknown_document", late)
    assert user.has_reason("forbidden", late)
    user._note_mark(user.key(name) + SUFFIX, "s2")
    assert not user.has_reason("unknown_document", late + ADMITTED)
    assert user.has_reason("gone", late + ADMITTED)
