"""Try a language model: ask the samples' questions, and have it judge sentences.

usage: python -m evals.try_model MODEL [--profile small] [--limit 2] [--seed 0] [--threads 1]
           [--data ../shared/data/wording] [--output report.json]

MODEL is `smollm2` or `qwen`, which are fetched and served on this machine, or what `make demo`
takes: `openai:NAME`, `anthropic:NAME` and others. The deployed steps run in this process. They have
no bounds of time, as a small machine reads a prompt for minutes. What calls took is printed, and at
the end rows for the table of docs/models.md: the model's, and the same questions' without one.
"""

import argparse
import json
import os
import random
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from evals import wording
from evals.claims import rows
from evals.real_model import chosen_in, model_of
from evals.try_report import print_line, show_try
from evals.watched_llm import Call, WatchedLLM
from evals.wording_cases import TENANT, Shelf
from evals.wording_fates import check_of
from evals.wording_writer import ROWS, Row, judge_by
from footnote.evaluation.metrics import latency
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


def main() -> int:
    """Tries a model and returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("--profile", choices=("full", "small"), default="full")
    parser.add_argument("--limit", type=int, help="only so many questions and answers to judge")
    parser.add_argument("--seed", type=int, default=0, help="by which `--limit` draws questions")
    parser.add_argument("--data", type=Path, help="answers to judge, as `evals.wording` reads them")
    parser.add_argument("--threads", type=int, default=1, help="of a model on this machine")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    options = parser.parse_args()
    with reachable(options.model, options.threads) as chosen:
        cases = drawn(list(rows(SAMPLES / "questions.jsonl")), options.limit, options.seed)
        report = tried(chosen._replace(profile=options.profile), cases)
        if options.data and options.data.is_dir():
            report |= judged(chosen, options.limit, options.data)
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


def drawn(cases: Sequence[Json], limit: int | None, seed: int) -> Sequence[Json]:
    """Draws so many questions by a seed, in their order. Without a limit these are all."""
    if limit is None or limit >= len(cases):
        return cases
    drawing = random.Random(seed)  # noqa: S311 - no secret
    places = sorted(drawing.sample(range(len(cases)), limit))
    return [cases[place] for place in places]


def tried(chosen: Chosen, cases: Sequence[Json]) -> Json:
    """Asks questions about the samples: the model in its profile, and then rules alone."""
    logs.logger.setLevel("ERROR")  # the steps share it, and log each document
    llm = WatchedLLM(model_of(chosen))
    settings = Settings(backend="memory", model_provider=chosen.mode, model_profile=chosen.profile)
    asked = list(answers(Pipeline(settings, llm=llm), cases, llm))
    alone = list(answers(Pipeline(), cases, None))
    return {
        "model": chosen.model or chosen.mode,
        "profile": chosen.profile,
        "questions": asked,
        "without": alone,
        "calls": by_task(llm.calls),
        "wording": None,
    }


def answers(pipeline: Pipeline, cases: Sequence[Json], llm: WatchedLLM | None) -> Iterator[Json]:
    """Yields what comes of each question, and prints it where a model is asked."""
    Shelf(pipeline, wording.files(SAMPLES / "documents"))
    for case in cases:
        asked = ask(pipeline, case, llm.calls if llm else [])
        if llm:
            print_line(asked)
        yield asked


def judged(chosen: Chosen, limit: int | None, data: Path) -> Json:
    """Has the model judge the answers of a folder, and returns what it passes."""
    llm = WatchedLLM(model_of(chosen))
    judges = {"none": ROWS["none"], wording.MODEL: Row(judge_by(llm))}
    passed = wording.measured(data, SAMPLES / "documents", judges, Pipeline(), limit=limit)
    return {"wording": passed, "judging": by_task(llm.calls)}


def ask(pipeline: Pipeline, case: Json, calls: Sequence[Call]) -> Json:
    """Asks one question, and returns what came of it. `calls` are the model's, which grow."""
    record = QuestionRecord(
        question_id=uuid.uuid4().hex,
        tenant=TENANT,
        status="RUNNING",
        question=case["question"],
        scope=Scope(tenant=TENANT),
        created=datetime.now(UTC).isoformat(),
    )
    before, started = len(calls), time.perf_counter()
    pipeline.questions.create(record)
    pipeline.workflow.ask(TENANT, record.question_id)
    done = pipeline.questions.get(TENANT, record.question_id)
    common = {
        "id": case["id"],
        "question": case["question"],
        "answerable": case["answerable"],
        "seconds": round(time.perf_counter() - started, 1),
        "tokens": sum(one.tokens_in + one.tokens_out for one in calls[before:]),
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


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except (StackError, StepError) as error:
        raise SystemExit(str(error)) from None
