"""The suite of the port Repeats."""

import random

import pytest

from footnote.errors import BadRequestError
from footnote.model import Kept
from footnote.ports import Repeats
from tests.contract.suites import new_tenant


class RepeatsSuite:
    @pytest.fixture
    def now(self):
        return [1_000_000.0]

    @pytest.fixture
    def repeats(self, now) -> Repeats:
        raise NotImplementedError

    @pytest.fixture
    def name(self) -> str:
        return f"test{new_tenant()}"

    def test_the_first_has_the_key_and_others_see_that_it_is_at_work(self, repeats, name):
        assert repeats.claim(name, "h", "a") is None
        assert repeats.claim(name, "i", "b") == Kept(digest="a", holder="h")

    def test_what_was_replied_is_kept(self, repeats, name):
        repeats.claim(name, "h", "a")
        repeats.keep(name, "h", "a", 202, '{"id": "é"}')
        assert repeats.claim(name, "h", "b") == Kept(
            digest="a", status=202, body='{"id": "é"}', holder="h"
        )

    def test_a_long_reply_is_kept_too(self, repeats, name):
        body = "sixty thousand and more " * 20_000
        repeats.claim(name, "h", "a")
        repeats.keep(name, "h", "a", 200, body)
        assert repeats.claim(name, "h", "a").body == body

    def test_a_released_key_is_free(self, repeats, name):
        repeats.claim(name, "h", "a")
        repeats.release(name, "h")
        assert repeats.claim(name, "h", "b") is None

    def test_a_key_whose_worker_was_killed_is_free_after_a_minute(self, repeats, name, now):
        repeats.claim(name, "h", "a")
        now[0] += 59
        assert repeats.claim(name, "i", "a") == Kept(digest="a", holder="h")
        now[0] += 2
        assert repeats.claim(name, "i", "a") is None

    def test_nobody_frees_what_another_has_claimed(self, repeats, name):
        repeats.claim(name, "h", "a")
        repeats.release(name, "i")
        assert repeats.claim(name, "i", "b") == Kept(digest="a", holder="h")
        repeats.keep(name, "h", "a", 200, "{}")
        repeats.release(name, "i")
        assert repeats.claim(name, "i", "b").status == 200

    def test_a_late_release_frees_nothing_of_who_came_after(self, repeats, name):
        repeats.claim(name, "h", "a")
        repeats.keep(name, "h", "a", 200, "{}")
        repeats.release(name, "h")
        repeats.claim(name, "i", "a")
        repeats.release(name, "h")
        assert repeats.claim(name, "j", "a") == Kept(digest="a", holder="i")

    def test_what_comes_late_is_kept_only_while_nobody_else_has_the_name(self, repeats, name, now):
        repeats.claim(name, "h", "a")
        now[0] += 61
        repeats.keep(name, "h", "a", 200, "{}")  # nobody had come
        assert repeats.claim(name, "i", "a").status == 200
        repeats.release(name, "h")
        repeats.claim(name, "h", "a")
        now[0] += 61
        repeats.claim(name, "i", "a")
        repeats.keep(name, "h", "a", 200, "{}")
        assert repeats.claim(name, "j", "a") == Kept(digest="a", holder="i")

    def test_a_claim_that_is_sent_twice_is_the_holders(self, repeats, name):
        assert repeats.claim(name, "h", "a") is None
        assert repeats.claim(name, "h", "a") is None

    def test_a_reply_is_kept_for_a_day(self, repeats, name, now):
        repeats.claim(name, "h", "a")
        repeats.keep(name, "h", "a", 200, "{}")
        now[0] += 86_300
        assert repeats.claim(name, "h", "a").status == 200
        now[0] += 200
        assert repeats.claim(name, "h", "a") is None

    def test_a_reply_that_no_item_holds_is_refused(self, repeats, name):
        body = "".join(random.Random(1).choices("0123456789abcdefghijklmnop", k=600_000))
        repeats.claim(name, "h", "a")
        with pytest.raises(BadRequestError) as told:
            repeats.keep(name, "h", "a", 200, body)
        assert told.value.code == "reply_too_large"
