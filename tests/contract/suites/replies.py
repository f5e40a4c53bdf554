"""The suite of the port ReplyCache."""

import random

import pytest

from footnote.errors import ConfigurationError
from footnote.ports import ReplyCache
from tests.contract.suites import new_tenant


class ReplyCacheSuite:
    @pytest.fixture
    def replies(self) -> ReplyCache:
        raise NotImplementedError

    @pytest.fixture
    def prefix(self) -> str:
        return f"line#test#{new_tenant()}"

    def test_replies_come_back_as_they_were(self, replies, prefix):
        stored = {f"{prefix}a": "", f"{prefix}b": "Größe\n\x00 „…“ 的", f"{prefix}c": "x" * 100_000}
        replies.put(stored)
        assert replies.get(list(stored)) == stored

    def test_unknown_keys_are_left_out(self, replies, prefix):
        replies.put({f"{prefix}a": "text"})
        assert replies.get([f"{prefix}a", f"{prefix}b"]) == {f"{prefix}a": "text"}

    def test_a_reply_can_be_replaced(self, replies, prefix):
        replies.put({f"{prefix}a": "first"})
        replies.put({f"{prefix}a": "second"})
        assert replies.get([f"{prefix}a"]) == {f"{prefix}a": "second"}

    def test_nothing_asked_or_put_is_nothing(self, replies):
        replies.put({})
        assert replies.get([]) == {}

    def test_more_than_one_batch_goes_at_once_and_doubles_are_fine(self, replies, prefix):
        stored = {f"{prefix}{n}": f"text {n}" for n in range(130)}
        replies.put(stored)
        assert replies.get([*stored, *stored]) == stored

    def test_one_that_is_too_large_to_keep_does_no_harm(self, replies, prefix):
        huge = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=900_000))
        replies.put({f"{prefix}huge": huge, f"{prefix}small": "text"})
        assert replies.get([f"{prefix}small"]) == {f"{prefix}small": "text"}

    @pytest.mark.parametrize("key", ["", "x" * 2049, "ü" * 1025])
    def test_a_key_that_the_table_does_not_take_is_refused(self, replies, key):
        with pytest.raises(ConfigurationError, match="DynamoDB takes 1 to 2,048"):
            replies.get([key])
        with pytest.raises(ConfigurationError, match="DynamoDB takes 1 to 2,048"):
            replies.put({key: "text"})
