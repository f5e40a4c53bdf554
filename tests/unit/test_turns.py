"""What the trace tells of a model's turns, and how work goes on where the grader wants more."""

import json

from footnote.ask.tools import turns
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.tools.turns import LEFT_OUT, leave_out_turns
from footnote.cli.event_lines import EVENTS
from footnote.errors import UnavailableError
from footnote.model import Block, Message, PastSearch, ToolCall, ToolResult, user_says
from footnote.service import Service
from footnote.text.tokens import estimate_tokens
from tests.turns import Model, calls, finish, search
from tests.unit.test_waves import Index
from tests.unit.test_work import ENOUGH, OTHERS, PLAN, QUESTION, WRITTEN, pipeline

MORE = json.dumps(
    {
        "verdicts": [
            {
                "id": "q1",
                "decision": "expand",
                "confidence": 0.3,
                "missing": "the fee of 2019",
                "variants": ["old fees"],
            }
        ]
    }
)


def asked(*taken, others=OTHERS, **settings):
    """Returns the model, the trace, and the keys of what was stored."""
    model = Model(taken, others)
    made = pipeline(model, **settings)
    service = Service(made, "acme")
    record = service.questions.ask(QUESTION)
    assert service.questions.get(record.question_id).status == "DONE"
    keys = made.artifacts.keys(f"questions/{record.question_id}/evidence/")
    return model, service.questions.events(record.question_id), sorted(keys)


def told(events, kind):
    return [event.data for event in events if event.kind == kind]


def test_each_turn_is_told_with_its_number_its_tools_and_what_was_found():
    wrong = ("open", {"passage": 99, "what": "page"})
    _, events, _ = asked(
        calls(search(), wrong, input_tokens=100), calls(finish(1), input_tokens=200)
    )
    first, second = told(events, "turn")
    assert (first["n"], first["of"], first["round"], first["sub_question"]) == (1, 4, 1, "q1")
    assert (first["tools"], first["failed"]) == (["search", "open"], 1)
    assert (second["n"], second["tools"], second["failed"]) == (2, ["finish"], 0)
    assert 0 < first["passages"] == second["passages"]
    assert (first["tokens"], second["tokens"]) == (100, 300)
    kinds = [event.kind for event in events]
    assert kinds[:5] == ["estimate", "plan", "turn", "turn", "found"]
    assert EVENTS["turn"](first).startswith("turn 1 of 4, q1: search, open; ")


def test_what_a_model_calls_a_tool_is_no_words_of_ours():
    _, events, _ = asked(calls(("see http://evil.example", {})), calls(search()), calls(finish(1)))
    first = told(events, "turn")[0]
    assert (first["tools"], first["failed"]) == ([], 1)
    assert "evil" not in json.dumps(told(events, "turn"))


def test_where_more_is_wanted_the_model_goes_on_at_the_desk_it_left():
    others = (PLAN, MORE, ENOUGH, WRITTEN)
    model, events, keys = asked(
        calls(search("harbour fee")), calls(finish(1)), calls(finish(1, 2)), others=others
    )
    first, last = model.turns[0], model.turns[2]
    assert last.messages[: len(model.turns[1].messages)] == model.turns[1].messages
    assert len(last.messages) > len(first.messages)
    asked_again = last.messages[-1]
    assert [one.role for one in last.messages] == ["user", "assistant"] * 2 + ["user"]
    assert (asked_again.calls, len(asked_again.results)) == ((), 1)
    assert "the fee of 2019" in asked_again.text
    assert "old fees" in asked_again.text
    assert [(one["round"], one["n"]) for one in told(events, "turn")] == [(1, 1), (1, 2), (2, 1)]
    assert [key.rsplit("/", 2)[1] for key in keys] == ["1", "2"]


def test_places_that_were_shown_before_may_be_opened_when_the_model_goes_on():
    overview = ("overview", {"query": "harbour crowns"})
    _, events, _ = asked(
        calls(overview),
        calls(("look", {"places": [1]})),
        calls(finish(1)),
        calls(("look", {"places": [2]})),
        calls(finish(1, 2)),
        others=(PLAN, MORE, ENOUGH, WRITTEN),
    )
    again = [one for one in told(events, "turn") if one["round"] == 2]
    assert [(one["tools"], one["failed"]) for one in again] == [(["look"], 0), (["finish"], 0)]
    assert again[0]["passages"] == 2


def test_the_work_of_a_later_wave_is_paid_for_once():
    others = (PLAN, MORE, ENOUGH, WRITTEN)
    _, events, _ = asked(
        calls(search("harbour fee"), input_tokens=100),
        calls(finish(1), input_tokens=200),
        calls(finish(1), input_tokens=50),
        others=others,
    )
    assert [one["tokens"] for one in told(events, "turn")] == [100, 300, 50]


def test_the_oldest_turns_are_left_out_whole_and_what_was_told_between_them_stays():
    shown = "The quay is of basalt. " * 60
    messages = [*user_says("Find the fee.")]
    for n in range(1, 5):
        call = ToolCall(id=f"c{n}", name="search")
        said = (Block(text="Go on."),) if n == 1 else ()
        results = (ToolResult(id=f"c{n}", text=f"{n}: {shown}"),)
        messages += [
            Message(role="assistant", calls=(call,)),
            Message(role="user", results=results, blocks=said),
        ]
    past = PastSearch(strategy="auto", text="harbour fee")
    pad = Scratchpad(sub_question="q1", messages=tuple(messages), searched=(past,))
    assert leave_out_turns(pad, 10_000) == pad.messages
    size = estimate_tokens(f"9: {shown}")
    kept = leave_out_turns(pad, 2 * size + 5)
    assert kept[1:] == pad.messages[5:]  # each call with its results
    assert [block.text for block in kept[0].blocks[:2]] == ["Find the fee.", "Go on."]
    assert "harbour fee" in kept[0].text
    again = leave_out_turns(pad.model_copy(update={"messages": kept}), size + 5)
    assert again[1:] == pad.messages[7:]
    assert again[0].text.count(LEFT_OUT) == 1
    assert leave_out_turns(pad, 1)[1:] == pad.messages[7:]  # the last turn stays


def test_a_model_that_looks_for_long_is_shown_its_last_turns_alone(monkeypatch):
    monkeypatch.setattr(turns.leave_out_turns, "__defaults__", (60,))
    queries = ["harbour fee", "barge fee", "ferry fee", "tug fee"]
    model, *_ = asked(*(calls(search(text)) for text in queries), calls(finish(1)), max_turns=5)
    lengths = [len(one.messages) for one in model.turns]
    assert lengths == [1, 3, 3, 3, 3]
    assert all(text in model.turns[-1].messages[0].text for text in queries[:3])
    assert model.turns[-1].messages[-1].results


def test_what_a_model_had_found_before_its_search_failed_is_kept_for_the_next_wave():
    model = Model(
        [calls(search("harbour fee")), calls(search("old fees")), calls(finish(1))],
        (PLAN, ENOUGH, WRITTEN),
    )
    made = pipeline(model)
    made.index = Index(made.index, {"old fees": UnavailableError("the index is down")})
    service = Service(made, "acme")
    record = service.questions.ask(QUESTION)
    assert service.questions.get(record.question_id).answer.found
    last = model.turns[-1].messages
    assert [one.role for one in last] == ["user", "assistant", "user"]
    assert "84 crowns" in last[-1].results[0].text
    assert "the index is down" in last[-1].text
    event = told(service.questions.events(record.question_id), "turn")[-1]
    assert (event["round"], event["n"], event["tools"]) == (2, 1, ["finish"])
