"""Passages: joined where they touch, never longer than the budget, and the best of them kept."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footnote.ask.evidence.passages import join_passages, trim_passages
from footnote.model import Passage
from footnote.text.tokens import estimate_tokens, fitting

TEXT = "".join(f"word{n} | {n * 7919:,} | ({n % 100}.{n % 7}%)\n" for n in range(400))[:8000]


def passage(start, end, score=1.0, document="a.pdf"):
    return Passage(
        document_id=document,
        document=document,
        collection="x",
        version="v1",
        title="",
        section=(),
        pages=(1,),
        start=start,
        end=end,
        text=TEXT[start:end],
        score=score,
    )


# Multiples of 20: gaps of a few characters would have to be blank, as they are between chunks.
SPANS = st.tuples(
    st.integers(0, len(TEXT) // 20 - 1).map(lambda n: n * 20),
    st.integers(1, 75).map(lambda n: n * 20),
    st.floats(0, 1),
    st.sampled_from("ab"),
)


@given(st.lists(SPANS, max_size=30), st.integers(1, 2000))
@example([(780, 1420, 0.9, "a"), (900, 100, 0.1, "a"), (1960, 300, 0.2, "a")], 243)
@example([(0, 1000, 0.1, "a"), (100, 100, 0.2, "a"), (900, 200, 0.9, "a")], 243)
def test_passages_are_verbatim_apart_and_within_the_budget(spans, tokens):
    given_ = [passage(s, min(s + n, len(TEXT)), score, name) for s, n, score, name in spans]
    joined = join_passages(given_, tokens)
    kept = trim_passages(joined, tokens)
    assert all(one.text == TEXT[one.start : one.end] for one in joined)
    assert all(estimate_tokens(one.text) <= tokens for one in joined)
    assert sum(estimate_tokens(one.text) for one in kept) <= tokens
    assert [one.score for one in joined] == sorted((p.score for p in joined), reverse=True)
    if joined:
        assert kept[0] == joined[0]
        assert joined[0].score == max(one.score for one in given_)


@given(st.lists(SPANS, max_size=30))
def test_with_room_enough_all_that_touch_are_one(spans):
    given_ = [passage(s, min(s + n, len(TEXT)), score, name) for s, n, score, name in spans]
    joined = sorted(join_passages(given_, 10**6), key=lambda one: (one.document, one.start))
    for before, after in pairwise(joined):
        assert before.document != after.document or after.start - before.end > 12


def test_a_smaller_passage_takes_the_room_that_a_larger_one_leaves():
    best, large, small = passage(0, 100, 0.9), passage(200, 5000, 0.8), passage(6000, 6100, 0.7)
    assert trim_passages([best, large, small], 500) == [best, small]


def test_a_passage_that_is_too_long_grows_from_its_best_part():
    parts = [passage(n * 500, n * 500 + 500, 0.5 + (n == 7) * 0.4) for n in range(16)]
    best, *rest = join_passages(parts, 1000)
    assert best.score == 0.9
    assert best.start <= parts[7].start < parts[7].end <= best.end
    assert 500 < estimate_tokens(best.text) <= 1000
    assert sum(len(one.text) for one in (best, *rest)) == 8000  # nothing is lost


def test_a_single_part_that_is_too_long_is_cut_at_a_blank():
    [only] = join_passages([passage(0, 5000)], 100)
    assert (only.start, only.text) == (0, TEXT[: only.end])
    assert TEXT[only.end].isspace()
    assert 80 < estimate_tokens(only.text) <= 100


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the harbour fee", 4),
        ("Total | 5,466 | (12.5%)", 12),
        ("港の料金", 4),
        ("Гавань", 2),
    ],
)
def test_figures_and_signs_count_as_a_model_reads_them(text, tokens):
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=300), st.integers(0, 100))
def test_what_fits_has_no_more_tokens_than_it_may(text, tokens):
    assert estimate_tokens(text[: fitting(text, tokens)]) <= tokens
