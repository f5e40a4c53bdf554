"""What an operator is shown of a deployment's figures: its steps, tokens and domain."""

from footnote.model import Value


class StepState(Value):
    """A step in the last five minutes: `at_once` were at most at work together.

    `ms` is the mean of its calls, None where there were none.
    """

    at_once: int
    calls: int
    failed: int
    ms: float | None


class DomainState(Value):
    """The domain in the last five minutes, at its worst: free disk of the fullest node in MiB."""

    health: str
    free_mib: float | None
    jvm_percent: float | None


class Figures(Value):
    """`tokens` by provider since midnight UTC: of those that have answered, with `Metrics` on.

    `domain` is None where the stack has none of its own, or CloudWatch no value of it.
    """

    steps: dict[str, StepState]
    tokens: dict[str, int]
    domain: DomainState | None
