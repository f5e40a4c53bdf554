"""The results of a run in JSON: totals, what it took, and each case with what led to its answer."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from footnote.evaluation.judging import Asked, FigureName, Judged, found_at, said
from footnote.evaluation.metrics import latency, mean, sign_test
from footnote.evaluation.rubric import CostName, Rubric, Totals, failures, score
from footnote.wire import Json

SHOWN_HITS = 10
SHOWN_TEXT = 600  # characters of a passage
SHOWN_DATA = 400  # characters of an event


def run_results(
    name: str,
    asked: Sequence[Asked],
    judged: Sequence[Judged],
    rubric: Rubric,
    baseline: Totals | None,
) -> Json:
    """Returns the results of one setting: its totals, why it fails, and its cases."""
    run = totals(asked, judged, rubric)
    calls = [call for one in asked for call in calls_of(one.trace)]
    return {
        "name": name,
        **run.model_dump(),
        "failures": list(failures(rubric, run, baseline)),
        "by_tag": by_tag(asked, judged),
        "models": sorted({call["model"] for call in calls}),
        "prompts": dict(sorted({call["task"]: call["prompt"] for call in calls}.items())),
        "cases": [case_results(*pair) for pair in zip(asked, judged, strict=True)],
    }


def totals(asked: Sequence[Asked], judged: Sequence[Judged], rubric: Rubric) -> Totals:
    figures = means(judged)
    return Totals(
        score=score(rubric, figures),
        passed=mean([float(not one.faults) for one in judged]),
        figures=figures,
        costs=costs(asked),
    )


def means(judged: Iterable[Judged]) -> dict[FigureName, float]:
    """Returns each figure's mean over the cases that have it: each case counts the same."""
    values: dict[FigureName, list[float]] = {}
    for one in judged:
        for name, value in one.figures.items():
            values.setdefault(name, []).append(value)
    return {name: mean(some) for name, some in values.items()}


def costs(asked: Sequence[Asked]) -> dict[CostName, float]:
    """Returns what a run took. Times are the client's, HTTP included."""
    replied = [one for one in asked if not one.error]
    usage = [one.reply["usage"] for one in replied]
    ask = latency([one.ask_ms for one in replied])
    return {
        "search_p95_ms": round(latency([one.search_ms for one in replied]).p95, 1),
        "ask_p50_ms": round(ask.p50, 1),
        "ask_p95_ms": round(ask.p95, 1),
        "tokens": sum(one["tokens"] for one in usage),
        "usd": round(sum(one["usd"] for one in usage), 6),
    }


def by_tag(asked: Sequence[Asked], judged: Sequence[Judged]) -> dict[str, Json]:
    """Returns how many cases of each tag there are, and how many have no fault."""
    of: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for one, how in zip(asked, judged, strict=True):
        of.update(one.case.tags)
        passed.update(one.case.tags if not how.faults else ())
    return {tag: {"cases": of[tag], "passed": passed[tag]} for tag in sorted(of)}


def calls_of(trace: Sequence[Json]) -> Iterator[Json]:
    """Yields the calls of models, and of the rules that stand in for one."""
    for event in trace:
        yield from event["data"].get("calls", ())


def case_results(asked: Asked, judged: Judged) -> Json:
    """Returns a case: what was right, what came, why it failed, and what led to it."""
    case, reply = asked.case, asked.reply
    return {
        "id": case.id,
        "question": case.question,
        "tags": list(case.tags),
        "session": case.session,
        "must_refuse": case.must_refuse,
        "wanted": case.answer,
        "gold": [place.model_dump(exclude_none=True) for place in case.gold],
        "faults": list(judged.faults),
        "figures": dict(judged.figures),
        "outcome": reply.get("outcome") or reply.get("kind") or "error",
        "answer": said(reply) if reply else "",
        "notes": reply.get("degraded", []),
        "cited": [_cited(one, asked) for one in reply.get("citations", ())],
        "found": [_found(one, asked) for one in asked.hits[:SHOWN_HITS]],
        "trace": [
            {
                "kind": one["kind"],
                "data": _cut(json.dumps(one["data"], ensure_ascii=False), SHOWN_DATA),
            }
            for one in asked.trace
        ],
        "search_ms": round(asked.search_ms, 1),
        "ask_ms": round(asked.ask_ms, 1),
        "tokens": reply.get("usage", {}).get("tokens", 0),
        "usd": reply.get("usage", {}).get("usd", 0.0),
    }


def _cited(citation: Json, asked: Asked) -> Json:
    shown = {name: citation[name] for name in ("n", "document", "pages", "quote", "verified")}
    return shown | {"stands": citation["n"] in asked.standing}


def _found(hit: Json, asked: Asked) -> Json:
    shown = {name: hit[name] for name in ("rank", "document", "pages", "score")}
    gold = any(found_at(place, hit) for place in asked.case.gold)
    return shown | {"text": _cut(hit["text"], SHOWN_TEXT), "gold": gold}


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def totals_of(report: Json | None, name: str) -> Totals | None:
    """Returns the totals of a setting in an earlier report; of its first one if none is so named.

    None where there is no report.
    """
    run = run_of(report, name)
    return Totals.model_validate({key: run[key] for key in Totals.model_fields}) if run else None


def run_of(report: Json | None, name: str) -> Json | None:
    if not report or not report["runs"]:
        return None
    runs: list[Json] = report["runs"]
    return next((run for run in runs if run["name"] == name), runs[0])


def compare(run: Json, other: Json) -> Json:
    """Returns how a run differs from another over the cases of both, and whether that is chance.

    A case is better or worse where one run has a fault in it and the other has none.
    """
    before = {case["id"]: not case["faults"] for case in other["cases"]}
    now = {case["id"]: not case["faults"] for case in run["cases"] if case["id"] in before}
    better = [name for name, passed in now.items() if passed and not before[name]]
    worse = [name for name, passed in now.items() if before[name] and not passed]
    return {
        "cases": len(now),
        "better": better,
        "worse": worse,
        "p": round(sign_test(len(better), len(worse)), 4),
    }
