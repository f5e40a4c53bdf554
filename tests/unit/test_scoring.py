"""Similarities of sentences: what is left of a cosine beyond the model's own floor."""

import math

import pytest

from footnote.ask.scoring import FLOORS, nearness, score_sentences
from footnote.model import Passage
from footnote.wiring.local_models import ENGLISH, MULTILINGUAL
from local.build_model import RECIPES

COSINES = {"What is due?": 1.0, "Rent is due.": 0.94, "It rained.": 0.7}
PASSAGE = Passage(
    collection="default",
    title="a",
    section=(),
    document_id="d1",
    document="a.md",
    version="v1",
    text="Rent is due. It rained.",
    start=0,
    end=23,
    pages=(1,),
    score=1.0,
)


class Circle:
    """An embedder whose texts have the cosines of COSINES with the question."""

    dimensions = 2

    def __init__(self, model: str) -> None:
        self.model = model

    def embed(self, texts, kind):  # noqa: ARG002 - the port
        cosines = [COSINES[text.strip()] for text in texts]
        return [[cosine, math.sqrt(1 - cosine**2)] for cosine in cosines]


@pytest.mark.parametrize(("model", "expected"), [(ENGLISH, [0.94, 0.7]), (MULTILINGUAL, [0.8, 0])])
def test_a_model_whose_cosines_lie_close_together_tells_as_much_as_another(model, expected):
    [scored] = score_sentences("What is due?", [PASSAGE], nearness(Circle(model), [1.0, 0.0]))
    found = [sentence.similarity for sentence in scored.sentences]
    assert found == pytest.approx(expected, abs=1e-4)


def test_floors_are_of_models_that_there_are():
    names = {recipe.name for recipe in RECIPES.values()}
    assert set(FLOORS) < names == {ENGLISH, MULTILINGUAL}
