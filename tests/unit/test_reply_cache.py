"""What a model replied to a try that failed is what the next try gets, piece by piece."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.question.reply_cache import ReplayingLLM, Replies
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest, user_says
from footnote.prompts import fence_texts
from tests.contract.suites.llm import LLMSuite, scripted, scripted_calls, scripted_failure

ASKED = ModelRequest(task="synthesize", system="s", messages=user_says("p"))
REPLY = ModelReply(text="One. Two. Three.", mode="anthropic", model="m", usd=0.5)


def stored(paid):
    """Returns the replies as the next try reads them."""
    return Replies.model_validate_json(paid.replies().model_dump_json())


def again(paid):
    """Makes the LLM of the next try, whose model has no more replies."""
    return ReplayingLLM(ScriptedLLM([]), stored(paid))


class TestReplayingLLM(LLMSuite):
    @pytest.fixture
    def saying(self):
        return lambda text: ReplayingLLM(scripted(text), Replies())

    @pytest.fixture
    def calling(self):
        return lambda *calls: ReplayingLLM(scripted_calls(*calls), Replies())

    @pytest.fixture
    def failing(self):
        return lambda failure: ReplayingLLM(scripted_failure(failure), Replies())


def test_a_model_is_heard_as_it_speaks():
    llm = ScriptedLLM([REPLY])
    assert list(ReplayingLLM(llm, Replies()).stream(ASKED)) == ["One. ", "Two. ", "Three.", REPLY]
    assert llm.requests == [ASKED]


def test_a_reply_that_was_heard_to_its_end_is_said_again():
    paid = ReplayingLLM(ScriptedLLM([REPLY]), Replies())
    list(paid.stream(ASKED))
    assert list(again(paid).stream(ASKED)) == ["One. Two. Three.", REPLY]


def test_a_reply_that_nobody_listens_to_any_more_is_kept_whole():
    paid = ReplayingLLM(ScriptedLLM([REPLY]), Replies())
    assert next(iter(paid.stream(ASKED))) == "One. "
    assert list(again(paid).stream(ASKED)) == ["One. Two. Three.", REPLY]


def test_several_replies_are_said_again_in_order_and_then_the_model_is_asked():
    paid = ReplayingLLM(ScriptedLLM([REPLY, "Mended."]), Replies())
    list(paid.stream(ASKED))
    mended = paid.complete(ASKED)
    llm = ScriptedLLM(["More."])
    next_try = ReplayingLLM(llm, stored(paid))
    assert list(next_try.stream(ASKED))[-1] == REPLY
    assert next_try.complete(ASKED) == mended
    assert llm.requests == []
    assert next_try.complete(ASKED).text == "More."
    assert [one.reply.text for one in next_try.replies().said] == [
        "One. Two. Three.",
        "Mended.",
        "More.",
    ]


def test_another_question_is_not_answered_with_what_was_said_to_the_first():
    paid = ReplayingLLM(ScriptedLLM([REPLY, "Mended."]), Replies())
    list(paid.stream(ASKED))
    mend = ASKED.model_copy(update={"messages": user_says("mend")})
    paid.complete(mend)
    next_try = ReplayingLLM(ScriptedLLM(["Other."]), stored(paid))
    other = ASKED.model_copy(update={"messages": user_says("other")})
    assert next_try.complete(other).text == "Other."
    assert next_try.complete(mend).text == "Mended."
    assert [one.text or one.reply.text for one in stored(next_try).said] == [
        "Other.",
        "Mended.",
        "One. Two. Three.",
    ]


def test_the_same_in_another_fence_is_the_same():
    fences = [
        ASKED.model_copy(update={"messages": user_says(fence_texts({"question": "Why?"}))})
        for _ in range(3)
    ]
    fences[2] = ASKED.model_copy(update={"messages": user_says(fence_texts({"question": "How?"}))})
    paid = ReplayingLLM(ScriptedLLM([REPLY]), Replies())
    list(paid.stream(fences[0]))
    assert list(again(paid).stream(fences[1]))[-1] == REPLY
    with pytest.raises(ModelReplyError, match="no reply left"):
        list(again(paid).stream(fences[2]))


def test_a_reply_of_no_use_is_paid_too():
    class Broken(ScriptedLLM):
        def stream(self, _):
            yield "One. "
            raise ModelReplyError("cut off", spent=REPLY)

    paid = ReplayingLLM(Broken([]), Replies())
    with pytest.raises(ModelReplyError, match="cut off"):
        list(paid.stream(ASKED))
    assert stored(paid).said[0].text == "One. "
    with pytest.raises(ModelReplyError, match="cut off") as raised:
        list(again(paid).stream(ASKED))
    assert raised.value.usd == REPLY.usd


def test_a_reply_that_broke_off_is_paid_too_and_breaks_off_again():
    class Broken(ScriptedLLM):
        def stream(self, _):
            yield "One. "
            error = UnavailableError("cut off")
            error.spent = REPLY
            raise error

    paid = ReplayingLLM(Broken([]), Replies())
    with pytest.raises(UnavailableError):
        list(paid.stream(ASKED))
    pieces = again(paid).stream(ASKED)
    assert next(pieces) == "One. "
    with pytest.raises(UnavailableError, match="cut off") as raised:
        next(pieces)
    assert raised.value.spent == REPLY


def test_a_model_that_was_not_there_has_said_nothing():
    paid = ReplayingLLM(
        ScriptedLLM([UnavailableError("busy"), UnavailableError("busy")]), Replies()
    )
    with pytest.raises(UnavailableError):
        list(paid.stream(ASKED))
    with pytest.raises(UnavailableError):
        paid.complete(ASKED)
    assert stored(paid) == Replies()
