"""The writer's round of opening: it sees once what stands around passages, and then it writes."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.answer.material import Material
from footnote.ask.question.expected_cost import EVIDENCE, NUMBERED, OPENED_TOKENS, SYNTHESIZE
from footnote.ask.question.handoff import Progress
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.ask.write.opening import MOST_OPENED, numbers_to_open, open_passages
from footnote.errors import ModelReplyError, NotFoundError, SpentError
from footnote.model import ModelReply, Plan, Scope, SubQuestion, Verdict
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.estimates import pays_for_opening
from tests.corpus import Corpus

KEEPER = "The keeper of the lamp is Odile Marsh."
BEFORE = " ".join(f"Stair {n} was swept in spring." for n in range(40))
PAGES = {"lamp.txt": [f"{BEFORE}\n\nThe lamp stands on the north pier.\n\n{KEEPER}"]}
SUB = SubQuestion(
    id="q1", text="Who keeps the lamp?", verdict=Verdict(decision="enough", confidence=0.8)
)
ENOUGH = {"tokens": 100_000.0, "usd": float("inf")}


class Case:
    """An answer to one question. Only the passage on the north pier has been found."""

    def __init__(self, *replies, may_open=True, document=None):
        corpus = Corpus(PAGES)
        self.trace = []
        self.llm = ScriptedLLM(replies)
        found = retrieve(SUB, Scope(tenant="acme"), (), corpus.ports)
        [whole] = found.passages
        start = whole.text.index("The lamp stands")
        text = "The lamp stands on the north pier."
        self.narrow = whole.model_copy(
            update={
                "start": whole.start + start,
                "end": whole.start + start + len(text),
                "text": text,
                "sentences": (),
            }
        )
        self.answer = synthesize(
            Material(
                "id-1",
                Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,))),
                {"q1": found.model_copy(update={"passages": (self.narrow,)})},
                document or corpus.document,
                corpus.words,
                self.llm,
                lambda kind, data: self.trace.append((kind, data)),
                may_open=may_open,
            )
        )

    @property
    def kinds(self):
        return [kind for kind, _ in self.trace]


def test_what_stands_around_a_passage_is_shown_and_cited():
    case = Case("OPEN [1]", f"{KEEPER} [2.43]")
    assert [c.quote for c in case.answer.citations] == [KEEPER]
    first, second = case.llm.requests
    assert KEEPER not in first.prompt
    assert KEEPER in second.prompt
    assert "OPEN" in first.prompt
    assert "OPEN" not in second.prompt
    assert case.answer.removed == ()


def test_the_round_is_traced_and_both_calls_are_paid_for():
    replies = [
        ModelReply(text=text, mode="anthropic", model="m", input_tokens=10, output_tokens=1)
        for text in ("OPEN [1]", f"{KEEPER} [2]")
    ]
    case = Case(*replies)
    assert case.kinds == ["opened", "words", "written"]
    assert case.trace[0][1] == {"asked": 1, "passages": [{"document": "lamp.txt", "pages": [1]}]}
    assert case.answer.usage.by_step["synthesize"]["tokens"] == 22


def test_an_answer_at_once_costs_one_call():
    case = Case("The lamp stands on the north pier. [1]")
    assert (len(case.llm.requests), case.kinds) == (1, ["words", "written"])


def test_there_is_one_round():
    case = Case("OPEN [1]", "OPEN [2]", f"{KEEPER} [1]")
    assert len(case.llm.requests) == 2
    assert case.answer.mode == "extractive"  # a reply without a sentence is of no use


def test_nothing_is_offered_or_opened_where_the_budget_is_short():
    case = Case("OPEN [1]", f"{KEEPER} [2]", may_open=False)
    assert "OPEN" not in case.llm.requests[0].prompt
    assert (len(case.llm.requests), "opened" in case.kinds) == (1, False)


@pytest.mark.parametrize("error", [SpentError("the budget is spent"), ModelReplyError("cut")])
def test_rules_write_where_the_second_call_fails(error):
    case = Case("OPEN [1]", error)
    assert case.answer.mode == "extractive"
    assert any(error.message in note for note in case.answer.degraded)


def test_a_document_that_is_gone_is_not_opened():
    def gone(document_id, version):
        raise NotFoundError(f"no document {document_id} {version}")

    case = Case("OPEN [1]", "Nothing.", document=gone)
    assert case.trace[0] == ("opened", {"asked": 1, "passages": []})
    assert KEEPER not in case.llm.requests[1].prompt


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("OPEN [2][5]", (2, 5)),
        ("OPEN 2, 5, 2.\n", (2, 5)),
        ("OPEN [2.4]", (2,)),
        ("OPEN", ()),
        ("OPEN the door. [2]", ()),
        ("The gate is open. [2]", ()),
        ("", ()),
    ],
)
def test_only_numbers_after_the_word_ask_to_open(reply, numbers):
    assert numbers_to_open(reply) == numbers


def test_what_opens_is_bounded_whole_and_of_passages_that_there_are():
    corpus = Corpus({"long.txt": ["\n\n".join(f"Plank {n} is of oak." for n in range(3_000))]})
    found = retrieve(
        SUB.model_copy(update={"text": "plank"}), Scope(tenant="acme"), (), corpus.ports
    )
    middle = found.passages[0]
    document = corpus.document(middle.document_id, middle.version)
    passages = {}
    for n, at in enumerate((9_000, 18_000, 27_000, 36_000), start=1):
        start = document.text.index("Plank", at)
        text = document.text[start : document.text.index(".", start) + 1]
        update = {"start": start, "end": start + len(text), "text": text}
        passages[n] = middle.model_copy(update=update)
    opened = open_passages((7, 1, 2, 3, 4), passages, corpus.document)
    assert list(opened) == [1, 2, 3]
    assert len(opened) == MOST_OPENED
    assert sum(estimate_tokens(one.text) for one in opened.values()) <= OPENED_TOKENS + 60
    for n, one in opened.items():
        assert one.start < passages[n].start < passages[n].end < one.end
        assert one.text == document.text[one.start : one.end]
        assert (one.text[:5], one.text[-1]) == ("Plank", ".")


def test_writing_twice_must_be_paid_for():
    full = Settings(backend="memory", anthropic_key_parameter="k")
    once = SYNTHESIZE.input + round(NUMBERED * EVIDENCE) + SYNTHESIZE.output
    twice = 2 * once + OPENED_TOKENS
    assert pays_for_opening(full, ENOUGH)
    assert pays_for_opening(full, {"tokens": twice, "usd": 1.0})
    assert not pays_for_opening(full, {"tokens": twice - 1, "usd": 1.0})
    assert not pays_for_opening(full, {"tokens": twice, "usd": 0.000_001})
    small = full.model_copy(update={"model_profile": "small"})
    assert not pays_for_opening(small, ENOUGH)
    assert not pays_for_opening(Settings(backend="memory"), ENOUGH)
