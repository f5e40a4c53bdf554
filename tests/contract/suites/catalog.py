"""The suite of the port Catalog.

It decides what the port's docstrings leave open. When `receive` gets a known event again, the
event's status counts. READY or DELETED raises SupersededError, as the work is done. FAILED or
UNSUPPORTED starts anew: that is a retry. What was learned of the file stays, as messages of the
try before may still be on their way and make it READY. In progress, nothing changes. No late
message takes a READY document back to work. A page of `documents` without a status leaves
tombstones out.
"""

from contextlib import suppress
from itertools import permutations

import pytest

from footnote.adapters.rules.catalog import LONGEST_MESSAGE, LONGEST_TITLE, PAGE_BYTES
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ConflictError,
    NotFoundError,
    SupersededError,
)
from footnote.model import (
    ALL,
    NO_SIDECAR,
    Facts,
    Problem,
    Record,
    Revision,
    Sidecar,
    Status,
    document_id,
)
from footnote.ports import Catalog
from footnote.text.condense import MAX_KINDS
from tests.contract.suites import ODD_PATHS, new_tenant

PROBLEM = Problem(code="no_text", message="no text in a.pdf", action="Upload a copy with text.")
FACTS = Facts(
    title="Größe & Gewicht",
    media_type="application/pdf",
    language="de",
    pages=12,
    tokens=5600,
    chunks=34,
    parts=2,
    warnings=("page 3 has no text", "100 % of it"),
    timings_ms={"parse": 12.345},
)
SIDECAR = Sidecar(
    version="s1",
    attributes={"year": 2023, "share": 0.1, "by": "Größe", "tags": ["a"], "final": False},
    acl=("board",),
    problem="none",
)
LARGEST_FACTS = Facts(
    title="first " + "\U0001f600" * 20_000 + " last",
    media_type="m" * 5_000,
    language="l" * 5_000,
    error=Problem(code="c" * 5_000, message="\U0001f600" * 90_000, action="a" * 90_000),
    warnings=tuple(
        f"{'ü' * 900} {''.join('abcdefghij'[int(d)] for d in str(n))}" for n in range(5000)
    ),
    metadata={f"name {n}": "\U0001f600" * 2_000 for n in range(50)},
    timings_ms={"parse": 1e9},
)
LARGEST_SIDECAR = Sidecar(
    version="s" * 1_024,
    attributes={f"{n:0128}": "ü" * 100 for n in range(30)},
    acl=tuple(f"{n:099}" for n in range(100)),
    problem="p" * 700,
)
EVENTS = tuple(permutations(["10 put", "20 remove", "30 put", "40 remove"]))


def drop_times(record: Record) -> Record:
    return record.model_copy(update={"received": "", "updated": ""})


class CatalogSuite:
    @pytest.fixture
    def catalog(self) -> Catalog:
        raise NotImplementedError

    @pytest.fixture
    def short_sighted(self) -> Catalog:
        """Returns a catalog that looks at ten documents for a page of `documents`."""
        raise NotImplementedError

    @pytest.fixture
    def tenant(self) -> str:
        return new_tenant()

    @pytest.fixture
    def key(self, tenant: str) -> str:
        return f"{tenant}/docs/a.pdf"

    # -- what sidecars say -----------------------------------------------------------------------

    def test_a_new_document_has_the_sidecar_that_came_with_it(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5, SIDECAR)
        record = catalog.get(document_id(key))
        assert (record.sidecar, record.annotation) == (SIDECAR, 0)

    def test_a_sidecar_is_noted_and_counted(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        before = catalog.get(document_id(key))
        noted = catalog.annotate(before, SIDECAR)
        assert noted == before.model_copy(update={"sidecar": SIDECAR, "annotation": 1})
        assert catalog.get(document_id(key)) == noted
        again = catalog.annotate(noted, NO_SIDECAR)
        assert (again.sidecar, again.annotation) == (NO_SIDECAR, 2)

    def test_who_read_the_record_before_another_noted_is_refused(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        before = catalog.get(document_id(key))
        catalog.annotate(before, SIDECAR)
        with pytest.raises(ConflictError):
            catalog.annotate(before, NO_SIDECAR)
        assert catalog.get(document_id(key)).sidecar == SIDECAR

    def test_a_sidecar_of_an_unknown_document_is_not_noted(self, catalog, key):
        record = Record(
            document_id=document_id(key), key=key, version="v", sequencer="1", status="READY"
        )
        with pytest.raises(NotFoundError):
            catalog.annotate(record, SIDECAR)

    def test_what_is_noted_outlives_new_versions_and_removal(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.annotate(catalog.get(document_id(key)), SIDECAR)
        catalog.receive(revision_at(key, "20"), 5, NO_SIDECAR)
        assert catalog.get(document_id(key)).sidecar == SIDECAR
        catalog.remove(revision_at(key, "30"))
        catalog.receive(revision_at(key, "40"), 5, NO_SIDECAR)
        record = catalog.get(document_id(key))
        assert (record.sidecar, record.annotation) == (SIDECAR, 1)

    def test_a_versions_own_attributes_are_kept_until_the_next_version(self, catalog, key):
        metadata = {"year": 2023, "share": 1e-99, "big": 1e99, "final": True, "tags": ["ä", ""]}
        catalog.receive(revision_at(key, "10"), 5)
        catalog.advance(revision_at(key, "10"), "CHUNKING", Facts(metadata=metadata))
        catalog.advance(revision_at(key, "10"), "INDEXING", Facts())
        assert catalog.get(document_id(key)).metadata == metadata
        catalog.receive(revision_at(key, "20"), 5)
        assert catalog.get(document_id(key)).metadata == {}

    def test_what_groups_may_read_is_told(self, catalog, tenant):
        acls = {"open": None, "board": ("board", "finance"), "closed": ()}
        keys = {name: f"{tenant}/docs/{name}" for name in acls}
        for name, acl in acls.items():
            catalog.receive(revision_at(keys[name], "10"), 5, Sidecar(version="s", acl=acl))
            catalog.publish(revision_at(keys[name], "10"))
        ids = [document_id(key) for key in keys.values()]
        seen = {
            groups: [
                [
                    name
                    for name in keys
                    if document_id(keys[name]) in catalog.visible_versions(ids, groups)
                ],
                [record.revision.path for record in catalog.documents(tenant, groups=groups)[0]],
            ]
            for groups in ((), ("legal", "finance"), (ALL,))
        }
        assert seen == {
            (): [["open"], ["open"]],
            ("legal", "finance"): [["open", "board"], ["board", "open"]],
            (ALL,): [["open", "board", "closed"], ["board", "closed", "open"]],
        }
        assert catalog.visible_versions(ids, ()) == {document_id(keys["open"]): "v10"}

    def test_a_page_is_full_of_what_the_caller_may_read(self, catalog, tenant):
        for n in range(6):
            acl = ("board",) if n % 2 else None
            catalog.receive(
                revision_at(f"{tenant}/docs/{n}", "10"), 5, Sidecar(version="s", acl=acl)
            )
        first, after = catalog.documents(tenant, limit=2, groups=())
        rest, end = catalog.documents(tenant, after=after, limit=2, groups=())
        assert [[record.key[-1] for record in page] for page in (first, rest)] == [
            ["0", "2"],
            ["4"],
        ]
        assert end == ""

    # -- versions that come again ----------------------------------------------------------------

    @pytest.mark.parametrize("status", ["RECEIVED", "FAILED", "READY"])
    def test_a_version_that_was_found_before_its_event_came_is_not_received_again(
        self, catalog, key, status
    ):
        found = revision_at(key, "10")
        catalog.receive(found, 5)
        catalog.advance(found, status, Facts())
        with pytest.raises(SupersededError, match="found in the bucket before"):
            catalog.receive(found.model_copy(update={"sequencer": "20"}), 5)
        assert catalog.get(document_id(key)).sequencer == "10"

    @pytest.mark.parametrize("version", ["v1", "null:0a"])
    def test_a_removed_version_that_is_uncovered_is_received_again(self, catalog, key, version):
        first = Revision(key=key, version=version, sequencer="10")
        catalog.receive(first, 5)
        catalog.remove(first.model_copy(update={"sequencer": "20"}))
        catalog.receive(first.model_copy(update={"sequencer": "30"}), 5)
        record = catalog.get(document_id(key))
        assert (record.status, record.version, record.sequencer) == ("RECEIVED", version, "30")

    def test_a_version_without_an_id_is_received_each_time_it_is_put(self, catalog, key):
        first = Revision(key=key, version="null:0a", sequencer="10")
        make_ready(catalog, first)
        catalog.receive(first.model_copy(update={"sequencer": "20"}), 5)
        record = catalog.get(document_id(key))
        assert (record.status, record.sequencer) == ("RECEIVED", "20")

    # -- what the table takes --------------------------------------------------------------------

    def test_facts_of_any_length_fit_into_a_record(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5, LARGEST_SIDECAR)
        for part in range(60):
            catalog.finish_part(first, 1_000_000 + part, {f"index-{part}": 12345.678})
        record = catalog.advance(first, "CHUNKING", LARGEST_FACTS)
        assert catalog.get(document_id(key)) == record
        assert len(record.title) <= LONGEST_TITLE
        assert record.title.startswith("first ") and record.title.endswith(" last")
        assert len(record.warnings) == MAX_KINDS + 1
        assert record.warnings[-1] == "4,950 more warnings of other kinds are left out."
        assert len(record.error.message) <= LONGEST_MESSAGE
        assert 0 < len(record.metadata) < len(LARGEST_FACTS.metadata)
        assert catalog.publish(first).status == "READY"

    def test_five_thousand_warnings_of_one_kind_are_one_with_their_number(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        many = tuple(f"Message {n}: Left out: a{n}.exe is a program." for n in range(5000))
        record = catalog.advance(first, "CHUNKING", Facts(warnings=many))
        assert record.warnings == (f"{many[0]} (and 4,999 more like it)",)

    def test_a_record_beyond_what_an_item_holds_is_refused(self, catalog, key):
        huge = Sidecar(version="s", attributes={"note": "x" * 420_000})
        with pytest.raises(ConfigurationError):
            catalog.receive(revision_at(key, "10"), 5, huge)
        with pytest.raises(NotFoundError):
            catalog.get(document_id(key))
        catalog.receive(revision_at(key, "10"), 5)
        with pytest.raises(ConfigurationError):
            catalog.annotate(catalog.get(document_id(key)), huge)
        assert catalog.get(document_id(key)).sidecar == NO_SIDECAR

    @pytest.mark.parametrize("name", ["", "x" * 2049, "é" * 1025])
    def test_an_id_that_no_record_can_have_is_not_found(self, catalog, name):
        with pytest.raises(NotFoundError):
            catalog.get(name)

    def test_a_page_is_no_larger_than_a_reply_may_be(self, catalog, tenant):
        metadata = {f"a{n}": "x" * 2_000 for n in range(48)}
        for n in range(30):
            revision = revision_at(f"{tenant}/docs/{n:02}", "10")
            catalog.receive(revision, 5)
            catalog.advance(revision, "CHUNKING", Facts(metadata=metadata))
        names, after, sizes = [], "", []
        while not sizes or after:
            page, after = catalog.documents(tenant, after=after, limit=500)
            sizes.append(sum(len(record.model_dump_json()) for record in page))
            names += [record.revision.path for record in page]
        assert names == [f"{n:02}" for n in range(30)]
        assert len(sizes) == 2
        assert max(sizes) <= PAGE_BYTES

    # -- a document's way ------------------------------------------------------------------------

    def test_an_arrival_is_recorded(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        record = catalog.get(document_id(key))
        assert drop_times(record) == Record(
            document_id=document_id(key),
            key=key,
            version="v10",
            sequencer="10",
            origin="10",
            status="RECEIVED",
            size=5,
        )
        assert record.received == record.updated
        assert record.updated.endswith("+00:00")

    def test_what_steps_learn_is_kept_and_timings_are_merged(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "PARSING", FACTS)
        facts = Facts(chunks=40, timings_ms={"chunk": 0.1, "index-1.2": 7})
        record = catalog.advance(first, "CHUNKING", facts)
        assert drop_times(record) == Record(
            document_id=document_id(key),
            key=key,
            version="v10",
            sequencer="10",
            origin="10",
            status="CHUNKING",
            size=5,
            title="Größe & Gewicht",
            media_type="application/pdf",
            language="de",
            pages=12,
            tokens=5600,
            chunks=40,
            parts=2,
            warnings=("page 3 has no text", "100 % of it"),
            timings_ms={"parse": 12.345, "chunk": 0.1, "index-1.2": 7},
        )
        assert catalog.get(document_id(key)) == record

    def test_the_first_event_of_a_key_is_remembered(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        assert not catalog.get(document_id(key)).has_past
        catalog.receive(revision_at(key, "20"), 5)
        catalog.advance(revision_at(key, "20"), "FAILED", Facts(error=PROBLEM))
        catalog.receive(revision_at(key, "20"), 5)
        assert catalog.get(document_id(key)).has_past
        catalog.remove(revision_at(key, "30"))
        assert catalog.get(document_id(key)).origin == "10"

    def test_what_was_spent_and_what_is_missing_add_up(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "PARSING", Facts(usd=0.0015))
        catalog.advance(first, "INDEXING", Facts(usd=0.000021, lines_missing=3))
        record = catalog.advance(first, "INDEXING", Facts(lines_missing=2, pages=1))
        assert (record.usd, record.lines_missing, record.pages) == (0.001521, 5, 1)
        assert catalog.get(document_id(key)) == record

    def test_a_newer_version_has_cost_nothing_yet(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.advance(revision_at(key, "10"), "PARSING", Facts(usd=0.5, lines_missing=1))
        catalog.receive(revision_at(key, "20"), 5)
        record = catalog.get(document_id(key))
        assert (record.usd, record.lines_missing) == (0.0, 0)

    def test_opening_again_counts_missing_lines_anew_but_not_money(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "INDEXING", Facts(usd=0.5, lines_missing=1))
        catalog.publish(first)
        record = catalog.reopen(first)
        assert (record.usd, record.lines_missing) == (0.5, 0)

    def test_parts_are_counted_once_in_any_order(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        assert catalog.finish_part(first, 2).parts_done == (2,)
        assert catalog.finish_part(first, 0).parts_done == (0, 2)
        assert catalog.finish_part(first, 2).parts_done == (0, 2)
        assert catalog.finish_part(first, 11).parts_done == (0, 2, 11)

    def test_a_published_version_is_the_one_that_queries_see(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        record = catalog.get(document_id(key))
        assert (record.status, record.live_version, record.error) == ("READY", "v10", None)
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v10"}

    def test_publishing_again_changes_nothing(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        before = drop_times(catalog.get(document_id(key)))
        assert drop_times(catalog.publish(revision_at(key, "10"))) == before

    def test_a_failure_is_kept_with_its_reason(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        record = catalog.advance(first, "FAILED", Facts(error=PROBLEM))
        assert (record.status, record.error) == ("FAILED", PROBLEM)
        assert catalog.get(document_id(key)) == record

    def test_an_unknown_document_is_not_found(self, catalog, key):
        with pytest.raises(NotFoundError):
            catalog.get(document_id(key))

    # -- the fence -------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("older", "newer"),
        [
            ("0055AED6DCD90281E5", "0055AED6DCD90281E6"),
            ("0055AED6DCD90281E5", "0055AED6DCD90281E51"),  # longer, and its last digit is not 0
            ("00FF", "01"),  # shorter, but not smaller
            ("9", "A"),
        ],
    )
    def test_only_the_newer_of_two_events_counts(self, catalog, key, older, newer):
        catalog.receive(revision_at(key, newer), 5)
        with pytest.raises(SupersededError):
            catalog.receive(revision_at(key, older), 6)
        assert catalog.get(document_id(key)).version == f"v{newer}"
        catalog.remove(revision_at(key, newer + "1"))  # the record still takes newer events
        assert catalog.get(document_id(key)).status == "DELETED"

    def test_a_newer_event_replaces_an_older_one(self, catalog, key):
        catalog.receive(revision_at(key, "00FF"), 5)
        catalog.advance(
            revision_at(key, "00FF"), "FAILED", FACTS.model_copy(update={"error": PROBLEM})
        )
        catalog.receive(revision_at(key, "01"), 6)
        assert drop_times(catalog.get(document_id(key))) == Record(
            document_id=document_id(key),
            key=key,
            version="v01",
            sequencer="01",
            origin="00FF",
            status="RECEIVED",
            size=6,
        )

    def test_sequencers_that_differ_in_zeros_at_the_end_are_the_same(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.receive(revision_at(key, "1000"), 5)
        assert catalog.advance(revision_at(key, "100"), "PARSING", Facts()).status == "PARSING"

    @pytest.mark.parametrize("order", EVENTS)
    def test_in_whatever_order_events_come_the_newest_wins(self, catalog, key, order):
        for event in order:
            sequencer, kind = event.split()
            with suppress(SupersededError):
                if kind == "put":
                    make_ready(catalog, revision_at(key, sequencer))
                else:
                    catalog.remove(revision_at(key, sequencer))
        record = catalog.get(document_id(key))
        assert (record.sequencer, record.status, record.live_version) == ("40", "DELETED", "")

    @pytest.mark.parametrize("act", ["advance", "finish_part", "publish", "reopen", "remove"])
    def test_work_for_an_older_event_is_refused(self, catalog, key, act):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.receive(revision_at(key, "20"), 6)
        before = catalog.get(document_id(key))
        with pytest.raises(SupersededError):
            call_method(catalog, act, revision_at(key, "10"))
        assert catalog.get(document_id(key)) == before

    @pytest.mark.parametrize("act", ["advance", "finish_part", "publish", "reopen"])
    def test_work_for_an_event_that_was_not_received_is_not_found(self, catalog, key, act):
        with pytest.raises(NotFoundError):
            call_method(catalog, act, revision_at(key, "10"))
        catalog.receive(revision_at(key, "10"), 5)
        with pytest.raises(NotFoundError):
            call_method(catalog, act, revision_at(key, "20"))

    @pytest.mark.parametrize("status", ["RECEIVED", "PARSING", "CHUNKING", "INDEXING"])
    def test_a_redelivery_while_work_goes_on_changes_nothing(self, catalog, key, status):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, status, FACTS)
        before = catalog.finish_part(first, 1)
        catalog.receive(first, 5)
        assert catalog.get(document_id(key)) == before

    def test_a_redelivery_after_the_end_is_refused_and_says_why(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        before = catalog.get(document_id(key))
        with pytest.raises(SupersededError, match="READY"):
            catalog.receive(revision_at(key, "10"), 5)
        assert catalog.get(document_id(key)) == before

    @pytest.mark.parametrize("status", ["FAILED", "UNSUPPORTED"])
    def test_the_same_event_after_a_failure_is_a_retry(self, catalog, key, status):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.finish_part(first, 0)
        failed = FACTS.model_copy(update={"error": PROBLEM, "usd": 0.5, "lines_missing": 2})
        before = catalog.advance(first, status, failed)
        catalog.receive(first, 5)
        anew = {"status": "RECEIVED", "parts_done": (), "error": None, "lines_missing": 0}
        wanted = before.model_copy(update=anew)
        assert drop_times(catalog.get(document_id(key))) == drop_times(wanted).model_copy(
            update={"received": "", "updated": ""}
        )

    @pytest.mark.parametrize("status", ["PARSING", "INDEXING", "FAILED"])
    def test_a_straggler_does_not_take_a_ready_document_back(self, catalog, key, status):
        make_ready(catalog, revision_at(key, "10"))
        before = catalog.get(document_id(key))
        with pytest.raises(SupersededError, match="READY"):
            catalog.advance(revision_at(key, "10"), status, Facts(error=PROBLEM))
        assert catalog.get(document_id(key)) == before

    def test_a_ready_document_can_still_learn(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        record = catalog.advance(revision_at(key, "10"), "READY", Facts(timings_ms={"index": 3.5}))
        assert (record.status, record.timings_ms, record.live_version) == (
            "READY",
            {"index": 3.5},
            "v10",
        )

    @pytest.mark.parametrize("status", ["INDEXING", "READY", "FAILED"])
    def test_the_event_of_a_version_that_a_sweep_had_found_is_not_newer(self, catalog, key, status):
        found = Revision(key=key, version="v20", sequencer="10".ljust(32, "0") + "00000001")
        catalog.receive(revision_at(key, "10"), 4)
        catalog.receive(found, 5)
        catalog.advance(found, "INDEXING", FACTS)
        before = (
            catalog.publish(found)
            if status == "READY"
            else catalog.advance(found, status, Facts(error=PROBLEM))
        )
        with pytest.raises(SupersededError, match="found"):
            catalog.receive(revision_at(key, "20"), 5)
        assert catalog.get(document_id(key)) == before
        catalog.receive(revision_at(key, "30"), 6)
        assert catalog.get(document_id(key)).version == "v30"

    def test_a_ready_document_is_opened_again_and_stays_live(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "INDEXING", FACTS)
        catalog.finish_part(first, 0)
        before = drop_times(catalog.publish(first))
        record = catalog.reopen(first)
        assert drop_times(record) == before.model_copy(
            update={"status": "INDEXING", "parts_done": ()}
        )
        assert catalog.get(document_id(key)) == record
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v10"}

    def test_what_failed_is_opened_again_without_its_error_and_with_what_was_learned(
        self, catalog, key
    ):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "INDEXING", FACTS)
        before = drop_times(catalog.finish_part(first, 0))
        catalog.advance(first, "FAILED", Facts(error=PROBLEM, requeued=True))
        record = catalog.reopen(first, "CHUNKING")
        assert drop_times(record) == before.model_copy(
            update={"status": "CHUNKING", "parts_done": ()}
        )

    def test_an_error_that_is_not_told_again_is_over(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "FAILED", Facts(error=PROBLEM))
        assert catalog.advance(first, "PARSING", Facts()).error is None
        assert catalog.get(document_id(key)).error is None

    def test_a_part_that_is_done_keeps_the_status_and_merges_its_time(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        catalog.advance(first, "FAILED", Facts(error=PROBLEM, timings_ms={"index-0": 2.5}))
        record = catalog.finish_part(first, 1, {"index-1": 7.0})
        assert (record.status, record.error, record.parts_done) == ("FAILED", PROBLEM, (1,))
        assert record.timings_ms == {"index-0": 2.5, "index-1": 7.0}

    @pytest.mark.parametrize("status", ["RECEIVED", "INDEXING"])
    def test_what_is_at_work_is_not_opened_again(self, catalog, key, status):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        before = catalog.advance(first, status, FACTS)
        with pytest.raises(SupersededError, match=status):
            catalog.reopen(first)
        assert catalog.get(document_id(key)) == before

    def test_that_it_was_queued_again_is_kept_until_it_starts_anew(self, catalog, key):
        first = revision_at(key, "10")
        catalog.receive(first, 5)
        assert not catalog.get(document_id(key)).requeued
        assert catalog.advance(first, "PARSING", Facts(requeued=True)).requeued
        assert catalog.advance(first, "FAILED", Facts(error=PROBLEM)).requeued
        catalog.receive(first, 5)
        assert not catalog.get(document_id(key)).requeued

    # -- removing and replacing ------------------------------------------------------------------

    def test_the_old_version_stays_live_until_the_new_one_is_published(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        newer = revision_at(key, "20")
        catalog.receive(newer, 6)
        catalog.advance(newer, "INDEXING", FACTS)
        catalog.finish_part(newer, 0)
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v10"}
        catalog.publish(newer)
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v20"}

    def test_the_old_version_stays_live_when_the_new_one_fails(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        catalog.receive(revision_at(key, "20"), 6)
        record = catalog.advance(revision_at(key, "20"), "FAILED", Facts(error=PROBLEM))
        assert (record.status, record.live_version) == ("FAILED", "v10")

    def test_a_removed_document_is_a_tombstone_that_no_query_sees(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        catalog.remove(revision_at(key, "20"))
        assert drop_times(catalog.get(document_id(key))) == Record(
            document_id=document_id(key),
            key=key,
            version="v20",
            sequencer="20",
            origin="10",
            status="DELETED",
            size=5,
        )
        assert catalog.live_versions([document_id(key)]) == {}

    def test_a_removal_that_was_decided_on_another_live_version_is_refused(self, catalog, key):
        """Between the look and the removal the next version went live: it must stay."""
        make_ready(catalog, revision_at(key, "10"))
        make_ready(catalog, revision_at(key, "20"))
        for serving in ("v10", ""):
            with pytest.raises(SupersededError, match="went live: v20"):
                catalog.remove(revision_at(key, "30"), serving)
        assert catalog.get(document_id(key)).live_version == "v20"
        catalog.remove(revision_at(key, "30"), "v20")
        assert catalog.get(document_id(key)).status == "DELETED"

    @pytest.mark.parametrize("is_known", [True, False])
    def test_a_removal_of_what_serves_nothing_is_decided_on_that(self, catalog, key, is_known):
        if is_known:
            catalog.receive(revision_at(key, "10"), 5)
        catalog.remove(revision_at(key, "20"), "")
        assert catalog.get(document_id(key)).status == "DELETED"

    def test_a_removal_seen_twice_is_one(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        catalog.remove(revision_at(key, "20"))
        catalog.remove(revision_at(key, "20"))
        assert catalog.get(document_id(key)).status == "DELETED"

    def test_a_removal_seen_before_its_upload_wins(self, catalog, key):
        catalog.remove(revision_at(key, "20"))
        with pytest.raises(SupersededError, match="DELETED"):
            catalog.receive(revision_at(key, "10"), 5)
        assert drop_times(catalog.get(document_id(key))) == Record(
            document_id=document_id(key),
            key=key,
            version="v20",
            sequencer="20",
            origin="20",
            status="DELETED",
        )

    def test_an_older_removal_does_not_delete_a_newer_upload(self, catalog, key):
        make_ready(catalog, revision_at(key, "30"))
        with pytest.raises(SupersededError):
            catalog.remove(revision_at(key, "20"))
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v30"}

    def test_an_upload_after_a_removal_revives(self, catalog, key):
        make_ready(catalog, revision_at(key, "10"))
        catalog.remove(revision_at(key, "20"))
        make_ready(catalog, revision_at(key, "30"))
        assert catalog.live_versions([document_id(key)]) == {document_id(key): "v30"}

    def test_a_removal_in_the_middle_of_the_work_ends_it(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.remove(revision_at(key, "20"))
        with pytest.raises(SupersededError):
            catalog.publish(revision_at(key, "10"))
        assert catalog.live_versions([document_id(key)]) == {}

    def test_a_tombstone_is_the_end_of_its_own_event(self, catalog, key):
        catalog.remove(revision_at(key, "20"))
        with pytest.raises(SupersededError, match="DELETED"):
            catalog.receive(revision_at(key, "20"), 5)
        with pytest.raises(SupersededError, match="DELETED"):
            catalog.advance(revision_at(key, "20"), "PARSING", Facts())
        assert catalog.get(document_id(key)).status == "DELETED"

    # -- listing ---------------------------------------------------------------------------------

    def test_live_versions_are_told_for_hundreds_at_once(self, catalog, tenant):
        keys = [f"{tenant}/docs/{n:03}" for n in range(130)]
        for key in keys:
            make_ready(catalog, revision_at(key, "10"))
        catalog.receive(revision_at(f"{tenant}/docs/new", "10"), 5)
        asked = [document_id(key) for key in [keys[0], *keys, f"{tenant}/docs/new", "none", *keys]]
        assert catalog.live_versions(asked) == {document_id(key): "v10" for key in keys}
        assert catalog.live_versions([]) == {}

    # -- records, collections --------------------------------------------------------------------

    def test_records_are_read_together_and_unknown_ones_left_out(self, catalog, tenant):
        keys = [f"{tenant}/reports/{n:03}.pdf" for n in range(150)]
        for key in keys:
            catalog.receive(Revision(key=key, version="v1", sequencer="10"), 5)
        catalog.advance(Revision(key=keys[0], version="v1", sequencer="10"), "CHUNKING", FACTS)
        catalog.annotate(catalog.get(document_id(keys[1])), SIDECAR)
        catalog.remove(Revision(key=keys[2], version="d", sequencer="20"))
        ids = [document_id(key) for key in keys]
        found = catalog.records([*ids, "0" * 20, ids[0]])
        assert sorted(found, key=lambda one: one.key) == [catalog.get(one) for one in ids]
        assert catalog.records([]) == []
        assert catalog.records(["", "x" * 3000, "é" * 1500]) == []

    def test_each_collection_is_told_once_in_key_order(self, catalog, tenant):
        names = ["a", "a-b", "a0", "a/", "ä", "b b", "a.b", "zz"]
        for name in names:
            for n in range(3):
                key = f"{tenant}/{name.strip('/')}/{n}/x.pdf"
                catalog.receive(Revision(key=key, version="v1", sequencer="10"), 5)
        catalog.receive(Revision(key=f"{tenant}x/other/a", version="v1", sequencer="10"), 5)
        catalog.remove(Revision(key=f"{tenant}/zz/0/x.pdf", version="d", sequencer="20"))
        assert list(catalog.collections(tenant)) == ["a-b", "a.b", "a", "a0", "b b", "zz", "ä"]
        assert list(catalog.collections(f"{tenant}-none")) == []

    def test_the_documents_of_one_collection_are_told_and_no_others(self, catalog, tenant):
        for name in ["a-b/1", "a/1", "a/2", "a/3", "a/b/4", "a0/1", "b/1"]:
            catalog.receive(revision_at(f"{tenant}/{name}", "10"), 5)
        catalog.remove(Revision(key=f"{tenant}/a/1", version="d", sequencer="20"))
        catalog.remove(Revision(key=f"{tenant}/b/1", version="d", sequencer="20"))

        def paths(collection, limit=1):
            found, after = catalog.documents(tenant, limit=limit, collection=collection)
            while after:
                page, after = catalog.documents(tenant, None, after, limit, collection=collection)
                found += page
            return [record.key.removeprefix(f"{tenant}/") for record in found]

        assert paths("a") == paths("a", 9) == ["a/2", "a/3", "a/b/4"]
        assert paths("a-b") == ["a-b/1"]
        assert [paths(name) for name in ("b", "c", "", "a/b", "A", "a1")] == [[]] * 6

    def test_looking_into_a_collection_ends_with_it(self, short_sighted, tenant):
        """Whether anything of it may be read is then known, however many documents follow."""
        for n in range(4):
            short_sighted.receive(revision_at(f"{tenant}/a/{n}", "10"), 5, SIDECAR)
        for n in range(25):
            short_sighted.receive(revision_at(f"{tenant}/b/{n:02}", "10"), 5)
        assert short_sighted.documents(tenant, None, "", 1, (), collection="a") == ([], "")
        found, after = short_sighted.documents(tenant, None, "", 1, (ALL,), collection="b")
        assert (len(found), bool(after)) == (1, True)

    def test_documents_come_in_key_order_page_by_page(self, catalog, tenant):
        names = ["b", "a", "ä", "a/c", "Z", "100 %"]
        for name in names:
            catalog.receive(revision_at(f"{tenant}/docs/{name}", "10"), 5)
        assert pages(catalog, tenant, limit=4) == [["100 %", "Z", "a", "a/c"], ["b", "ä"]]
        assert pages(catalog, tenant, limit=3) == [["100 %", "Z", "a"], ["a/c", "b", "ä"]]
        assert pages(catalog, tenant, limit=100) == [["100 %", "Z", "a", "a/c", "b", "ä"]]

    def test_a_page_looks_at_so_many_documents_and_no_more(self, short_sighted, tenant):
        for n in range(25):
            revision = Revision(key=f"{tenant}/x/{n:02}.pdf", version="v1", sequencer="10")
            short_sighted.receive(revision, 5)
            if n in {3, 21}:
                short_sighted.advance(revision, "FAILED", Facts(error=PROBLEM))
        found, after, pages = [], "", []
        while True:
            page, after = short_sighted.documents(tenant, "FAILED", after, 100)
            pages.append(len(page))
            found += page
            if not after:
                break
        assert [one.revision.path for one in found] == ["03.pdf", "21.pdf"]
        assert pages[:3] == [1, 0, 1]  # ten, ten, five
        assert sum(pages[3:]) == 0
        every, after = short_sighted.documents(tenant, None, "", 4)
        assert [one.revision.path for one in every] == [f"{n:02}.pdf" for n in range(4)]
        assert after

    def test_a_page_of_one_status_is_filled(self, catalog, tenant):
        for n in range(12):
            catalog.receive(revision_at(f"{tenant}/docs/{n:02}", "10"), 5)
            if n % 3 == 0:
                problem = Facts(error=PROBLEM)
                catalog.advance(revision_at(f"{tenant}/docs/{n:02}", "10"), "FAILED", problem)
        assert pages(catalog, tenant, "FAILED", limit=3) == [["00", "03", "06"], ["09"]]
        assert pages(catalog, tenant, "READY", limit=3) == [[]]

    def test_removed_documents_are_listed_only_when_asked_for(self, catalog, tenant):
        for name in ("a", "b", "c"):
            make_ready(catalog, revision_at(f"{tenant}/docs/{name}", "10"))
        catalog.remove(revision_at(f"{tenant}/docs/b", "20"))
        assert pages(catalog, tenant, limit=10) == [["a", "c"]]
        assert pages(catalog, tenant, limit=2) == [["a", "c"]]
        assert pages(catalog, tenant, "DELETED", limit=10) == [["b"]]

    def test_another_tenants_documents_are_not_listed(self, catalog, tenant, key):
        catalog.receive(revision_at(key, "10"), 5)
        catalog.receive(revision_at(f"{tenant}x/docs/a", "10"), 5)
        assert pages(catalog, tenant, limit=10) == [["a.pdf"]]
        assert pages(catalog, new_tenant(), limit=10) == [[]]

    def test_a_page_that_is_none_is_a_bad_request(self, catalog, tenant):
        with pytest.raises(BadRequestError):
            catalog.documents(tenant, after="not a page")

    def test_live_is_every_document_that_queries_see(self, catalog, tenant):
        make_ready(catalog, revision_at(f"{tenant}/docs/ready", "10"))
        make_ready(catalog, revision_at(f"{tenant}/docs/replaced", "10"))
        catalog.receive(revision_at(f"{tenant}/docs/replaced", "20"), 6)
        make_ready(catalog, revision_at(f"{tenant}/docs/removed", "10"))
        catalog.remove(revision_at(f"{tenant}/docs/removed", "20"))
        catalog.receive(revision_at(f"{tenant}/docs/new", "10"), 5)
        mine = [record for record in catalog.live() if record.revision.tenant == tenant]
        assert {record.revision.path: record.live_version for record in mine} == {
            "ready": "v10",
            "replaced": "v10",
        }

    def test_unfinished_is_every_document_that_has_not_ended(self, catalog, tenant):
        for status in ("RECEIVED", "PARSING", "CHUNKING", "INDEXING", "FAILED", "UNSUPPORTED"):
            catalog.receive(revision_at(f"{tenant}/docs/{status}", "10"), 5)
            catalog.advance(revision_at(f"{tenant}/docs/{status}", "10"), status, Facts())
        make_ready(catalog, revision_at(f"{tenant}/docs/ready", "10"))
        catalog.remove(revision_at(f"{tenant}/docs/removed", "10"))
        mine = [one for one in catalog.unfinished() if one.revision.tenant == tenant]
        assert {one.revision.path for one in mine} == {
            "RECEIVED",
            "PARSING",
            "CHUNKING",
            "INDEXING",
        }

    def test_all_documents_come_page_by_page_each_once(self, catalog, tenant):
        keys = {f"{tenant}/docs/{n}" for n in range(6)} | {f"{tenant}x/docs/0"}
        for key in keys:
            make_ready(catalog, revision_at(key, "10"))
        catalog.remove(revision_at(f"{tenant}/docs/3", "20"))
        found, after = catalog.page("", 2)
        while after:
            assert len(found) % 2 == 0
            more, after = catalog.page(after, 2)
            found += more
        mine = [one.key for one in found if one.key.startswith(tenant)]
        assert (len(mine), set(mine)) == (7, keys)

    @pytest.mark.parametrize("path", ODD_PATHS)
    def test_odd_keys_are_kept_as_they_are(self, catalog, tenant, path):
        key = f"{tenant}/docs/{path}"
        make_ready(catalog, revision_at(key, "10"))
        assert catalog.get(document_id(key)).key == key
        assert pages(catalog, tenant, limit=1) == [[path]]


def revision_at(key: str, sequencer: str) -> Revision:
    """Returns the event of `key` with this sequencer; its version is named after the sequencer."""
    return Revision(key=key, version=f"v{sequencer}", sequencer=sequencer)


def make_ready(catalog: Catalog, revision: Revision) -> None:
    catalog.receive(revision, 5)
    catalog.advance(revision, "INDEXING", Facts())
    catalog.publish(revision)


def call_method(catalog: Catalog, act: str, revision: Revision) -> None:
    match act:
        case "advance":
            catalog.advance(revision, "PARSING", Facts(title="late"))
        case "finish_part":
            catalog.finish_part(revision, 0)
        case "publish":
            catalog.publish(revision)
        case "reopen":
            catalog.reopen(revision)
        case _:
            catalog.remove(revision)


def pages(
    catalog: Catalog, tenant: str, status: Status | None = None, limit: int = 100
) -> list[list[str]]:
    """Lists the documents page by page and returns the paths on each page."""
    found, after = catalog.documents(tenant, status, limit=limit)
    paths = [[record.revision.path for record in found]]
    while after:
        found, after = catalog.documents(tenant, status, after, limit)
        paths.append([record.revision.path for record in found])
    return paths
