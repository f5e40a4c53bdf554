"""The figure on which `make bench-parse` fails is computed as its docstring says."""

import pymupdf
import pytest

from tests.bench.agreement import (
    broken_words,
    drop_running,
    f1,
    join_broken,
    running_words,
    words,
)


@pytest.mark.parametrize(
    ("one", "other", "figure"),
    [
        ("a b c d", "A b, c! D", 1.0),
        ("a a b", "a b b", 2 / 3),
        ("a b", "c d", 0.0),
        ("a b c d", "a b", 2 / 3),
        ("ﬁnance ２０２５", "finance 2025", 1.0),
        ("", "", 1.0),
    ],
)
def test_f1_is_twice_the_common_words_of_all_words(one, other, figure):
    assert f1(words(one), words(other)) == pytest.approx(figure)


def test_a_word_that_a_line_broke_counts_as_joined_where_the_text_has_it_whole():
    page = "good rea-\nsoning and self-\nmade things"
    text = words("good reasoning and self-made things")
    assert join_broken(words(page), broken_words(page), text) == text


def test_words_that_are_lost_stay_lost_though_a_line_broke_them():
    page = "good rea-\nsoning"
    assert f1(join_broken(words(page), broken_words(page), words("good")), words("good")) == 0.5


def test_a_running_head_may_be_left_out_but_the_same_words_elsewhere_may_not():
    file = pymupdf.open()
    for number in range(4):
        page = file.new_page()
        page.insert_text((72, 30), f"Annual Report {number}")
        page.insert_text((72, 400), "The report is annual.")
    raw = words("\n".join(page.get_text() for page in file))
    running = running_words(file)
    assert running == words("annual report 0 annual report 1 annual report 2 annual report 3")
    without = words("The report is annual. " * 4)
    assert drop_running(raw, without, running) == without
    assert f1(drop_running(raw, words("the is " * 4), running), words("the is " * 4)) < 0.99
