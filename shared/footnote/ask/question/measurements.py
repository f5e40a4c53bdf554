"""What a question is measured by: its waves of searches, and its end.

No text of caller, model or document is in it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from footnote.clock import age
from footnote.contracts import RetrieveResult
from footnote.model import Answer, Evidence, Measurement, QuestionRecord


def measure_wave(
    results: Sequence[RetrieveResult], evidence: Mapping[str, Evidence], decision: str
) -> list[Measurement]:
    """Returns the measurements of a wave of searches, which has led to a decision.

    A model that searches by itself takes turns. Their time is not that of a strategy.
    """
    took = [
        Measurement(
            name="SearchSeconds", value=one.ms / 1000, of=evidence[one.sub_question].strategy
        )
        for one in results
        if one.sub_question in evidence and not one.error and not one.turns
    ]
    return [Measurement(name="Decisions", of=decision), *took]


def measure_question(record: QuestionRecord, now: float) -> list[Measurement]:
    """Returns the measurements of a question that has just ended."""
    answer = record.answer
    if record.status != "DONE" or answer is None:
        return [Measurement(name="QuestionsEnded", of="failed")]
    return [
        Measurement(name="QuestionsEnded", of=_outcome_of(answer)),
        Measurement(name="QuestionSeconds", value=max(0.0, age(record.created, now))),
        Measurement(name="QuestionUsd", value=answer.usage.usd),
        Measurement(name="DegradedAnswers", value=float(bool(answer.degraded))),
        *_usage(answer),
        *_making(answer),
    ]


def _outcome_of(answer: Answer) -> str:
    if answer.kind != "answer":
        return answer.kind
    return answer.outcome or "none"


def _usage(answer: Answer) -> Iterator[Measurement]:
    for task, spent in answer.usage.by_step.items():
        if usd := spent.get("usd", 0.0):
            yield Measurement(name="ModelUsd", value=usd, of=task)
        if tokens := spent.get("tokens", 0.0):
            yield Measurement(name="ModelTokens", value=tokens, of=task)


def _making(answer: Answer) -> Iterator[Measurement]:
    """Yields how the answer was searched for, and what became of its sentences."""
    if answer.kind != "answer":
        return
    yield Measurement(name="Rounds", value=answer.rounds)
    sentences: Counter[str] = Counter(
        sentence.checked or "unchecked" for sentence in answer.sentences
    )
    sentences["removed"] = len(answer.removed)
    for check, count in sentences.items():
        if count:
            yield Measurement(name="Sentences", value=count, of=check)
    questions = answer.plan.sub_questions if answer.plan else ()
    searches = Counter(search.strategy for one in questions for search in one.searched)
    for strategy, count in searches.items():
        yield Measurement(name="Searches", value=count, of=strategy)
