"""The metrics that judge evals."""

from evals.metrics import has_hit, latency, mean, places, recall


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
