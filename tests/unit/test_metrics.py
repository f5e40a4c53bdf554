"""The metrics that judge evals."""

import pytest

from evals.intervals import difference, estimate, medians
from evals.judge import judge_pages, judge_spans, judge_texts, recall_of_texts
from evals.metrics import covered, has_hit, ndcg, places, reciprocal_rank
from evals.questions import Question, occurrences
from footnote.evaluation.metrics import latency, mean, precision, recall


def test_a_hit_counts_for_each_of_its_pages_once():
    hits = [("a.pdf", (1, 2)), ("a.pdf", (2, 3)), ("b.md", ())]
    assert places(hits, 4) == [("a.pdf", 1), ("a.pdf", 2), ("a.pdf", 3), ("b.md", 0)]
    assert places(hits, 2) == [("a.pdf", 1), ("a.pdf", 2)]


def test_hit_and_recall_compare_with_the_gold_pages():
    found = [("a.pdf", 1), ("a.pdf", 2)]
    gold = {("a.pdf", 2), ("a.pdf", 9)}
    assert (has_hit(found, gold), recall(found, gold)) == (True, 0.5)
    assert (has_hit([], gold), recall(found, set())) == (False, 0.0)


def test_latency_is_median_and_nearest_95th():
    assert latency([float(n) for n in range(1, 101)]) == (51.0, 96.0)
    assert latency([]) == (0.0, 0.0)


def test_the_mean_of_nothing_is_nothing():
    assert (mean([]), mean([1, 2])) == (0.0, 1.5)


def test_precision_is_of_what_was_found():
    gold = {("a", 1), ("a", 2), ("b", 0)}
    assert precision([("a", 1), ("c", 1), ("b", 0), ("a", 9)], gold) == 0.5
    assert precision([], gold) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_right_one():
    assert reciprocal_rank(["x", "y", "b", "a"], {"a", "b"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"], {"a"}) == 0.0


def test_ndcg_discounts_by_rank_and_compares_with_the_best_order():
    grades = {"a": 3, "b": 2, "c": 1}
    # found b, x, a: 2/log2(2) + 0 + 3/log2(4) = 3.5; best a, b, c: 3 + 2/log2(3) + 1/2 = 4.76186
    assert ndcg(["b", "x", "a"], grades) == pytest.approx(3.5 / 4.761859507)
    assert ndcg(["a", "b", "c"], grades) == pytest.approx(1.0)
    # only the first k count, in what is found and in what could be
    assert ndcg(["b", "a"], grades, k=1) == pytest.approx(2 / 3)
    assert (ndcg(["x"], grades), ndcg(["a"], {})) == (0.0, 0.0)


def test_characters_count_once_however_many_spans_hold_them():
    # gold 10 to 20 and 30 to 40; found 15 to 35 twice over: 5 + 5 of 20, of 20 shown
    assert covered([[(10, 20)], [(30, 40)]], [(15, 30), (20, 35)]) == (0.5, 0.5)
    assert covered([[(0, 10)]], [(0, 10), (50, 80)]) == (1.0, 0.25)
    assert covered([[(0, 10)]], []) == (0.0, 0.0)


def test_the_same_words_elsewhere_are_as_good():
    # 4 of 10 at the first place, 8 of 10 at the second: 8; shown are 12, all gold
    assert covered([[(0, 10), (50, 60)]], [(0, 4), (50, 58)]) == (0.8, 1.0)
    text = "It rose. It fell. It rose."
    assert occurrences(text, 18, 26) == ((18, 26), (0, 8))
    assert occurrences(text, 9, 17) == ((9, 17),)


# -- intervals -------------------------------------------------------------------------------------


def test_an_interval_without_variance_is_its_mean():
    assert estimate({"a": 0.5, "b": 0.5}, {}) == (0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="no questions"):
        estimate({}, {})


def test_an_interval_of_shares_is_near_that_of_the_binomial():
    found = estimate({str(n): float(n % 4 == 0) for n in range(400)}, {})
    # mean .25, standard error sqrt(.25 * .75 / 400) = .02165: .2076 to .2924
    assert found.mean == 0.25
    assert (found.low, found.high) == (
        pytest.approx(0.2076, abs=0.005),
        pytest.approx(0.2924, abs=0.005),
    )
    assert estimate({str(n): float(n % 4 == 0) for n in range(400)}, {}) == found  # the same seed


def test_questions_that_belong_together_are_drawn_together():
    values = {f"{n}-{copy}": float(n % 2) for n in range(50) for copy in range(8)}
    alone = estimate(values, {})
    together = estimate(values, {name: name.partition("-")[0] for name in values})
    assert alone.mean == together.mean == 0.5
    # 50 groups instead of 400 questions: sqrt(8) times as wide
    ratio = (together.high - together.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(8**0.5, rel=0.1)


def test_a_difference_is_paired_by_question():
    old = {str(n): float(n % 2) for n in range(100)}
    new = {name: value + 0.01 for name, value in old.items()}
    found = difference({**new, "only new": 5.0}, {**old, "only old": 5.0}, {})
    # each question is better by as much: paired there is no doubt, unpaired there would be
    assert found == pytest.approx((0.01, 0.01, 0.01))


def test_medians_of_nothing_are_nothing():
    assert (medians([]), medians([1.0, 2.0, 3.0])[0]) == ((0.0, 0.0), 2.0)


# -- judges ----------------------------------------------------------------------------------------


def test_pages_are_judged_in_the_order_of_their_hits():
    hits = [{"document": "a", "pages": [n, n + 1]} for n in (1, 3, 5, 7)]
    asked = Question("q", "", "", places=frozenset({("a", 2), ("a", 6), ("b", 1)}))
    # the first five pages are 1, 2, 3, 4, 5: one gold page of three, at rank 2
    assert judge_pages(asked, hits) == {
        "hit@1": 0.0,
        "hit@5": 1.0,
        "recall@5": pytest.approx(1 / 3),
        "P@5": 0.2,
        "MRR": 0.5,
    }
    nothing = judge_pages(asked, [])
    assert nothing == dict.fromkeys(nothing, 0.0)


def test_each_page_of_a_gold_document_is_right_and_its_recall_counts_documents():
    hits = [
        {"document": "x", "pages": [1]},
        {"document": "a", "pages": [1, 2, 3]},
        {"document": "y", "pages": []},
        {"document": "b", "pages": [1]},  # the sixth page
    ]
    asked = Question("q", "", "", places=frozenset({("a", 0), ("b", 0)}))
    assert judge_pages(asked, hits) == {
        "hit@1": 0.0,
        "hit@5": 1.0,
        "recall@5": 0.5,
        "P@5": 0.6,
        "MRR": 0.5,
    }


def test_spans_are_judged_in_the_first_five_hits_of_their_document():
    asked = Question("q", "", "", "a.md", spans=(((0, 100),),))
    hits = [{"document": "a.md", "start": at, "end": at + 10} for at in range(0, 100, 10)]
    other = [{"document": "b.md", "start": 0, "end": 100}]
    assert judge_spans(asked, hits) == {"chars@5": 0.5, "P@5": 1.0}
    assert judge_spans(asked, other + hits) == {"chars@5": 0.4, "P@5": 1.0}


def test_texts_are_ranked_where_their_best_hit_stands():
    asked = Question("q", "", "", grades={"7": 1, "8": 1})
    hits = [{"document": name} for name in ("3.md", "7.txt", "7.txt", "3.md", "8.md")]
    # ranks: 3, 7, 8. DCG 1/log2(3) + 1/log2(4) = 1.13093 of 1 + 1/log2(3) = 1.63093
    assert judge_texts(asked, hits) == {
        "nDCG@10": pytest.approx(1.13093 / 1.63093, abs=1e-4),
        "P@5": pytest.approx(2 / 3),
    }
    assert (recall_of_texts(asked, hits), recall_of_texts(asked, hits[:3])) == (1.0, 0.5)
