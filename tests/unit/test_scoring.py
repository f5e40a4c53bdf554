"""Similarities of sentences: what is left of a cosine beyond the model's own floor."""

import math

import pytest

from footnote.ask.evidence.scoring import FLOORS, MAX_SENTENCES, nearness, score_sentences
from footnote.ask.query.reading import QueryReading
from footnote.model import Chunk, Hit, Passage
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
    [scored] = score_sentences(
        QueryReading("What is due?"), [PASSAGE], nearness(Circle(model), [1.0, 0.0])
    )
    found = [sentence.similarity for sentence in scored.sentences]
    assert found == pytest.approx(expected, abs=1e-4)


def test_floors_are_of_models_that_there_are():
    names = {recipe.name for recipe in RECIPES.values()}
    assert set(FLOORS) < names == {ENGLISH, MULTILINGUAL}


def hit(start, end, score):
    text = PASSAGE.text[start:end]
    chunk = Chunk(id=str(start), ordinal=0, start=start, end=end, text=text, title="a")
    return Hit(
        rank=1,
        score=score,
        document_id=PASSAGE.document_id,
        document=PASSAGE.document,
        collection="default",
        version="v1",
        chunk=chunk,
    )


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ([hit(0, 12, 0.4), hit(13, 23, 1.0)], [0.4, 1.0]),
        ([hit(0, 12, 0.4), hit(0, 23, 0.3)], [0.4, 0.3]),
        ([hit(0, 12, 0.4)], [0.4, 0.0]),  # the second was only opened up around the first
        ([], [None, None]),
    ],
)
def test_a_sentence_has_the_score_of_its_own_chunk_in_a_passage_of_several(hits, expected):
    [scored] = score_sentences(QueryReading("What is due?"), [PASSAGE], None, hits)
    assert [sentence.found for sentence in scored.sentences] == expected


def test_words_that_name_the_document_are_said_by_all_of_its_sentences():
    named = PASSAGE.model_copy(update={"text": "Roost is here. It rained.", "end": 25})
    other = named.model_copy(update={"document": "Roost_2023.pdf", "document_id": "d2"})
    apart, same = score_sentences(QueryReading("Where is Roost?"), [named, other], None)
    assert [sentence.overlap for sentence in apart.sentences] == [1.0, 0.0]
    assert [sentence.overlap for sentence in same.sentences] == [1.0, 1.0]


def test_a_row_is_read_with_the_dates_and_the_line_that_it_stands_under():
    text = "June 30, 2023 | June 30, 2022\nShares outstanding:\nBasic | 12 | 10\nDiluted | 14 | 11"
    table = PASSAGE.model_copy(update={"text": text, "end": len(text)})
    [scored] = score_sentences(QueryReading("Basic shares outstanding in 2023?"), [table], None)
    header, group, basic, diluted = (sentence.overlap for sentence in scored.sentences)
    assert basic == 1.0 > diluted > max(header, group)


def test_a_row_that_says_a_figure_in_the_words_of_reports_has_its_name():
    text = "Total current assets | 84\n\nTotal assets | 120\n\nSee the balance sheets."
    passage = PASSAGE.model_copy(update={"text": text, "end": len(text)})
    [scored] = score_sentences(QueryReading("What is the quick ratio?"), [passage], None)
    overlaps = [sentence.overlap for sentence in scored.sentences]
    assert overlaps == [1, 0, 0]


@pytest.mark.parametrize(
    ("line", "is_asked"), [("rent.isDue({}, berth); // rent due", True), ("Rent due | {};", False)]
)
def test_lines_of_a_program_are_embedded_after_sentences_and_rows_are_none(line, is_asked):
    told = "The rent of a berth is due on a Monday."
    lines = [line.format(n) for n in range(MAX_SENTENCES)]
    text = "\n\n".join((*lines, told))
    passage = PASSAGE.model_copy(update={"text": text, "end": len(text)})
    asked = []

    def near(texts):
        asked.extend(texts)
        return [0.5] * len(texts)

    score_sentences(QueryReading("When is rent due?"), [passage], near)
    assert len(asked) == MAX_SENTENCES
    assert (told in asked) == is_asked
