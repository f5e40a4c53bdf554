"""Stores what the steps of a question hand on, in the artifacts bucket: once, never anew.

A step may run again, and a whole question may run twice at once. The later run goes on with what
the first has stored. So nothing changes under a running step, and nothing is paid for twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from footnote.ask.question.stand_in import NO_MODEL
from footnote.contracts import RetrieveResult
from footnote.errors import NotFoundError
from footnote.model import (
    Answer,
    History,
    Ledger,
    Mode,
    ModelCall,
    ModelReply,
    Plan,
    Usage,
    Value,
    Whole,
)
from footnote.ports import BlobStore

type Decision = Literal["enough", "expand", "replan", "next", "capped", "failed"]


class Progress(Value):
    """The plan after a wave of searches, with all that the answer reports about its making.

    `round` numbers the waves. Grading has chosen `decision` and the next `wave`. `whole` says what
    is read where all documents in scope are, in place of any search. `history` is what the plan
    step was told of the session.
    """

    plan: Plan
    round: int = 1
    mode: Mode = "extractive"
    degraded: tuple[str, ...] = ()
    usage: Usage = Usage()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    decision: Decision = "enough"
    wave: tuple[str, ...] = ()
    ledger: Ledger = Ledger()
    calls: tuple[ModelCall, ...] = ()  # of models, in the last step alone
    took: float = 0.0  # milliseconds of the last step alone
    whole: Whole | None = None
    history: History = ()  # in what the plan step stores alone

    def with_decision(self, decision: Decision, wave: tuple[str, ...]) -> "Progress":
        return self.model_copy(update={"decision": decision, "wave": wave})

    def begin_answer(self, question_id: str) -> Answer:
        """Returns an answer that says nothing yet but how it is made.

        That no model is configured is the first of its notes.
        """
        return Answer(
            id=question_id,
            kind="answer",
            found=False,
            answer="",
            degraded=tuple(sorted(self.degraded, key=lambda note: note != NO_MODEL)),
            no_model=NO_MODEL in self.degraded,
            mode=self.mode,
            plan=self.plan,
            rounds=self.round,
            usage=self.usage,
            timings_ms=self.timings_ms,
        )

    def after(
        self,
        step: str,
        replies: Sequence[ModelReply],
        *,
        plan: Plan | None = None,
        round_: int | None = None,
        degraded: Sequence[str] = (),
        spent: Ledger | None = None,
    ) -> "Progress":
        """Returns the progress after `step`, with the cost of its replies and its changes.

        `spent` is what the step has spent besides.
        """
        notes = [text for reply in replies for text in reply.degraded]
        return Progress(
            plan=plan or self.plan,
            round=round_ or self.round,
            mode=replies[-1].mode if replies else self.mode,
            degraded=tuple(dict.fromkeys((*self.degraded, *notes, *degraded))),
            usage=add_cost(self.usage, step, replies),
            timings_ms=self.timings_ms,
            ledger=self.ledger.plus(_cost_of(replies)).plus(spent or Ledger()),
            calls=tuple(reply.call for reply in replies if reply.call),
            whole=self.whole,
        )

    def paid(self, step: str, spent: Ledger) -> "Progress":
        """Adds what `step` has spent on models that give no replies, such as embedding models."""
        if not spent.tokens and not spent.usd:
            return self
        usage = add_spent(self.usage, step, spent)
        return self.model_copy(update={"usage": usage, "ledger": self.ledger.plus(spent)})

    def paid_for(self, found: Iterable[RetrieveResult]) -> "Progress":
        """Adds the cost of a wave of searches."""
        results = list(found)
        paid = self.paid(
            "retrieve",
            Ledger(
                tokens=sum(one.tokens for one in results),
                usd=sum(one.usd for one in results),
                priced=all(one.priced for one in results),
            ),
        )
        # grading counts one search for each of them
        more = Ledger(
            searches=sum(max(0, one.searches - 1) for one in results if not one.error),
            turns=sum(one.turns for one in results),
        )
        return paid.model_copy(update={"ledger": paid.ledger.plus(more)})

    def timed(self, step: str, milliseconds: float) -> "Progress":
        """Adds the time of `step` to the time that it took in earlier waves."""
        total = round(self.timings_ms.get(step, 0.0) + milliseconds, 1)
        timings = {**self.timings_ms, step: total}
        return self.model_copy(update={"timings_ms": timings, "took": round(milliseconds, 1)})


def _cost_of(replies: Sequence[ModelReply]) -> Ledger:
    """Returns the cost of models' replies. A reply that rules made is no turn."""
    return Ledger(
        turns=sum(reply.mode != "extractive" for reply in replies),
        tokens=sum(reply.input_tokens + reply.output_tokens for reply in replies),
        usd=round(sum(reply.usd for reply in replies), 6),
        priced=all(reply.priced for reply in replies),
    )


def add_cost(usage: Usage, step: str, replies: Sequence[ModelReply]) -> Usage:
    """Adds the cost of one step's replies to `usage`."""
    return add_spent(usage, step, _cost_of(replies))


def add_spent(usage: Usage, step: str, spent: Ledger) -> Usage:
    before = usage.by_step.get(step, {})
    step_total = {
        "tokens": before.get("tokens", 0) + spent.tokens,
        "usd": round(before.get("usd", 0.0) + spent.usd, 6),
    }
    return Usage(
        tokens=usage.tokens + spent.tokens,
        usd=round(usage.usd + spent.usd, 6),
        priced=usage.priced and spent.priced,
        by_step={**usage.by_step, step: step_total},
    )


def read_stored[T: Value](artifacts: BlobStore, key: str, kind: type[T]) -> T | None:
    """Returns what an earlier try has stored under the key, or None."""
    try:
        return kind.model_validate_json(artifacts.get(key))
    except NotFoundError:
        return None


def store[T: Value](artifacts: BlobStore, key: str, value: T) -> T:
    """Stores the value under the key unless something is there; returns what is there now."""
    stored = artifacts.put_once(key, value.model_dump_json().encode())
    return type(value).model_validate_json(stored)
