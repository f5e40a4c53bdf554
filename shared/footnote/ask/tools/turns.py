"""The turns of a model that looks for evidence: how one is stored, traced and resumed."""

from footnote.ask.question.handoff import store
from footnote.ask.question.trace import tell
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.tools.toolbox import TOOLS
from footnote.contracts import RetrieveRequest
from footnote.model import Ledger, SubQuestion, say_more
from footnote.ports import BlobStore, Questions
from footnote.prompts import fence_texts
from footnote.store.keys import scratchpad_key

GO_ON = (
    "What you found was graded, and is not enough. Go on from where you stopped: what you have been"
    " shown stays, with its numbers. You have {turns} more turns; the last one must be `finish`,"
    " with all passages to cite, also those found before.\n\n{wanted}"
)


def reopen(scratchpad: Scratchpad, sub: SubQuestion, turns: int) -> Scratchpad:
    """Returns the last wave's scratchpad for the next wave, with nothing spent and nothing ended.

    A new message says what the grader misses. The messages so far stay, with all the model read.
    """
    hints = {"still missing": sub.verdict.missing} if sub.verdict and sub.verdict.missing else {}
    if sub.variants:
        hints["other words to try"] = "\n".join(sub.variants)
    reminder = GO_ON.format(turns=turns, wanted=fence_texts(hints) if hints else "")
    return Scratchpad(
        sub_question=scratchpad.sub_question,
        messages=say_more(scratchpad.messages, reminder.strip()),
        passages=scratchpad.passages,
        places=scratchpad.places,
        results=scratchpad.results,
        searched=scratchpad.searched,
        strategy=scratchpad.strategy,
        ledger=Ledger(),
    )


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
    return after


def turn_event(
    before: Scratchpad, after: Scratchpad, *, n: int, of: int, wave: int
) -> dict[str, object]:
    """Returns the trace's event for turn `n` of at most `of`.

    It names the tools but not their arguments, which may hold a document's words. `failed` counts
    calls that went wrong; a useless reply counts as one. `passages`, `tokens` and `usd` are sums
    over all turns so far.
    """
    names = [call.name if call.name in TOOLS else "no such tool" for call in before.calls]
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
