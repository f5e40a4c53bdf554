"""Lines that a model reads together with the question: which ones, in what form, and what for."""

import math
from dataclasses import replace

import pytest

from footnote.ask.evidence.line_judge import PLACE
from footnote.ask.evidence.scoring import MAX_READ, score_sentences
from footnote.ask.query.reading import QueryReading
from footnote.ask.quote.confidence import (
    LONG,
    READ,
    READ_LONG,
    READ_MIDDLE,
    SURE,
    confidence,
    judge_odds,
)
from footnote.ask.quote.lines import rank_lines
from footnote.ask.retrieve import retrieve
from footnote.model import Evidence, Scope, SubQuestion
from footnote.settings import Settings
from footnote.wiring.local_models import MULTILINGUAL
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.services import Services
from tests.corpus import Corpus
from tests.unit.test_scoring import PASSAGE

QUESTION = "What does a berth cost at Quay Nine?"
SCOPE = Scope(tenant="acme")


class Reader:
    """A Reranker that finds every text with `word` to state the answer."""

    model = "of this test"

    def __init__(self, word="140"):
        self.word = word
        self.asked = []

    def rerank(self, query, texts):
        self.asked.append((query, list(texts)))
        return [4.0 if self.word in text else -6.0 for text in texts]


def passage(text, **fields):
    return PASSAGE.model_copy(update={"text": text, "end": len(text), **fields})


def read(text, question=QUESTION, **fields):
    """Returns the texts that a model is given to read, and the scored passage."""
    reader = Reader()
    [scored] = score_sentences(
        QueryReading(question),
        [passage(text, **fields)],
        None,
        (),
        lambda texts: reader.rerank("", texts),
    )
    return [text for _, texts in reader.asked for text in texts], scored


def test_a_line_is_read_with_its_header_and_where_it_stands():
    text = "Place | Fee\nQuay Nine | 140\n\nMoorings are let by the day."
    texts, scored = read(text, document="harbour_fees.pdf", title="Fees", section=("Part", "Quays"))
    assert texts == [
        "Quay Nine | 140\nPlace | Fee\nharbour fees > Fees > Quays",
        "Moorings are let by the day.\nharbour fees > Fees > Quays",
    ]
    assert [one.states for one in scored.sentences] == [None, 4.0, -6.0]


def test_where_a_line_stands_is_read_no_longer_than_a_line():
    [text], _ = read("It is 140 crowns a day.", document="fees.pdf", title="Moorings by day " * 9)
    place = text.partition("\n")[2]
    assert len(place) == PLACE
    assert place.startswith("fees > Moorings by day Moorings")


def test_what_only_repeats_the_question_or_asks_is_not_read():
    texts, _ = read("Berth cost at Quay Nine.\n\nWho pays for it?\n\nIt is 140 crowns a day.")
    assert [text.partition("\n")[0] for text in texts] == ["It is 140 crowns a day."]


def test_no_more_lines_are_read_than_are_allowed_and_the_best_ones_are():
    told = "A berth at Quay Nine has a cost of 140 crowns."
    lines = [f"Boat {n} was painted in another colour." for n in range(3 * MAX_READ)]
    texts, scored = read("\n\n".join([*lines, told]))
    assert len(texts) == MAX_READ
    assert texts[0].startswith(told)
    assert sum(one.states is not None for one in scored.sentences) == MAX_READ


def test_nothing_is_read_where_there_is_nothing():
    assert read("Place | Fee\n--- | ---")[0] == []


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("What does a berth cost?", True),
        ("Was kostet ein Liegeplatz am Kai?", False),  # the model reads English
    ],
)
def test_only_english_questions_are_read(question, is_read):
    corpus, reader = Corpus({"fees.pdf": ["A berth is 140 crowns. Ein Liegeplatz auch."]}), Reader()
    ports = replace(corpus.ports, line_judge=reader)
    sub = SubQuestion(id="q1", text=question)
    found = retrieve(sub, SCOPE, (), ports)
    assert [query for query, _ in reader.asked] == [question] * is_read
    states = [one.states for each in found.passages for one in each.sentences]
    assert any(one is not None for one in states) == is_read


def evidence(*states):
    """Evidence of lines that are alike but for what a model says of them."""
    text = " ".join(f"Berth {n} is let at Quay Nine." for n in range(len(states)))
    [scored] = score_sentences(QueryReading(QUESTION), [passage(text)], None)
    marked = [
        one.model_copy(update={"states": said})
        for one, said in zip(scored.sentences, states, strict=True)
    ]
    found = scored.model_copy(update={"sentences": tuple(marked)})
    return Evidence(sub_question="q1", question=QUESTION, strategy="hybrid", passages=(found,))


def test_the_line_that_a_model_finds_to_answer_comes_first():
    assert rank_lines(QUESTION, evidence(-6, 3, None))[0].text == "Berth 1 is let at Quay Nine."


def test_without_a_model_nothing_changes_order_or_confidence():
    unread = evidence(None, None, None)
    assert rank_lines(QUESTION, unread)[0].text == "Berth 0 is let at Quay Nine."
    assert judge_odds(QUESTION, unread) == 0


def test_confidence_follows_the_line_that_a_model_finds_likeliest():
    sure = [confidence(QUESTION, evidence(*states)) for states in ((-9, -9), (None, None), (4, -9))]
    assert sure == sorted(sure)
    assert len({*sure}) == 3
    assert judge_odds(QUESTION, evidence(1, -9)) == pytest.approx(READ * (1 - READ_MIDDLE))


def test_a_model_is_believed_less_where_it_doubts_the_lines_of_a_long_question():
    long = " ".join(["berth"] * (LONG + 1))
    gained = judge_odds(long, evidence(-4)) - judge_odds(QUESTION, evidence(-4))
    assert gained == pytest.approx(READ * READ_LONG)


def test_what_makes_a_sure_answer_surer_counts_half():
    def odds(states):
        sure = confidence(QUESTION, evidence(states))
        return math.log(sure / (1 - sure))

    unsure, sure = (READ_MIDDLE - 4, READ_MIDDLE - 3), (5, 7)
    assert odds(unsure[1]) < SURE < odds(sure[0])
    assert odds(unsure[1]) - odds(unsure[0]) == pytest.approx(READ, abs=0.02)
    assert odds(sure[1]) - odds(sure[0]) == pytest.approx(2 * READ / 2, abs=0.05)


def test_only_the_english_layer_holds_a_reader():
    assert Services(Settings(embedding_model=MULTILINGUAL)).reader is None
    assert Services(Settings(embedding_provider="voyage")).reader is None
    assert Pipeline(embedder=Corpus({}).embedder).reader is None
