"""Try a language model: ask the samples' questions, and have it judge sentences.

usage: python -m evals.try_model MODEL [--limit 2] [--data ../shared/data/wording] [--threads 1]
           [--output report.json]

MODEL is `smollm2` or `qwen`, which are fetched and served on this machine, or what `make demo`
takes: `openai:NAME`, `anthropic:NAME` and others. The deployed steps run in this process. They have
no bounds of time, as a small machine reads a prompt for minutes. What calls took is printed.
"""

import argparse
import json
import os
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from evals import wording
from evals.claims import rows
from evals.metrics import latency
from evals.real_model import chosen_in, model_of
from evals.watched_llm import Call, WatchedLLM
from evals.wording_cases import TENANT, Shelf
from evals.wording_fates import check_of
from evals.wording_report import show
from evals.wording_writer import ROWS, Row, judge_by
from footnote.model import QuestionRecord, Scope
from footnote.settings import Settings
from footnote.wire import Json
from footnote.wiring import logs
from footnote.wiring.pipeline import Pipeline
from local.models import Chosen
from local.paths import ROOT
from local.real_models import REAL_MODELS, serve
from local.state import StackError
from local.steps import StepError

SAMPLES = ROOT / "samples"
SHORT = 48  # characters of a question that are printed


def main() -> int:
    """Tries a model and returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("--limit", type=int, help="only so many questions and answers to judge")
    parser.add_argument("--data", type=Path, help="answers to judge, as `evals.wording` reads them")
    parser.add_argument("--threads", type=int, default=1, help="of a model on this machine")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    options = parser.parse_args()
    with reachable(options.model, options.threads) as chosen:
        report = tried(chosen, options.limit, options.data)
    show_try(report)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report, indent=1, ensure_ascii=False)
        options.output.write_text(text + "\n", encoding="utf-8")
    return 0


@contextmanager
def reachable(model: str, threads: int) -> Iterator[Chosen]:
    """Yields where a model is asked. One of `REAL_MODELS` is served meanwhile."""
    if model not in REAL_MODELS:
        yield chosen_in({**os.environ, "MODEL": model})
        return
    with serve(REAL_MODELS[model], threads) as url:
        yield Chosen("openai", model, url, free=True)


def tried(chosen: Chosen, limit: int | None, data: Path | None) -> Json:
    """Asks the model the samples' questions, and has it judge the answers of a folder."""
    logs.logger.setLevel("ERROR")  # the steps share it, and log each document
    llm = WatchedLLM(model_of(chosen))
    pipeline = Pipeline(Settings(backend="memory", model_provider=chosen.mode), llm=llm)
    Shelf(pipeline, wording.files(SAMPLES / "documents"))
    cases = list(rows(SAMPLES / "questions.jsonl"))[:limit]
    report: Json = {"model": chosen.model, "questions": [], "wording": None}
    for case in cases:
        report["questions"].append(ask(pipeline, case, llm))
        print_line(report["questions"][-1])
    if data and data.is_dir():
        judges = {"none": ROWS["none"], wording.MODEL: Row(judge_by(llm))}
        report["wording"] = wording.measured(
            data, SAMPLES / "documents", judges, Pipeline(), limit=limit
        )
    report["calls"] = by_task(llm.calls)
    return report


def ask(pipeline: Pipeline, case: Json, llm: WatchedLLM) -> Json:
    """Asks one question, and returns what came of it."""
    record = QuestionRecord(
        question_id=uuid.uuid4().hex,
        tenant=TENANT,
        status="RUNNING",
        question=case["question"],
        scope=Scope(tenant=TENANT),
        created=datetime.now(UTC).isoformat(),
    )
    before, started = len(llm.calls), time.perf_counter()
    pipeline.questions.create(record)
    pipeline.workflow.ask(TENANT, record.question_id)
    done = pipeline.questions.get(TENANT, record.question_id)
    calls = llm.calls[before:]
    common = {
        "id": case["id"],
        "question": case["question"],
        "answerable": case["answerable"],
        "seconds": round(time.perf_counter() - started, 1),
        "tokens": sum(one.tokens_in + one.tokens_out for one in calls),
    }
    if (answer := done.answer) is None:
        return common | {"failed": done.error.message if done.error else done.status}
    cited = {citation.document for citation in answer.citations}
    return common | {
        "mode": answer.mode,
        "kind": answer.kind,
        "found": answer.found,
        "right_document": bool(cited & set(case["documents"])),
        "fates": Counter(check_of(one) for one in answer.sentences if one.citations),
        "removed": len(answer.removed),
        "degraded": list(answer.degraded),
        "answer": answer.answer,
    }


def by_task(calls: Sequence[Call]) -> Json:
    """Sums up the calls of each task."""
    held: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        held[call.task].append(call)
    return {
        task: {
            "calls": len(some),
            "failed": sum(one.failed for one in some),
            "seconds": latency([one.seconds for one in some])._asdict(),
            "tokens_in": sum(one.tokens_in for one in some),
            "tokens_out": sum(one.tokens_out for one in some),
        }
        for task, some in held.items()
    }


def print_line(asked: Json) -> None:
    """Prints what came of a question: who answered, what its sentences are, what it took."""
    question = asked["question"]
    shown = question if len(question) <= SHORT else f"{question[: SHORT - 1]}…"
    took = f"{asked['seconds']:.0f} s, {asked['tokens']} tokens"
    if "failed" in asked:
        print(f"{asked['id']} {shown:<{SHORT}}  failed: {asked['failed']}; {took}", flush=True)
        return
    fates = ", ".join(f"{fate} {count}" for fate, count in asked["fates"].items())
    told = f"{fates or 'nothing cited'}; removed {asked['removed']}"
    print(
        f"{asked['id']} {shown:<{SHORT}}  {asked['mode']}, {asked['kind']}: {told}; {took}",
        flush=True,
    )
    for note in asked["degraded"]:
        print(f"      {note}")


def show_try(report: Json) -> None:
    asked = [one for one in report["questions"] if "failed" not in one]
    known = [one for one in asked if one["answerable"]]
    others = [one for one in asked if not one["answerable"]]
    print(
        f"\n{report['model']}: of {len(known)} questions with an answer"
        f" {sum(one['found'] for one in known)} got one,"
        f" {sum(one['right_document'] for one in known)} cite a right document;"
        f" of {len(others)} without one {sum(one['found'] for one in others)} got one;"
        f" {len(report['questions']) - len(asked)} failed"
    )
    total = sum((Counter(one["fates"]) for one in asked), Counter[str]())
    removed = sum(one["removed"] for one in asked)
    told = ", ".join(f"{fate} {count}" for fate, count in total.most_common())
    print(f"sentences: {told or 'none'}; removed {removed}")
    for task, sums in report["calls"].items():
        seconds = sums["seconds"]
        print(
            f"  {task:<12}{sums['calls']:>4} calls, {sums['failed']} failed;"
            f" {seconds['p50']:.1f} s (p95 {seconds['p95']:.1f});"
            f" tokens in {sums['tokens_in']}, out {sums['tokens_out']}"
        )
    if report["wording"]:
        show(report["wording"], None, why=False)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except (StackError, StepError) as error:
        raise SystemExit(str(error)) from None
