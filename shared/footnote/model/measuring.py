"""What footnote measures about itself: the table of its metrics, and one measurement."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from footnote.model.identity import Value

type Unit = Literal["Count", "Seconds", "None"]


class Metric(NamedTuple):
    """A metric: `dimension` is "" or the one name by whose values it is told apart.

    CloudWatch is paid for each value, so a dimension has few: never a tenant or a document.
    """

    unit: Unit
    dimension: str
    values: tuple[str, ...]
    when: str
    where: tuple[str, ...]


CHECKS = ("exact", "confirmed", "unconfirmed", "ocr", "unchecked", "removed")
STATUSES = ("READY", "FAILED", "UNSUPPORTED")
ENDS = ("answer", "nearest", "none", "clarify", "direct", "failed")
QUEUE_STEPS = ("admit", "parse", "chunk", "index", "remove", "annotate")
TASKS = ("plan", "retrieve", "work", "read", "grade", "synthesize")
DECISIONS = ("enough", "expand", "replan", "next", "capped", "failed")
PROVIDERS = ("anthropic", "bedrock", "openai")
WAYS = ("lexical", "semantic", "navigate", "hybrid", "hybrid_reranked", "auto")

_INDEX = "shared/footnote/ingest/index/delivery.py"
_STEP = "shared/footnote/wiring/step.py"
_SWEEP, _FAIL = "functions/sweep/app.py", "functions/fail/app.py"
_ANSWER = "shared/footnote/ask/question/measurements.py"
_EMBED = "shared/footnote/ingest/index/embed.py"
_MODELS, _PROVIDERS = "shared/footnote/wiring/models.py", "shared/footnote/wiring/providers.py"
_TURNS = "shared/footnote/ask/tools/turns.py"
METRICS: Mapping[str, Metric] = {
    "DocumentsEnded": Metric(
        "Count", "status", STATUSES, "a version ends", (_INDEX, _STEP, _SWEEP)
    ),
    "SecondsToReady": Metric(
        "Seconds", "", (), "a version is READY: since its event came", (_INDEX,)
    ),
    "DocumentUsd": Metric("None", "", (), "a version is READY: dollars it cost", (_INDEX,)),
    "PutOffs": Metric("Count", "step", QUEUE_STEPS, "a message is put off", (_STEP,)),
    "FailedDeliveries": Metric("Count", "step", QUEUE_STEPS, "a delivery fails", (_STEP,)),
    "VectorLookups": Metric(
        "Count", "result", ("cached", "made"), "the vector of a chunk's text is needed", (_EMBED,)
    ),
    "QuestionsEnded": Metric("Count", "outcome", ENDS, "a question ends", (_ANSWER, _FAIL)),
    "QuestionSeconds": Metric(
        "Seconds", "", (), "a question is answered: since it was asked", (_ANSWER,)
    ),
    "QuestionUsd": Metric("None", "", (), "a question is answered: dollars", (_ANSWER,)),
    "ModelUsd": Metric("None", "task", TASKS, "likewise, by step", (_ANSWER,)),
    "ModelTokens": Metric("Count", "task", TASKS, "likewise: tokens", (_ANSWER,)),
    "ProviderTokens": Metric(
        "Count", "provider", PROVIDERS, "a language model's answer is of use: tokens", (_MODELS,)
    ),
    "ProviderFailures": Metric(
        "Count",
        "breaker",
        ("closed", "open", "half-open"),
        "a provider gave no answer, or is not asked for a while (open)",
        (_PROVIDERS,),
    ),
    "ToolCalls": Metric(
        "Count", "result", ("done", "failed"), "a model that looks calls a tool", (_TURNS,)
    ),
    "Decisions": Metric("Count", "decision", DECISIONS, "a wave of searches is graded", (_ANSWER,)),
    "Rounds": Metric("Count", "", (), "a question is answered from documents", (_ANSWER,)),
    "DegradedAnswers": Metric(
        "Count", "", (), "an answer has a note in `degraded`; 0 if it has none", (_ANSWER,)
    ),
    "Sentences": Metric("Count", "check", CHECKS, "a question is answered", (_ANSWER,)),
    "Searches": Metric("Count", "strategy", WAYS, "a question is answered", (_ANSWER,)),
    "SearchSeconds": Metric(
        "Seconds", "strategy", WAYS, "a search that the plan wanted was graded", (_ANSWER,)
    ),
}
"""Every metric, by name."""


class Measurement(Value):
    """A value of a metric. `of` is the value of its dimension, if it has one."""

    name: str
    value: float = 1.0
    of: str = ""
