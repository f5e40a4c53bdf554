"""The bytes of a reply's headers are read for so long and no longer."""

import io
import math

import pytest

from footnote.adapters.calls.http_headers import BytesInTime, ReplyInTime
from tests.clocks import FakeClock

REPLY = b"HTTP/1.1 200 OK\r\n\r\nbody"


class Dripping(io.RawIOBase):
    """Gives one byte at a time; each takes a second."""

    def __init__(self, data, clock):
        self._data = iter(data)
        self._clock = clock

    def readable(self):
        return True

    def readinto(self, buffer):
        self._clock.now += 1.0
        byte = next(self._data, None)
        if byte is None:
            return 0
        buffer[0] = byte
        return 1


def opened(seconds):
    clock = FakeClock()
    raw = Dripping(REPLY, clock)
    return raw, io.BufferedReader(BytesInTime(raw, seconds, clock))


def test_a_line_that_drips_longer_than_that_is_not_read_to_its_end():
    raw, reader = opened(16.0)
    with pytest.raises(TimeoutError):
        reader.readline()
    reader.close()
    assert raw.closed


@pytest.mark.parametrize("seconds", [18.0, math.inf])
def test_a_line_that_comes_in_time_is_read(seconds):
    _, reader = opened(seconds)
    assert reader.readline() == b"HTTP/1.1 200 OK\r\n"


class FakeSocket:
    """A socket on which a reply drips."""

    def __init__(self, clock, seconds):
        self._clock = clock
        self._seconds = seconds

    def gettimeout(self):
        return self._seconds

    def makefile(self, _mode):
        return io.BufferedReader(Dripping(REPLY, self._clock))


def reply_in(seconds):
    clock = FakeClock()
    kind = type("Reply", (ReplyInTime,), {"clock": clock})
    return kind(FakeSocket(clock, seconds))


@pytest.mark.parametrize("seconds", [20.0, None])
def test_what_comes_after_the_headers_is_not_bounded(seconds):
    reply = reply_in(seconds)
    reply.begin()
    assert (reply.status, reply.read()) == (200, b"body")


def test_headers_that_take_longer_than_silence_may_are_an_error():
    with pytest.raises(TimeoutError):
        reply_in(18.0).begin()
