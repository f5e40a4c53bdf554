"""The suites of the ports by which events leave: Announcer, AuditLog, Webhook, Deliveries."""

import json
from collections.abc import Callable

import pytest

from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Announcement
from footnote.ports import Announcer, AuditLog, Deliveries, Webhook
from footnote.wiring.audit import MOST_DOCUMENTS


def announcements(count: int) -> list[Announcement]:
    return [
        Announcement(name="Document Ready", time=1_795_423_461.0, detail={"v": 1, "id": f"e{n}"})
        for n in range(count)
    ]


class AnnouncerSuite:
    @pytest.fixture
    def announcer(self) -> Announcer:
        raise NotImplementedError

    @pytest.fixture
    def heard(self) -> Callable[[int], list[dict[str, object]]]:
        """Returns so many details, once that many have come, in any order."""
        raise NotImplementedError

    def test_what_is_announced_is_heard_once(self, announcer, heard):
        sent = announcements(12)  # more than one call takes
        announcer.announce(sent)
        told = sorted(heard(12), key=lambda detail: int(detail["id"][1:]))
        assert told == [dict(one.detail) for one in sent]

    def test_nothing_to_announce_is_no_error(self, announcer):
        announcer.announce([])


class AuditLogSuite:
    @pytest.fixture
    def audit_log(self) -> AuditLog:
        raise NotImplementedError

    @pytest.fixture
    def kept(self) -> Callable[[], list[str]]:
        """Returns the lines of the log."""
        raise NotImplementedError

    def test_lines_are_kept_as_they_came_in_their_order(self, audit_log, kept):
        sent = [f'{{"act": "GET /documents", "caller": "é {n}"}}' for n in range(3)]
        for line in sent:
            audit_log.keep(line)
        assert kept() == sent

    def test_the_longest_line_is_taken(self, audit_log, kept):
        ids = ["0123456789abcdef0123"] * MOST_DOCUMENTS
        audit_log.keep(line := json.dumps({"documents": ids}))
        assert kept() == [line]


class WebhookSuite:
    @pytest.fixture
    def webhook(self) -> Webhook:
        raise NotImplementedError

    @pytest.fixture
    def answer(self) -> Callable[[int], None]:
        """Has the receiver answer with a status."""
        raise NotImplementedError

    @pytest.fixture
    def received(self) -> Callable[[], list[tuple[bytes, str]]]:
        """Returns the bodies that the receiver got, with their header `footnote-event`."""
        raise NotImplementedError

    @pytest.mark.parametrize("status", [200, 202, 204])
    def test_the_receiver_gets_body_and_headers(self, webhook, answer, received, status):
        answer(status)
        webhook.post(b'{"v":1}', {"footnote-event": "Document Ready"})
        assert received() == [(b'{"v":1}', "Document Ready")]

    @pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
    def test_what_may_be_taken_later_is_unavailable(self, webhook, answer, status):
        answer(status)
        with pytest.raises(UnavailableError):
            webhook.post(b"{}", {})

    @pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 404, 410])
    def test_any_other_status_is_an_end(self, webhook, answer, received, status):
        answer(status)
        with pytest.raises(ConfigurationError) as raised:
            webhook.post(b"{}", {})
        assert raised.value.code == "webhook_refused"
        assert len(received()) == 1  # nobody followed a redirect


class DeliveriesSuite:
    @pytest.fixture
    def deliveries(self) -> Deliveries:
        raise NotImplementedError

    @pytest.fixture
    def buried(self) -> Callable[[], list[str]]:
        raise NotImplementedError

    @pytest.fixture
    def receipt(self) -> str:
        """The receipt of a message that was received."""
        raise NotImplementedError

    @pytest.fixture
    def hidden(self) -> Callable[[], int]:
        """Returns for about how many seconds that message is hidden."""
        raise NotImplementedError

    def test_a_message_that_is_held_comes_later(self, deliveries, receipt, hidden):
        deliveries.hold(receipt, 10)
        assert hidden() >= 2.5  # a slow machine is late to look

    def test_what_is_buried_is_kept_as_it_came(self, deliveries, buried):
        deliveries.bury('{"detail": "é"}')
        assert buried() == ['{"detail": "é"}']
