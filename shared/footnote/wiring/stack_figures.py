"""What CloudWatch tells of a deployment: its steps, the tokens of its models, its domain."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from footnote.adapters.aws.stack_metrics import Figure, StackMetrics, Statistic
from footnote.model import METRICS
from footnote.wiring.overview_figures import DomainState, Figures, StepState

if TYPE_CHECKING:
    from footnote.adapters.aws.stack_look import StackLook

WINDOW = 300.0  # seconds that steps and domain are looked at
KEEP = 60.0  # seconds: CloudWatch has a value a minute, and each look is paid for
DAY = 86_400


class StackFigures:
    """Looks once a minute, however often it is asked."""

    def __init__(
        self, look: "StackLook", metrics: StackMetrics, clock: Callable[[], float]
    ) -> None:
        self._look = look
        self._metrics = metrics
        self._clock = clock
        self._kept: tuple[float, Figures] | None = None

    def now(self) -> Figures:
        now = self._clock()
        if self._kept is None or now - self._kept[0] >= KEEP:
            seen = Figures(
                steps=self._steps(now), tokens=self._tokens(now), domain=self._domain(now)
            )
            self._kept = now, seen
        return self._kept[1]

    def _steps(self, now: float) -> dict[str, StepState]:
        functions = self._look.functions()
        kinds: dict[str, Statistic] = {
            "ConcurrentExecutions": "Maximum",
            "Invocations": "Sum",
            "Errors": "Sum",
            "Duration": "Sum",
        }
        wanted = [
            Figure("AWS/Lambda", metric, statistic, {"FunctionName": name})
            for name in functions.values()
            for metric, statistic in kinds.items()
        ]
        found = iter(self._metrics.over(wanted, now - WINDOW, now))
        states = {}
        for step in functions:
            at_once, calls, failed, ms = (next(found) for _ in kinds)
            states[step] = StepState(
                at_once=round(at_once or 0),
                calls=round(calls or 0),
                failed=round(failed or 0),
                ms=round(ms / calls, 1) if calls and ms is not None else None,
            )
        return states

    def _tokens(self, now: float) -> dict[str, int]:
        providers = METRICS["ProviderTokens"].values
        wanted = [
            Figure(
                "footnote",
                "ProviderTokens",
                "Sum",
                {"provider": provider, "service": self._look.stack},
            )
            for provider in providers
        ]
        found = self._metrics.over(wanted, now - now % DAY, now, DAY)
        named = zip(providers, found, strict=True)
        return {provider: round(count) for provider, count in named if count}

    def _domain(self, now: float) -> DomainState | None:
        if not (place := self._look.domain()):
            return None
        kinds: dict[str, Statistic] = {
            f"ClusterStatus.{colour}": "Maximum" for colour in ("red", "yellow", "green")
        }
        kinds |= {"FreeStorageSpace": "Minimum", "JVMMemoryPressure": "Maximum"}
        wanted = [Figure("AWS/ES", metric, statistic, place) for metric, statistic in kinds.items()]
        *colours, free, jvm = self._metrics.over(wanted, now - WINDOW, now)
        told = zip(("red", "yellow", "green"), colours, strict=True)
        health = next((colour for colour, value in told if value), "")
        if not health:
            return None
        return DomainState(health=health, free_mib=free, jvm_percent=jvm)
