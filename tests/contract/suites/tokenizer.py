"""What every Tokenizer must do: give each text a count, which grows with the text."""

import pytest

from footnote.ports import Tokenizer
from tests.contract.suites.embedder import LONG, ODD

TEXTS = ("The warranty lasts two years.", "tax", "", "Umsatz 2023: 4,2 Mio. \u20ac", "\u4fdd\u4fee")


class TokenizerSuite:
    @pytest.fixture
    def tokenizer(self) -> Tokenizer:
        raise NotImplementedError

    def test_each_text_has_its_count_in_order(self, tokenizer):
        counts = tokenizer.count(TEXTS)
        assert counts == [tokenizer.count([text])[0] for text in TEXTS]
        assert tokenizer.count(TEXTS[::-1]) == counts[::-1]

    def test_no_texts_give_no_counts(self, tokenizer):
        assert tokenizer.count([]) == []

    @pytest.mark.parametrize("text", ["", " ", " \n\t "], ids=repr)
    def test_what_has_no_words_has_no_tokens(self, tokenizer, text):
        assert tokenizer.count([text]) == [0]

    def test_every_word_is_a_token_at_least(self, tokenizer):
        assert tokenizer.count(["tax"])[0] >= 1
        assert tokenizer.count(["cost tax year bridge"])[0] >= 4

    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ODD.items()])
    def test_odd_characters_are_counted_and_change_no_other_count(self, tokenizer, text):
        odd, *plain = tokenizer.count([text, *TEXTS])
        assert plain == tokenizer.count(TEXTS)
        assert 0 <= odd <= len(text.encode("utf-8", "surrogatepass"))

    @pytest.mark.parametrize("one", TEXTS)
    def test_two_texts_with_a_blank_between_have_the_tokens_of_both(self, tokenizer, one):
        for other in (*TEXTS, *ODD.values()):
            first, second, both = tokenizer.count([one, other, f"{one} {other}"])
            assert max(first, second) <= both <= first + second, other

    def test_a_text_of_any_length_is_counted_to_its_end(self, tokenizer):
        sentence, text, twice = tokenizer.count([LONG[: LONG.index(".") + 1], LONG, LONG + LONG])
        assert (text, twice) == (3_000 * sentence, 6_000 * sentence)

    def test_counting_again_gives_the_same(self, tokenizer):
        first = tokenizer.count(TEXTS)
        tokenizer.count([*ODD.values(), LONG])
        assert tokenizer.count(TEXTS) == first
