"""The suite of the port Queues; `sent` empties the queue `chunk` and returns its messages."""

from collections.abc import Callable

import pytest

from footnote.contracts import ChunkRequest
from footnote.errors import ConfigurationError
from footnote.ports import Queues
from tests.contract.suites import ODD_PATHS, new_tenant
from tests.naming import raises_naming

type Sent = Callable[[int], list[ChunkRequest]]


def request(n: int, path: str = "a.txt", tenant: str = "acme") -> ChunkRequest:
    key = f"{tenant}/docs/{path}"
    return ChunkRequest(key=key, version="v1", sequencer=f"{n:016X}", document_key=f"d/{n}")


class QueuesSuite:
    @pytest.fixture
    def queues(self) -> Queues:
        raise NotImplementedError

    @pytest.fixture
    def sent(self) -> Sent:
        """Takes the number of messages to wait for; returns all that are in the queue `chunk`."""
        raise NotImplementedError

    @pytest.mark.parametrize("count", [0, 1, 10, 25])
    def test_all_messages_arrive_once(self, queues, sent, count):
        messages = [request(n) for n in range(count)]
        queues.send("chunk", messages)
        assert by_sequencer(sent(count)) == messages

    def test_more_bytes_than_one_call_takes_arrive(self, queues, sent):
        messages = [request(n, path="x" * 120_000) for n in range(10)]
        queues.send("chunk", messages)
        assert by_sequencer(sent(10)) == messages

    def test_odd_names_arrive_as_they_are(self, queues, sent):
        tenant = new_tenant()
        messages = [request(n, path, tenant) for n, path in enumerate(ODD_PATHS)]
        queues.send("chunk", messages)
        assert by_sequencer(sent(len(messages))) == messages

    @pytest.mark.parametrize("odd", ["\uffff", "\x01", "\ufffe", "\U0010ffff"])
    def test_a_key_with_a_character_that_sqs_refuses_arrives_as_it_is(self, queues, sent, odd):
        messages = [request(1, path=f"a{odd}.txt")]
        queues.send("chunk", messages)
        assert sent(1) == messages

    @pytest.mark.parametrize(
        ("path", "delay", "why"),
        [
            ("x" * 256 * 1024, 0, "SQS takes 1 to 262,144"),
            ("ü" * 50_000, 0, "SQS takes 1 to 262,144"),
            ("a", 901, "a delay of 901 s; SQS takes 0 to 900"),
            ("a", -1, "a delay of -1 s"),
        ],
    )
    def test_what_sqs_refuses_is_refused_and_nothing_of_it_is_sent(
        self, queues, sent, path, delay, why
    ):
        with pytest.raises(ConfigurationError, match=f"send on queue chunk: .*{why}"):
            queues.send("chunk", [request(1), request(2, path=path)], delay)
        assert sent(0) == []

    @pytest.mark.parametrize("tenant", ["two words", "Grün", "x" * 129, "é" * 200])
    def test_a_tenant_whose_name_is_no_group_can_send(self, queues, sent, tenant):
        queues.send("chunk", [request(1, tenant=tenant)])
        assert sent(1) == [request(1, tenant=tenant)]

    def test_messages_that_nobody_works_on_are_counted(self, queues, sent):
        assert queues.waiting("chunk") == 0
        queues.send("chunk", [request(n) for n in range(3)])
        assert queues.waiting("chunk") == 3
        sent(3)

    def test_messages_that_are_put_off_are_counted(self, queues, sent):
        queues.send("chunk", [request(1)], 1)
        assert queues.waiting("chunk") == 1
        assert sent(1) == [request(1)]

    def test_waiting_for_an_unknown_queue_names_it(self, queues):
        with raises_naming(ConfigurationError, "nowhere"):
            queues.waiting("nowhere")

    def test_holding_a_message_of_an_unknown_queue_names_it(self, queues):
        with raises_naming(ConfigurationError, "nowhere"):
            queues.hold("nowhere", [], 1)

    def test_a_receipt_that_is_no_longer_good_is_no_error(self, queues):
        queues.hold("chunk", ["none"], 1)

    def test_an_unknown_queue_is_named(self, queues):
        with raises_naming(ConfigurationError, "nowhere"):
            queues.send("nowhere", [request(1)])


def by_sequencer(messages: list[ChunkRequest]) -> list[ChunkRequest]:
    return sorted(messages, key=lambda message: message.sequencer)
