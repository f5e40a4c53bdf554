"""What every Embedder must do: a unit vector for each text, whatever it and its neighbours say."""

import math

import pytest

from footnote.ports import Embedder

KINDS = ("document", "query")
TEXTS = ("Revenue grew by 12 % in 2023.", "The warranty lasts two years.", "Umsatz", "\u4fdd\u4fee")
LONG = "The bridge opens at noon for ships. " * 3_000  # about 100,000 characters
ODD = {
    "nothing": "",
    "blanks": " \n\t ",
    "marks": "?! ... \u2014",
    "a zero byte": "a\x00b",
    "half a surrogate pair": "cost \ud800 tax",
    "the other half": "\udfff",
    "a flag": "\U0001f1e9\U0001f1ea",
    "right to left": "\u202eabc \u05d1\u05dc\u05de\u05d9\u05dd",
    "decomposed": "U\u0308bergro\u0308\u00dfe",
    "one long word": "x" * 5_000,
}

each_kind = pytest.mark.parametrize("kind", KINDS)


class EmbedderSuite:
    margin = 0.1  # of cosine that an answer has before another text

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError

    def test_it_says_its_name_and_its_width(self, embedder):
        assert embedder.model.strip()
        assert embedder.dimensions >= 1

    @each_kind
    def test_vectors_are_as_wide_as_it_says_and_of_unit_length(self, embedder, kind):
        assert lengths(embedder, TEXTS, kind) == [(embedder.dimensions, 1.0)] * len(TEXTS)

    @each_kind
    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ODD.items()])
    def test_odd_texts_have_vectors_like_any_other(self, embedder, text, kind):
        assert lengths(embedder, [text, TEXTS[0]], kind) == [(embedder.dimensions, 1.0)] * 2

    @each_kind
    def test_a_long_text_has_one_vector_like_any_other(self, embedder, kind):
        assert lengths(embedder, [LONG], kind) == [(embedder.dimensions, 1.0)]

    @each_kind
    def test_no_texts_give_no_vectors(self, embedder, kind):
        assert embedder.embed([], kind) == []

    @each_kind
    def test_vectors_come_in_the_order_of_their_texts(self, embedder, kind):
        forward = embedder.embed(TEXTS, kind)
        assert embedder.embed(TEXTS[::-1], kind) == forward[::-1]
        assert len({tuple(vector) for vector in forward}) == len(TEXTS)

    @each_kind
    def test_a_text_has_the_same_vector_whatever_it_comes_with(self, embedder, kind):
        together = embedder.embed([LONG, *TEXTS, "", *TEXTS], kind)
        alone = [embedder.embed([text], kind)[0] for text in TEXTS]
        assert (together[1 : 1 + len(TEXTS)], together[2 + len(TEXTS) :]) == (alone, alone)

    def test_a_question_is_nearer_to_its_document_than_to_others(self, embedder):
        asked = embedder.embed(["How long does the warranty last?"], "query")[0]
        revenue, warranty, *_ = embedder.embed(TEXTS, "document")
        assert math.sumprod(asked, warranty) > math.sumprod(asked, revenue) + self.margin


def lengths(embedder, texts, kind):
    """Returns the width and the length of each text's vector.

    A value that is not finite makes the length NaN or infinite.
    """
    vectors = embedder.embed(texts, kind)
    return [(len(vector), pytest.approx(math.hypot(*vector), abs=1e-4)) for vector in vectors]
