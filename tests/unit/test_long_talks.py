"""Conversations of twenty turns: what the first has established answers the last.

The model here knows no more than its prompts say. So a turn that refers to the first is understood
only if that still stands in the history that it is shown. See also test_history.py.
"""

import json
import re

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.question import history
from footnote.service import Service
from footnote.text.tokens import estimate_tokens
from tests.unit.faces import small

TURNS = 20
NAMES = re.findall(
    r"\w+",
    "Aurelia Brinny Cordula Drossel Esmee Fulmar Gannet Heron Isolde Juno Kestrel Linnet Merle"
    " Nuthatch Osprey Petrel Quail Rail Siskin Teal",
)
BOATS = [f"The boat {name} is moored at pier {n}." for n, name in enumerate(NAMES, start=1)]
KEEPERS = {"Aurelia": "Tavish Lund", "Cordula": "Odmark Quist"}
FIRST = "Which boat is moored at pier 1?"
LAST = "Who keeps the boat that we began with?"
MOST_LINES = 6  # of an answer
OLDER_TOKENS = 300  # of the history, so that twenty turns do not fit it as they are
MOST_GROWTH = 1.25  # of the tokens of a late turn, beside one in the middle


class Listener:
    """Plans by what the history in its prompt says, and answers with a line of its passages."""

    def __init__(self):
        self.plans = []
        self.condensed = 0

    def complete(self, request):
        made = getattr(self, f"_{request.task}")(request.prompt)
        text = made if isinstance(made, str) else json.dumps(made)
        reply = ScriptedLLM([text]).complete(request)
        read = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        return reply.model_copy(update={"input_tokens": read})

    def stream(self, request):
        reply = self.complete(request)
        yield reply.text
        yield reply

    def _plan(self, prompt):
        self.plans.append(prompt)
        question = prompt.rsplit("question>>>", 1)[-1].strip().splitlines()[0]
        if question == LAST:
            begun = re.search(r"boat (\w+) is moored at pier", prompt)
            question = f"Who keeps the boat {begun[1]}?" if begun else "Who keeps it?"
        return {"kind": "retrieve", "resolved": question, "sub_questions": [{"text": question}]}

    def _grade(self, _):
        return {"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}

    def _condense(self, prompt):
        """Sums each turn up by the first sentence of its answer."""
        self.condensed += 1
        turns = re.findall(r"<<<\w+ (\d+)>>>\n(.*?)\n<<<end", prompt, re.DOTALL)
        said = {n: text.partition("\n")[2] or text for n, text in turns}
        return {
            "lines": [
                {"text": f"{text.partition('.')[0]}.", "turns": [int(n)]}
                for n, text in said.items()
            ]
        }

    def _synthesize(self, prompt):
        """Copies the line with most names and figures of the question, and those after it."""
        question = re.search(r"q1>>>\n(.*)", prompt)[1]
        words = set(re.findall(r"\b[A-Z]\w+|\d+", question)) - {"Which", "Who"}
        pieces = re.findall(r"^\[(\d+\.\d+)\] (.*)$", prompt, re.MULTILINE)
        shared = [len(words & set(re.findall(r"\w+", text))) for _, text in pieces]
        best = shared.index(max(shared))
        return " ".join(f"{text} [{mark}]" for mark, text in pieces[best : best + MOST_LINES])

    def _judge(self, _):
        return {"words": [], "lacks": "all", "supported": False}


@pytest.fixture
def pipeline(monkeypatch):
    monkeypatch.setattr(history, "OLDER_TOKENS", OLDER_TOKENS)
    made = small()
    for n, text in enumerate(BOATS, start=1):
        filler = " ".join(f"Plank {k} of pier {n} was laid by crew {k}." for k in range(12))
        made.upload(f"acme/default/pier-{n}.md", f"# Pier {n}\n\n{text} {filler}\n".encode())
    for boat, keeper in KEEPERS.items():
        made.upload(
            f"acme/default/{boat}.md", f"# {boat}\n\n{keeper} keeps the boat {boat}.\n".encode()
        )
    return made


def talk(service, turns, after=""):
    """Asks the turns one after the other, each after the one before, and returns their records."""
    records = []
    for text in turns:
        asked = service.questions.ask(text, session="s", after=after)
        records.append(service.questions.get(asked.question_id))
        after = asked.question_id
    return records


def pier(n):
    return f"Which boat is moored at pier {n}?"


def test_the_twentieth_turn_is_answered_by_what_the_first_established(pipeline):
    vars(pipeline)["llm"] = model = Listener()
    between = [pier(n) for n in range(2, TURNS)]
    *_, last = talk(Service(pipeline, "acme"), [FIRST, *between, LAST])
    assert last.standalone == "Who keeps the boat Aurelia?"
    assert "Tavish Lund keeps the boat Aurelia." in last.answer.answer
    assert {one.document for one in last.answer.citations} == {"Aurelia.md"}
    assert len(model.plans) == TURNS
    assert model.condensed


def test_a_late_turn_reads_no_more_than_one_in_the_middle(pipeline):
    vars(pipeline)["llm"] = Listener()
    records = talk(Service(pipeline, "acme"), [pier(n) for n in range(1, TURNS + 1)])
    tokens = [one.answer.usage.tokens for one in records]
    assert all(tokens)
    assert max(tokens[-5:]) <= MOST_GROWTH * max(tokens[5:10])


def test_a_branch_late_in_a_conversation_is_answered_by_its_own_beginning(pipeline):
    vars(pipeline)["llm"] = Listener()
    service = Service(pipeline, "acme")
    first, *_ = talk(service, [FIRST, *(pier(n) for n in range(2, 9))])
    other = [pier(3), *(pier(n) for n in range(9, 9 + TURNS // 2))]
    *_, own = talk(service, [*other, LAST], after="")
    assert own.standalone == "Who keeps the boat Aurelia?"  # it went on from the session's last
    [*_, branch] = talk(service, [pier(5), LAST], after=first.question_id)
    assert [asked for asked, _ in branch.history] == [FIRST, pier(5)]
    assert "Tavish Lund" in branch.answer.answer
    alone = Service(pipeline, "acme")
    begun = alone.questions.ask(pier(3), session="t")
    fresh = alone.questions.ask(LAST, session="t", after=begun.question_id)
    answer = alone.questions.get(fresh.question_id).answer
    assert "Odmark Quist keeps the boat Cordula." in answer.answer


def test_without_a_model_a_late_turn_goes_on_from_the_one_before_and_the_first_is_kept(pipeline):
    records = talk(Service(pipeline, "acme"), [pier(n) for n in range(1, TURNS)])
    last = talk(Service(pipeline, "acme"), ["And at pier 20?"], records[-1].question_id)[0]
    assert BOATS[19] in last.answer.answer
    assert "Aurelia" in last.history[0][1]
    sizes = [sum(estimate_tokens(f"{a} {b}") for a, b in one.history) for one in records]
    assert max(sizes[-5:]) <= 2 * max(sizes[5:10])
