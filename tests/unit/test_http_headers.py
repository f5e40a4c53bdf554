"""The bytes of a reply's headers are read for so long and no longer."""

import io
import math

import pytest

from footnote.adapters.calls.http_headers import BytesInTime
from tests.clocks import FakeClock


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
    raw = Dripping(b"HTTP/1.1 200 OK\r\n\r\nbody", clock)
    bounded = BytesInTime(raw, seconds, clock)
    return raw, bounded, io.BufferedReader(bounded)


def test_a_line_that_drips_longer_than_that_is_not_read_to_its_end():
    raw, _, reader = opened(16.0)
    with pytest.raises(TimeoutError):
        reader.readline()
    reader.close()
    assert raw.closed


@pytest.mark.parametrize("seconds", [18.0, math.inf])
def test_a_line_that_comes_in_time_is_read(seconds):
    _, _, reader = opened(seconds)
    assert reader.readline() == b"HTTP/1.1 200 OK\r\n"


def test_what_comes_after_the_headers_is_not_bounded():
    _, bounded, reader = opened(18.0)
    reader.readline()
    bounded.let_on()
    assert reader.read() == b"\r\nbody"
