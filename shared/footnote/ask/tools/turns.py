"""The turns of a model that looks for evidence: what the trace tells of one, and going on later."""

from footnote.ask.question.handoff import store
from footnote.ask.question.trace import tell
from footnote.ask.tools.scratchpad import Desk
from footnote.ask.tools.toolbox import TOOLS
from footnote.contracts import RetrieveRequest
from footnote.model import Ledger, SubQuestion, say_more
from footnote.ports import BlobStore, Questions
from footnote.prompts import fence_texts
from footnote.store.keys import desk_key

GO_ON = (
    "What you found was graded, and is not enough. Go on from where you stopped: what you have been"
    " shown stays, with its numbers. You have {turns} more turns; the last one must be `finish`,"
    " with all passages to cite, also those found before.\n\n{wanted}"
)


def reopen(desk: Desk, sub: SubQuestion, turns: int) -> Desk:
    """Returns the desk of the wave before, to go on with: nothing is spent or ended on it.

    The model is told what the grader misses. All that it has read stays in its messages.
    """
    wanted = {"still missing": sub.verdict.missing} if sub.verdict and sub.verdict.missing else {}
    if sub.variants:
        wanted["other words to try"] = "\n".join(sub.variants)
    said = GO_ON.format(turns=turns, wanted=fence_texts(wanted) if wanted else "")
    return Desk(
        sub_question=desk.sub_question,
        messages=say_more(desk.messages, said.strip()),
        passages=desk.passages,
        places=desk.places,
        searched=desk.searched,
        strategy=desk.strategy,
        ledger=Ledger(),
    )


def store_turn(
    request: RetrieveRequest,
    asked: Desk,
    done: Desk,
    artifacts: BlobStore,
    questions: Questions,
    *,
    of: int,
) -> Desk:
    """Stores the desk after the calls of a turn, and tells the trace; returns what is stored.

    `of` is the number of turns that the work may take.
    """
    key = desk_key(request.question_id, request.round, asked.sub_question, request.turn, "done")
    done = store(artifacts, key, done)
    event = turn_event(asked, done, n=request.turn, of=of, wave=request.round)
    tell(questions, request.question_id, "turn", event, name=key)
    return done


def turn_event(asked: Desk, done: Desk, *, n: int, of: int, wave: int) -> dict[str, object]:
    """Returns what a turn tells: the n-th of those that it may take, and what was called.

    Tools are told by name: what they were called with may be a document's words. `failed` counts
    calls that went wrong; a reply of no use counts as one. `passages` are those found so far,
    `tokens` and `usd` what the work has cost so far.
    """
    names = [call.name if call.name in TOOLS else "no such tool" for call in asked.calls]
    failed = sum(one.failed for one in done.messages[-1].results) if names else bool(asked.failure)
    return {
        "sub_question": done.sub_question,
        "n": n,
        "of": of,
        "round": wave,
        "tools": names,
        "failed": int(failed),
        "passages": len(done.passages),
        "tokens": done.ledger.tokens,
        "usd": done.ledger.usd,
    }
