"""Whether all prices are known reaches the answer by each way on which its cost does."""

import json

import pytest

from footnote.adapters.calls.meter import Meter
from footnote.adapters.llm.prices import Price
from footnote.adapters.llm.replies import estimate_cost, sum_of
from footnote.ask.question.handoff import Progress
from footnote.ask.question.stand_in import stand_in
from footnote.ask.whole.merge import cost_of
from footnote.contracts import RetrieveResult
from footnote.errors import ModelReplyError
from footnote.model import Ledger, Message, ModelReply, ModelRequest, Notes, Plan
from tests.unit.test_whole_by_model import CHOSEN, Reader
from tests.unit.test_whole_by_model import ask as ask_of_all
from tests.unit.test_work import asked, calls, finish, search

KNOWN = ModelReply(text="", mode="openai", model="quill-9", input_tokens=9, usd=0.1)
UNKNOWN = KNOWN.model_copy(update={"usd": 0.0, "priced": False})
PROGRESS = Progress(plan=Plan(kind="retrieve", question="Why?"))
FREE = Ledger(tokens=5, priced=False)
WAYS = {
    "a reply": lambda told: told.after("plan", [KNOWN, UNKNOWN]),
    "a search": lambda told: told.paid_for(
        [RetrieveResult(sub_question="q1", tokens=5, priced=False)]
    ),
    "a batch that was read": lambda told: told.paid(
        "read", cost_of([Notes(tokens=5, priced=False), Notes(tokens=5, usd=0.1)])
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_one_cost_without_a_price_is_enough_and_stays(way):
    after = WAYS[way](PROGRESS)
    assert (after.usage.priced, after.ledger.priced) == (False, False)
    later = after.after("grade", [KNOWN]).paid("retrieve", Ledger(tokens=1, usd=0.1))
    assert (later.usage.priced, later.usage.usd > 0.1) == (False, True)
    assert not later.begin_answer("q-1").usage.priced


def test_what_is_priced_or_spends_nothing_leaves_it_as_it_is():
    after = PROGRESS.after("plan", [KNOWN]).paid("read", cost_of([])).paid_for([])
    assert after.usage.priced
    assert after.paid("read", Ledger(priced=False)) == after


def test_a_reply_that_was_tried_again_or_left_keeps_it():
    assert (sum_of([UNKNOWN, KNOWN]).priced, sum_of([KNOWN, KNOWN]).priced) == (False, True)
    request = ModelRequest(task="plan", system="", messages=(Message(role="user"),))
    for prices, known in (({}, False), ({"quill-9": Price(1, 1)}, True)):
        left = estimate_cost(request, "a", mode="openai", model="quill-9", prices=prices)
        assert left.priced is known
    assert not stand_in("plan", ModelReplyError("empty", spent=UNKNOWN), 0.0).priced


def test_a_meter_tells_it_until_it_is_read():
    meter = Meter()
    meter.add(5, 0.1)
    meter.add(5, None)
    assert (meter.take().priced, meter.take().priced) == (False, True)


@pytest.mark.parametrize("priced", [True, False])
def test_the_turns_of_a_model_that_searches_tell_it(priced):
    turn = {"input_tokens": 100, "priced": priced}
    answer, _ = asked(calls(search(), **turn), calls(finish(1), input_tokens=100))
    assert answer.usage.priced is priced


@pytest.mark.parametrize("priced", [True, False])
def test_a_model_that_reads_all_documents_tells_it(priced, monkeypatch):
    reader = Reader(CHOSEN)
    complete = reader.complete

    def reply(request):
        made = complete(request)
        return made.model_copy(update={"priced": priced or request.task != "read"})

    monkeypatch.setattr(reader, "complete", reply)
    answer, _ = ask_of_all(reader)
    assert answer.usage.by_step["read"]["tokens"]
    assert answer.usage.priced is priced
    assert json.loads(answer.model_dump_json())["usage"]["priced"] is priced
