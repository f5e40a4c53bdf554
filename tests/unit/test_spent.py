"""What attempts before the last one have cost is told, whatever the last one comes to."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply
from tests.model_cases import PLAN, in_chain


class Attempts:
    """Implements LLM: each attempt costs a dollar more than the last, and then does as told."""

    def __init__(self, *ends):
        self.ends, self.made = list(ends), 0

    def complete(self, request):
        return list(self.stream(request))[-1]

    def stream(self, request):
        self.made += 1
        reply = ModelReply(
            text="It is. [1]", mode="anthropic", model="m", usd=self.made, input_tokens=self.made
        )
        end = self.ends.pop(0)
        if end == "begun":
            yield "It "
        if end != "whole":
            error = (ModelReplyError if end == "useless" else UnavailableError)(end)
            error.spent = reply
            raise error
        yield from ScriptedLLM([reply]).stream(request)


@pytest.mark.parametrize("call", ["complete", "stream"])
@pytest.mark.parametrize(
    ("ends", "usd"),
    [
        (["whole"], 1),
        (["down", "whole"], 3),
        (["down", "down", "whole"], 6),
        (["down", "useless"], 3),
        (["down", "begun"], 3),
        (["down"] * 4, 10),
    ],
)
def test_every_attempt_is_in_the_sum(call, ends, usd):
    attempts = Attempts(*ends, *(["down"] * 9 if ends == ["down", "begun"] else []))
    llm = in_chain(attempts, sleep=lambda _: None)
    try:
        told = llm.complete(PLAN) if call == "complete" else list(llm.stream(PLAN))[-1]
    except (ModelReplyError, UnavailableError) as error:
        told = error.spent
    every = sum(range(1, attempts.made + 1))
    assert (told.usd, told.input_tokens) == (every, every)
    assert every == usd or (call, ends) == ("complete", ["down", "begun"])
