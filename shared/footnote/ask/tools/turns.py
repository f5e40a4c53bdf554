"""The turns of a model that looks for evidence: how one is stored, traced, resumed, left out."""

from collections.abc import Iterator
from itertools import pairwise

from footnote.ask.question.handoff import read_stored, store
from footnote.ask.question.trace import tell
from footnote.ask.tools.scratchpad import Scratchpad, Visit
from footnote.ask.tools.toolbox import ALL_TOOLS
from footnote.contracts import RetrieveRequest
from footnote.model import Block, Ledger, Measurement, Message, SubQuestion, say_more
from footnote.ports import BlobStore, Questions
from footnote.prompts import fence_texts
from footnote.store.keys import scratchpad_key
from footnote.text.tokens import estimate_tokens

MOST_TOKENS = 24_000  # of all turns that a model is shown again: eight searches
LEFT_OUT = "Earlier turns are left out here. The passages that they showed keep their numbers, 1 to"
GO_ON = (
    "What you found was graded, and is not enough. Go on from where you stopped: what you have been"
    " shown stays, with its numbers. You have {turns} more turns; the last one must be `finish`,"
    " with all passages to cite, also those found before.\n\n{wanted}"
)


def read_last(
    artifacts: BlobStore, question_id: str, wave: int, name: str, turns: int
) -> Scratchpad | None:
    """Returns the scratchpad that a wave has left for a sub-question, None if there is none.

    A wave that failed has left that of its last whole turn: what it found is kept.
    """
    states = [(0, "left"), *((turn, "done") for turn in range(turns, 0, -1))]
    for turn, state in states:
        key = scratchpad_key(question_id, wave, name, turn, state)
        if scratchpad := read_stored(artifacts, key, Scratchpad):
            return scratchpad
    return None


def reopen(scratchpad: Scratchpad, sub: SubQuestion, turns: int) -> Scratchpad:
    """Returns the last wave's scratchpad for the next wave, with nothing spent and nothing ended.

    A new message says what the grader misses. The messages so far stay, with all the model read.
    """
    lacks = sub.verdict.missing if sub.verdict else ""
    hints = {"missing or failed": lacks} if lacks else {}
    if sub.variants:
        hints["other words to try"] = "\n".join(sub.variants)
    reminder = GO_ON.format(turns=turns, wanted=fence_texts(hints) if hints else "")
    return Scratchpad(
        sub_question=scratchpad.sub_question,
        messages=say_more(scratchpad.messages, reminder.strip()),
        passages=scratchpad.passages,
        places=scratchpad.places,
        results=scratchpad.results,
        visits=scratchpad.visits,
        web=scratchpad.web,
        searched=scratchpad.searched,
        strategy=scratchpad.strategy,
        ledger=Ledger(),
    )


def leave_out_turns(scratchpad: Scratchpad, most: int = MOST_TOKENS) -> tuple[Message, ...]:
    """Returns the messages without the oldest turns, where all of them take too many tokens.

    A turn is a call with its results: both stay or both go, and the last one stays. The first
    message then says what was searched for, and what else the model was told meanwhile.
    """
    first, turns = scratchpad.messages[:1], list(_split_turns(scratchpad.messages[1:]))
    sizes = [sum(map(_size, turn)) for turn in turns]
    gone = next((n for n in range(len(turns)) if sum(sizes[n:]) <= most), len(turns) - 1)
    if gone <= 0:
        return scratchpad.messages
    own = [block for block in first[0].blocks if not block.text.startswith(LEFT_OUT)]
    told = [block for turn in turns[:gone] for message in turn[1:] for block in message.blocks]
    searched = "\n".join(past.text for past in scratchpad.searched)
    note = f"{LEFT_OUT} {len(scratchpad.passages)}.\n{fence_texts({'searched for': searched})}"
    blocks = (*own, *told, Block(text=note))
    begun = first[0].model_copy(update={"blocks": blocks})
    return (begun, *(message for turn in turns[gone:] for message in turn))


def _split_turns(messages: tuple[Message, ...]) -> Iterator[tuple[Message, ...]]:
    """Yields each turn: what the model said, and what it was answered."""
    begins = [n for n, message in enumerate(messages) if message.role == "assistant"]
    for begin, end in pairwise([*begins, len(messages)]):
        yield messages[begin:end]


def _size(message: Message) -> int:
    texts = (message.text, *(result.text for result in message.results))
    return sum(map(estimate_tokens, texts))


def store_turn(
    request: RetrieveRequest,
    before: Scratchpad,
    after: Scratchpad,
    artifacts: BlobStore,
    questions: Questions,
    *,
    of: int,
) -> Scratchpad:
    """Stores and traces a turn: the scratchpad `before` and `after` its calls, `of` so many turns.

    Returns the scratchpad that is stored: that of an earlier run, if there was one.
    """
    key = scratchpad_key(
        request.question_id, request.round, before.sub_question, request.turn, "done"
    )
    after = store(artifacts, key, after)
    event = turn_event(before, after, n=request.turn, of=of, wave=request.round)
    tell(questions, request.question_id, "turn", event, name=key)
    for n, visit in enumerate(after.visits[len(before.visits) :]):
        event = visit_event(visit, after.sub_question, request.round)
        tell(questions, request.question_id, "visit", event, name=f"{key}/{n}")
    return after


def measure_turn(before: Scratchpad, after: Scratchpad) -> list[Measurement]:
    """Returns the measurements of a turn: which of its calls the model was told have failed."""
    if not before.calls:
        return []
    failed = sum(result.failed for result in after.messages[-1].results)
    counts = {"done": len(before.calls) - failed, "failed": failed}
    return [
        Measurement(name="ToolCalls", value=count, of=result)
        for result, count in counts.items()
        if count
    ]


def visit_event(visit: Visit, sub_question: str, wave: int) -> dict[str, object]:
    """Returns the trace's event for a look outside. It has the host of an address and no more."""
    return {
        "sub_question": sub_question,
        "round": wave,
        "tool": visit.tool,
        "at": visit.at,
        "outcome": visit.outcome,
        "document": visit.revision.path if visit.key else "",
        "bytes": visit.size,
        "ms": visit.ms,
    }


def turn_event(
    before: Scratchpad, after: Scratchpad, *, n: int, of: int, wave: int
) -> dict[str, object]:
    """Returns the trace's event for turn `n` of at most `of`.

    It names the tools but not their arguments, which may hold a document's words. `failed` counts
    calls that went wrong; a useless reply counts as one. `passages`, `tokens` and `usd` are sums
    over all turns so far.
    """
    names = [call.name if call.name in ALL_TOOLS else "no such tool" for call in before.calls]
    failed = (
        sum(result.failed for result in after.messages[-1].results)
        if names
        else bool(before.failure)
    )
    return {
        "sub_question": after.sub_question,
        "n": n,
        "of": of,
        "round": wave,
        "tools": names,
        "failed": int(failed),
        "passages": len(after.passages),
        "tokens": after.ledger.tokens,
        "usd": after.ledger.usd,
    }
