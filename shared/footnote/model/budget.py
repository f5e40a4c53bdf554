"""What a question may spend (`Budget`), has spent (`Ledger`) and is
expected to cost (`Estimate`).
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from footnote.model.asking import Mode
from footnote.model.identity import Value

type Cap = Literal["searches", "tokens", "usd"]
"""What a question can run out of as a whole. Rounds and replans are counted where they happen."""


class Budget(Value):
    """The caps of one question. 0 tokens or dollars set no cap.

    `rounds` caps the searches of one sub-question, `searches` those of all together, `replans` how
    often the plan may get new sub-questions. `turns` caps the turns of a model that searches for
    one sub-question; with 0 the plan's searches are made at once.
    """

    rounds: int = 2
    replans: int = 1
    searches: int = 16
    tokens: int = 0
    usd: float = 0.0
    turns: int = 0

    def say(self, cap: Cap) -> str:
        """Returns a cap in words: "16 searches", "20000 tokens", "0.05 dollars"."""
        amounts: dict[Cap, str] = {
            "searches": f"{self.searches} search{'es' * (self.searches != 1)}",
            "tokens": f"{self.tokens} tokens",
            "usd": f"{self.usd:g} dollars",
        }
        return amounts[cap]

    def lowered(self, lower: "Caps") -> "Budget":
        """Returns the budget with the caps that a request has lowered. It raises no cap."""
        caps = {
            "rounds": min(self.rounds, lower.rounds or self.rounds),
            "searches": min(self.searches, lower.searches or self.searches),
            "tokens": min(filter(None, (self.tokens, lower.tokens)), default=0),
            "usd": min(filter(None, (self.usd, lower.usd)), default=0.0),
        }
        return self.model_copy(update=caps)


LEAST_USD, MOST_USD = 0.000_001, 1_000_000.0  # no call costs less, no question should cost more
MOST_TOKENS = 1_000_000_000_000


class Caps(Value):
    """The caps that a request asks for; None leaves a cap as it is."""

    rounds: int | None = Field(default=None, ge=1)
    searches: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1, le=MOST_TOKENS)
    usd: float | None = Field(default=None, ge=LEAST_USD, le=MOST_USD)


class Ledger(Value):
    """The amounts spent. `turns` are replies of models, `waves` are groups of parallel searches.

    `usd` lacks what is not `priced`.
    """

    waves: int = 0
    searches: int = 0
    replans: int = 0
    turns: int = 0
    tokens: int = 0
    usd: float = 0.0
    priced: bool = True

    def plus(self, other: "Ledger") -> "Ledger":
        """Adds the amounts of a step."""
        return Ledger(
            waves=self.waves + other.waves,
            searches=self.searches + other.searches,
            replans=self.replans + other.replans,
            turns=self.turns + other.turns,
            tokens=self.tokens + other.tokens,
            usd=round(self.usd + other.usd, 6),
            priced=self.priced and other.priced,
        )

    def left(self, budget: Budget) -> dict[Cap, float]:
        """Returns the rest of each cap, never below 0; infinite where there is no cap."""
        spent: dict[Cap, float] = {
            "searches": budget.searches - self.searches,
            "tokens": budget.tokens - self.tokens if budget.tokens else float("inf"),
            "usd": budget.usd - self.usd if budget.usd else float("inf"),
        }
        return {cap: max(amount, 0.0) for cap, amount in spent.items()}

    def reached(self, budget: Budget) -> Cap | None:
        """Returns the first cap that is used up, or None."""
        return next((cap for cap, amount in self.left(budget).items() if amount <= 0), None)


class Estimate(Value):
    """The expected cost of a question with the models of `mode`, in all and by task.

    `tokens` is the mean of questions like it. It takes `least_tokens` where each loop ends at once,
    and `most_tokens` where each goes on to its end: models decide that. `priced` tells whether all
    prices are known. `notes` names what is not counted, and says that nothing is paid without a
    model.
    """

    mode: Mode
    tokens: int = 0
    least_tokens: int = 0
    most_tokens: int = 0
    usd: float = 0.0
    by_task: Mapping[str, Mapping[str, float]] = Field(default_factory=dict)
    priced: bool = True
    notes: tuple[str, ...] = ()
