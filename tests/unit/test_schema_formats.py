"""Values of formats: found as they are written, given in one form."""

import pytest

from footnote.ask.data.formats import find_values, read_format

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("time", "from 9:30 to 14:05:10", ["09:30:00", "14:05:10"]),
        ("time", "at 9 am, at 12 a.m. and at 12 pm", ["09:00:00", "00:00:00", "12:00:00"]),
        ("time", "at 14:05Z or 14:05+02:00", ["14:05:00Z", "14:05:00+02:00"]),
        ("time", "9 o'clock, 25:30, 13 am, 3.30 euros", []),
        ("email", "Ann.Bee+x@quay.example, x@y, @z.de.", ["Ann.Bee+x@quay.example"]),
        (
            "uri",
            "see https://a.example/b?c=(d). Or ftp://e.example",
            ["https://a.example/b?c=(d", "ftp://e.example"],
        ),
        ("uri", "mailto a@b.example, www.a.example", []),
        ("uuid", f"{UUID.upper()} and {UUID}", [UUID]),
        ("uuid", UUID + "0", []),
    ],
)
def test_values_stand_in_a_text(name, text, values):
    assert find_values(name, text, iter([])) == values


@pytest.mark.parametrize(
    ("text", "days", "values"),
    [
        ("on 2 May 2026 at 9:30", ["2026-05-02"], ["2026-05-02T09:30:00"]),
        ("2026-05-02T09:30:05Z", ["2026-05-02"], ["2026-05-02T09:30:05Z"]),
        ("2026-05-02 09:30", ["2026-05-02"], ["2026-05-02T09:30:00"]),
        ("on 2 May 2026 from 9:30 to 10:30", ["2026-05-02"], []),
        ("on 2 or 3 May 2026 at 9:30", ["2026-05-02", "2026-05-03"], []),
        ("on 2 May 2026", ["2026-05-02"], []),
    ],
)
def test_a_moment_is_one_day_with_one_time(text, days, values):
    assert find_values("date-time", text, iter(days)) == values


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("time", "9:30 pm", "21:30:00"),
        ("time", "9:30 sharp", None),
        ("email", " a@b.example ", "a@b.example"),
        ("email", "a@b.example, c@d.example", None),
        ("uri", "https://a.example", "https://a.example"),
        ("uri", "the page https://a.example", None),
        ("uuid", UUID.upper(), UUID),
        ("date-time", "2026-05-02T09:30:00", "2026-05-02T09:30:00"),
        ("date-time", "2 May at 9:30", None),
    ],
)
def test_a_given_value_is_brought_to_its_form_or_is_none(name, raw, value):
    assert read_format(name, raw) == value


def test_long_texts_take_no_long_time():
    for text in ("a@" * 9000, "a" * 20000, "x://" * 5000, "0f8fad5b-" * 2000, "1:" * 9000):
        for name in ("time", "email", "uri", "uuid"):
            find_values(name, text, iter([]))
