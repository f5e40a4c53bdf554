"""A throttled batch is tried again until its queue hands it out anew; no other failure is."""

import pytest
from botocore.exceptions import ClientError

from footnote_executor.throttling import CODE, LONGEST, persist


class Clock:
    def __init__(self):
        self.now, self.waits = 100.0, []

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


def refused(code=CODE):
    return ClientError({"Error": {"Code": code, "Message": ""}}, "Invoke")


def try_it(outcomes, seconds=1800.0):
    """Has work end as these outcomes say: None is well. Returns the waits, and what is left."""
    left, clock = list(outcomes), Clock()

    def work():
        if outcome := left.pop(0):
            raise outcome

    try:
        persist(work, seconds, lambda: clock.now, clock.sleep)
    except ClientError as error:
        return clock.waits, left, error
    return clock.waits, left, None


def test_it_is_tried_again_ever_later_until_it_goes_well():
    waits, left, error = try_it([refused()] * 8 + [None])
    assert (len(waits), left, error) == (8, [], None)
    assert all(0.5 * 2**n <= wait <= 1.5 * 2**n for n, wait in enumerate(waits[:5]))
    assert all(0.5 * LONGEST <= wait <= 1.5 * LONGEST for wait in waits[5:])


def test_it_is_left_to_the_queue_once_that_hands_it_out_anew():
    waits, left, error = try_it([refused()] * 500, seconds=180.0)
    assert error.response["Error"]["Code"] == CODE
    assert 180 - 1.5 * LONGEST <= sum(waits) <= 180
    assert len(left) > 400


@pytest.mark.parametrize("code", ["ServiceException", "ResourceNotFoundException"])
def test_what_fails_otherwise_is_tried_once(code):
    waits, left, _ = try_it([refused(code), None])
    assert (waits, left) == ([], [None])
