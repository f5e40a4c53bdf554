"""What every Reranker must do: a score for each text, by what it says, not by where it stands."""

import math

import pytest

from footnote.adapters.embedding.rerank_rules import MOST_TEXTS
from footnote.errors import BadRequestError
from footnote.ports import Reranker
from tests.contract.suites.embedder import LONG, ODD

QUERY = "How long does the warranty last?"
TEXTS = (
    "Revenue grew by 12 % in 2023.",
    "The warranty will last two years.",
    "Umsatz",
    "The bridge opens at noon.",
)


class RerankerSuite:
    @pytest.fixture
    def reranker(self) -> Reranker:
        raise NotImplementedError

    def test_it_says_its_name(self, reranker):
        assert reranker.model.strip()

    def test_each_text_has_a_score_in_order_and_the_best_answer_has_the_most(self, reranker):
        scores = reranker.rerank(QUERY, TEXTS)
        assert len(scores) == len(TEXTS)
        assert all(map(math.isfinite, scores))
        assert max(range(len(TEXTS)), key=scores.__getitem__) == 1

    def test_a_score_goes_with_its_text_wherever_that_stands(self, reranker):
        assert reranker.rerank(QUERY, TEXTS[::-1]) == reranker.rerank(QUERY, TEXTS)[::-1]

    def test_equal_texts_have_equal_scores_and_asking_again_changes_nothing(self, reranker):
        twice = reranker.rerank(QUERY, [*TEXTS, *TEXTS])
        assert twice[: len(TEXTS)] == twice[len(TEXTS) :] == reranker.rerank(QUERY, TEXTS)

    def test_no_texts_have_no_scores(self, reranker):
        assert reranker.rerank(QUERY, []) == []

    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ODD.items()])
    def test_odd_texts_and_questions_have_scores_like_any_other(self, reranker, text):
        assert all(map(math.isfinite, reranker.rerank(QUERY, [text, TEXTS[1]])))
        assert len(reranker.rerank(text, TEXTS)) == len(TEXTS)

    def test_a_long_question_and_long_texts_are_taken(self, reranker):
        assert len(reranker.rerank(LONG, [LONG, TEXTS[0]])) == 2

    def test_as_many_texts_as_are_allowed_are_taken_and_no_more(self, reranker):
        many = [f"{TEXTS[n % len(TEXTS)]} {n}" for n in range(MOST_TEXTS)]
        assert len(reranker.rerank(QUERY, many)) == MOST_TEXTS
        with pytest.raises(BadRequestError, match=f"at most {MOST_TEXTS}"):
            reranker.rerank(QUERY, [*many, "one more"])
