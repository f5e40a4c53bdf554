"""The profile for small, slow models: they are asked once, and read little."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.evidence.merge import describe
from footnote.ask.evidence.pieces import pieces_of, show_pieces
from footnote.ask.evidence.scoring import score_sentences
from footnote.ask.evidence.shorten import FENCES, MARKER, shorten
from footnote.ask.query.reading import QueryReading
from footnote.ask.question.thrifty_llm import BY_RULES
from footnote.errors import ModelReplyError
from footnote.model import Passage
from footnote.prompts import strip_fences
from footnote.service import Service
from footnote.settings import SMALL_EVIDENCE, Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

MOORINGS = "".join(
    f"## Berth {n}\n\nBerth {n} is let to a boat of {n + 5} metres. It lies at quay {n % 7}. "
    f"Its rent is {n * 10 + 300} crowns a month, due on the first. Its lamp is number {n}.\n\n"
    for n in range(1, 200)
)
QUESTION = "What is the rent of berth 42?"
WRITTEN = "Its rent is 720 crowns a month, due on the first. [1]"


def asked(said=WRITTEN, question=QUESTION, **settings):
    """Asks in the small profile; returns the answer and what the model, if any, was asked."""
    llm = ScriptedLLM([said]) if said else None
    given = {"model_provider": "anthropic", "model_profile": "small", **settings}
    made = Pipeline(
        Settings(backend="memory", **given), llm=llm, embedder=HashEmbedder(), tokenizer=Words()
    )
    made.upload("acme/default/moorings.md", f"# Moorings\n\n{MOORINGS}".encode())
    record = Service(made, "acme").questions.ask(question)
    answer = made.questions.get("acme", record.question_id).answer
    return answer, llm.requests if llm else []


@pytest.mark.parametrize("turns", [0, 4])
def test_the_model_is_asked_once_and_only_to_write(turns):
    answer, requests = asked(max_turns=turns)
    assert [request.task for request in requests] == ["synthesize"]
    assert answer.mode == "anthropic"
    assert BY_RULES in answer.degraded


def test_the_writer_reads_little_and_the_best_of_it():
    _, [small] = asked()
    _, full = asked(model_profile="full", model_provider="anthropic")
    words = estimate_tokens(small.prompt)
    assert words < SMALL_EVIDENCE + 400 < max(estimate_tokens(one.prompt) for one in full)
    assert "720 crowns" in small.prompt


@pytest.mark.parametrize(
    ("settings", "offered"),
    [
        ({"model_profile": "full"}, True),
        ({"model_profile": "full", "max_tokens": 5_000}, False),
        ({"model_profile": "small"}, False),
    ],
)
def test_a_writer_may_open_passages_where_its_profile_and_budget_have_room(settings, offered):
    _, requests = asked(**settings)
    assert ("OPEN" in requests[-1].prompt) is offered


def test_a_reply_of_no_use_leaves_the_answer_of_rules():
    answer, requests = asked(ModelReplyError("refused"))
    plain, _ = asked(None)
    assert len(requests) == 1
    assert (answer.mode, answer.answer) == ("extractive", plain.answer)


DENIED = "The documents do not say what the rent is."


def test_a_small_writer_that_finds_nothing_leaves_the_answer_of_rules():
    answer, requests = asked(DENIED)
    plain, _ = asked(None)
    assert (len(requests), plain.found) == (1, True)
    assert (answer.mode, answer.answer, answer.removed) == ("extractive", plain.answer, ())
    assert any("which rules decide" in note for note in answer.degraded)


def test_where_rules_find_nothing_either_it_is_said():
    answer, _ = asked(DENIED, question="Who painted the lamps?")
    assert not answer.found


def scored(*texts):
    """Returns passages of these texts by number, with the scores of their sentences."""
    given = [
        Passage(
            document_id=f"d{n}",
            document="a.md",
            collection="c",
            version="v1",
            title="",
            section=(),
            pages=(1,),
            start=100,
            end=100 + len(text),
            text=text,
            score=1.0,
        )
        for n, text in enumerate(texts, start=1)
    ]
    return dict(
        enumerate(
            score_sentences(QueryReading("What is the rent of a berth?"), given, None), start=1
        )
    )


def test_the_best_sentences_are_kept_in_their_order_and_a_passage_without_one_is_left_out():
    passages = scored(
        "The quay is long. The rent of a berth is 300 crowns. Gulls cry. Rent is due at noon.",
        "Nobody knows who painted the lamps.",
    )
    kept = shorten(passages, FENCES + estimate_tokens(describe(passages[1])) + 15 + 2 * MARKER)
    assert {n: [(one.number, one.text) for one in pieces] for n, pieces in kept.items()} == {
        1: [(2, "The rent of a berth is 300 crowns."), (4, "Rent is due at noon.")]
    }
    assert "\n[1.2] The rent of a berth is 300 crowns.\n[1.4] Rent" in show_pieces(passages, kept)


def test_0_tokens_leave_passages_as_they_are():
    passages = scored("The quay is long.", "Gulls cry.")
    assert shorten(passages, 0) == {n: pieces_of(one) for n, one in passages.items()}
    assert shorten(passages, 1) == {}


def test_shortened_passages_keep_to_their_tokens():
    passages = scored(*(MOORINGS[n * 3000 : (n + 1) * 3000] for n in range(6)))
    for most in (200, 1_200):
        kept = shorten(passages, most)
        assert kept
        assert estimate_tokens(strip_fences(show_pieces(passages, kept))) <= most
