"""What happened on each day, counted from what the API tells: documents, questions, feedback.

It is pure: it takes the JSON of replies and returns JSON. A day is one of UTC. A document counts on
the day on which its version came, a question on the day on which it was asked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from footnote.evaluation.metrics import latency
from footnote.text.fates import CHECKED
from footnote.wire import Json

FATES = (
    "answered",
    "nearest",
    "none",
    "asked_back",
    "direct",
    "failed",
    "closed",
    "running",
)
"""What became of a question. `closed`: its answer cites what the caller may not read now."""
SEARCHED = ("answered", "nearest", "none")
NOT_ANSWERS: Mapping[str, str] = {"clarify": "asked_back", "direct": "direct"}
WHOLE = "whole documents"
"""Stands for a strategy where documents were read, not searched."""
STATES: Mapping[str, str] = {"RUNNING": "running", "FAILED": "failed"}
UNNAMED = ""
"""The model of tokens that no event names one for: of embedding, of reading, of tools."""


class Asked(NamedTuple):
    """A question: when it was asked, and the API's reply to its id, with the trace."""

    created: str
    question: Json

    @property
    def day(self) -> str:
        return day_of(self.created)


def day_of(moment: str) -> str:
    """Returns the day of a moment as the API gives it: ISO 8601, UTC."""
    return moment[:10]


def count_days(documents: Iterable[Json], asked: Sequence[Asked], feedback: Iterable[Json]) -> Json:
    """Returns the rows of a report, each list by day."""
    return {
        "documents": count_documents(documents),
        "questions": count_questions(asked),
        "models": count_models(asked),
        "persons": count_persons(asked),
        "feedback": count_feedback(feedback),
    }


def count_documents(documents: Iterable[Json]) -> list[Json]:
    """Counts documents by day, status and error code."""
    counts = Counter(
        (day_of(record["received"]), record["status"], (record["error"] or {}).get("code", ""))
        for record in documents
    )
    names = ("day", "status", "code")
    return [dict(zip(names, key, strict=True)) | {"count": counts[key]} for key in sorted(counts)]


def count_feedback(feedback: Iterable[Json]) -> list[Json]:
    """Counts verdicts on answers by day."""
    counts = Counter((day_of(entry["created"]), entry["verdict"]) for entry in feedback)
    return [
        {"day": day, "verdict": name, "count": counts[day, name]} for day, name in sorted(counts)
    ]


def count_questions(asked: Iterable[Asked]) -> list[Json]:
    """Counts questions by day and strategy, with their sentences, cost and time."""
    groups: dict[tuple[str, str], list[Json]] = defaultdict(list)
    for entry in asked:
        groups[entry.day, strategy_of(entry.question)].append(entry.question)
    return [
        {"day": day, "strategy": strategy, **_summarize(groups[day, strategy])}
        for day, strategy in sorted(groups)
    ]


def _summarize(questions: Sequence[Json]) -> Json:
    fates = Counter(map(fate_of, questions))
    searched = sum(fates[name] for name in SEARCHED)
    spent = [cost_of(question) for question in questions]
    p50, p95 = latency([q["timings_ms"]["total"] for q in questions if total_of(q)])
    return {
        "asked": len(questions),
        "fates": {name: fates[name] for name in FATES},
        "found_share": round(fates["answered"] / searched, 3) if searched else None,
        "sentences": _count_sentences(questions),
        "degraded": sum(bool(question.get("degraded")) for question in questions),
        "tokens": sum(tokens for tokens, _ in spent),
        "usd": round(sum(usd for _, usd in spent), 6),
        "seconds": {"p50": round(p50 / 1000, 2), "p95": round(p95 / 1000, 2)},
    }


def _count_sentences(questions: Iterable[Json]) -> Json:
    """Counts sentences of answers: those that were checked, those not confirmed, those removed.

    The nearest passages are no answer, so their sentences do not count.
    """
    counts = {"checked": 0, "unconfirmed": 0, "removed": 0}
    for question in questions:
        counts["removed"] += len(question.get("removed", ()))
        if question.get("found"):
            checks = [sentence["checked"] for sentence in question["sentences"]]
            counts["checked"] += sum(check in CHECKED for check in checks)
            counts["unconfirmed"] += checks.count("unconfirmed")
    return counts


def fate_of(question: Json) -> str:
    """Returns what became of a question: one of FATES."""
    if (question.get("error") or {}).get("code") == "sources_closed":
        return "closed"
    if question["status"] in STATES:
        return STATES[question["status"]]
    if question["kind"] in NOT_ANSWERS:
        return NOT_ANSWERS[question["kind"]]
    if question["found"]:
        return "answered"
    return "nearest" if question["outcome"] == "nearest" else "none"


def strategy_of(question: Json) -> str:
    """Returns the strategies of a question's searches, as "hybrid + navigate"; "" without any."""
    searched = {data["strategy"] for kind, data in _events(question) if kind == "found"}
    read = {WHOLE} if any(kind == "read" for kind, _ in _events(question)) else set()
    return " + ".join(sorted(filter(None, searched | read)))


def total_of(question: Json) -> float:
    """Returns the milliseconds that a question took, 0 where it has no answer."""
    return float(question.get("timings_ms", {}).get("total", 0))


def cost_of(question: Json) -> tuple[int, float]:
    """Returns tokens and dollars: the answer's, else those of the calls that the trace has."""
    if usage := question.get("usage"):
        return usage["tokens"], usage["usd"]
    calls = list(_calls(question))
    return sum(map(_tokens, calls)), sum(call["usd"] for call in calls)


def count_models(asked: Iterable[Asked]) -> list[Json]:
    """Sums calls, tokens and dollars by day and model.

    What no call accounts for stands in a row with the model "".
    """
    rows: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in asked:
        tokens, usd = cost_of(entry.question)
        for call in _calls(entry.question):
            rows[entry.day, call["model"]].update(calls=1, tokens=_tokens(call))
            rows[entry.day, call["model"]]["micro_usd"] += _micro(call["usd"])
            tokens, usd = tokens - _tokens(call), usd - call["usd"]
        if tokens > 0 or _micro(usd) > 0:
            rows[entry.day, UNNAMED].update(tokens=max(0, tokens), micro_usd=max(0, _micro(usd)))
    return [
        {
            "day": day,
            "model": model,
            "calls": row["calls"],
            "tokens": row["tokens"],
            "usd": row["micro_usd"] / 1_000_000,
        }
        for (day, model), row in sorted(rows.items())
    ]


def count_persons(asked: Iterable[Asked]) -> list[Json]:
    """Sums questions, tokens and dollars by who asked, who cost most first.

    Those whose asker is not told stand in a row with the person "".
    """
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in asked:
        tokens, usd = cost_of(entry.question)
        row = rows[entry.question.get("person", "")]
        row.update(asked=1, tokens=tokens, micro_usd=_micro(usd))
    return [
        {
            "person": person,
            "asked": row["asked"],
            "tokens": row["tokens"],
            "usd": row["micro_usd"] / 1_000_000,
        }
        for person, row in sorted(rows.items(), key=lambda one: (-one[1]["micro_usd"], one[0]))
    ]


def _calls(question: Json) -> Iterator[Json]:
    """Yields a row for each reply of a model that the trace has."""
    for _, data in _events(question):
        yield from data.get("calls", ())


def _events(question: Json) -> Iterator[tuple[str, Json]]:
    return ((event["kind"], event["data"]) for event in question.get("trace", ()))


def _tokens(call: Json) -> int:
    return int(call["input"] + call["output"])


def _micro(usd: float) -> int:
    return round(usd * 1_000_000)
