"""Moments as text, their age, and how long a step took."""

from footnote.clock import age, iso, measure


def test_a_moment_is_in_utc_to_the_millisecond():
    assert iso(0) == "1970-01-01T00:00:00.000+00:00"
    assert iso(1.2345) == "1970-01-01T00:00:01.234+00:00"


def test_an_age_is_in_seconds_whatever_the_time_zone():
    assert age(iso(100.5), 160.5) == 60
    assert age("1970-01-01T02:00:00+02:00", 60) == 60


def test_what_a_step_took_is_told_when_it_has_ended():
    with measure("parse") as timings:
        assert timings == {}
    assert list(timings) == ["parse"]
    assert 0 <= timings["parse"] < 1000
